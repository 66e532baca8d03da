import { describe, expect, test } from 'vitest';
import {
  codeState,
  fromNow,
  now,
  offerMs,
  personOf,
  registrationState,
  stateOf,
  typeState,
} from '../../../test/states.ts';
import { decideBatch } from '../../admission/decide-batch.ts';
import type { AdmissionRequest } from '../../admission/requests.ts';
import type { ReserveRequest } from '../../reservations/reservations.rules.ts';
import type { AdmissionState, TypeState } from '../seats.rules.ts';

/** A type with a price and two waitlisted registrations, `a` before `b`. */
const withWaitlist = (type: Partial<TypeState> = {}) =>
  stateOf({
    types: [typeState({ capacity: 1, allowWaitlist: true, priceAmount: 2500, ...type })],
    registrations: [registrationState('a', 'waitlisted'), registrationState('b', 'waitlisted')],
    codes: [codeState({ maxUses: 5 })],
    buyers: { a: { holds: 0, seats: 0 }, b: { holds: 0, seats: 0 }, c: { holds: 0, seats: 0 } },
  });

const run = (state: AdmissionState, ...requests: AdmissionRequest[]) =>
  decideBatch(state, requests).results.map((result) => ('outcome' in result ? result.outcome : ''));

const later = (state: AdmissionState, ms: number): AdmissionState =>
  Object.assign(state, { now: fromNow(ms) });

const order = (emails: string[], fields: Partial<ReserveRequest> = {}): ReserveRequest => ({
  reservationId: 'ord_1',
  buyerEmail: emails[0] ?? '',
  seats: emails.map((email) => ({
    person: { ...personOf(email), registrationId: `reg_new_${email}` },
    ticketTypeId: 'day',
    inBundle: false,
  })),
  addonIds: [],
  codeKey: null,
  acceptsApproval: false,
  reservationMs: 1000,
  ...fields,
});
const reserve = (input: ReserveRequest) => ({ kind: 'reserve', input }) as const;
const fulfil = (input: ReserveRequest, reacquire = false) =>
  ({ kind: 'fulfil', input: { ...input, reacquire } }) as const;
const release = { kind: 'release', reservationId: 'ord_1', onlyIfExpired: false } as const;
const change = (kind: 'approve' | 'cancel' | 'confirm', email: string) =>
  ({ kind, registrationId: `reg_${email}`, reason: null }) as const;

/** Status and number of missed offers of a registration, with `*` while it has an offer. */
const registration = (state: AdmissionState, email: string) => {
  const { status, offerId, offersMissed } = state.registrations.get(`reg_${email}`) ?? {};
  return `${status}${offerId ? '*' : ''}${offersMissed ? ` missed ${offersMissed}` : ''}`;
};
const people = (state: AdmissionState) => [registration(state, 'a'), registration(state, 'b')];
const seats = (state: AdmissionState) => {
  const { confirmed, waitlisted, offered, reserved } = state.types.get('day') ?? typeState();
  return { confirmed, waitlisted, offered, reserved };
};
const offerOf = (state: AdmissionState, email: string) =>
  state.reservations.get(`offer_reg_${email}_0`);

describe('an available seat of a type with a price', () => {
  test('is offered to the first registration, reserved for it, and confirms no registration', () => {
    const state = withWaitlist();
    run(state);
    expect(people(state)).toEqual(['waitlisted*', 'waitlisted']);
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 2, offered: 1, reserved: 1 });
    expect(offerOf(state, 'a')?.expiresAt).toEqual(fromNow(offerMs));
  });

  test.each([
    ['until the sale ends', { closesAt: fromNow(10) }, fromNow(10)],
    ['for its time when the sale ends later', { closesAt: fromNow(offerMs + 1) }, fromNow(offerMs)],
    ['while the type is closed', { status: 'closed' }, fromNow(offerMs)],
    ['not after the sale has ended', { closesAt: now }, undefined],
    ['not in an archived type', { status: 'archived' }, undefined],
  ] as const)('is offered %s', (_, type, expiresAt) => {
    const state = withWaitlist(type);
    run(state);
    expect(offerOf(state, 'a')?.expiresAt ?? undefined).toEqual(expiresAt);
  });

  test('is offered to the next registration when the first misses it, which goes to the end', () => {
    const state = withWaitlist();
    run(state);
    run(later(state, offerMs));
    expect(people(state)).toEqual(['waitlisted missed 1', 'waitlisted*']);
    run(later(state, 2 * offerMs));
    expect(people(state)).toEqual(['waitlisted* missed 1', 'waitlisted missed 1']);
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 2, offered: 1, reserved: 1 });
  });

  test('confirms a registration that an order has paid for', () => {
    const state = withWaitlist();
    Object.assign(state.registrations.get('reg_a') ?? {}, { orderId: 'ord_0' });
    run(state);
    expect(people(state)).toEqual(['confirmed', 'waitlisted']);
  });

  test('confirms the registrations with an offer once the type is free', () => {
    const state = withWaitlist({ capacity: 2 });
    run(state);
    Object.assign(state.types.get('day') ?? {}, { priceAmount: 0 });
    run(state);
    expect(people(state)).toEqual(['confirmed', 'confirmed']);
    expect(seats(state)).toEqual({ confirmed: 2, waitlisted: 0, offered: 0, reserved: 0 });
    expect(offerOf(state, 'a')?.state).toBe('released');
  });
});

describe('a use of a code that a registration was given', () => {
  /** The registration `a` has used the code and has an offer. `later` is what became of the code. */
  const withGivenUse = (after: Partial<ReturnType<typeof codeState>>) => {
    const state = withWaitlist({ capacity: 3 });
    Object.assign(state.registrations.get('reg_a') ?? {}, { redemptionCodeId: 'code_1' });
    run(state, change('cancel', 'b'));
    run(state);
    Object.assign(state.codes.get('FRIEND') ?? {}, { maxUses: 1, uses: 1 }, after);
    return state;
  };
  const reserved = (state: AdmissionState, emails: string[], codeKey: string | null) => {
    const [result] = decideBatch(state, [reserve(order(emails, { codeKey }))]).results;
    if (!result || !('outcome' in result)) throw new Error('no result');
    if (result.outcome === 'refused') return 'reason' in result ? result.reason : '';
    if (result.outcome !== 'reserved') return result.outcome;
    return [result.code?.key ?? null, result.reservation.codeUses];
  };
  const fates = [
    ['is used up', {}],
    ['has expired', { expiresAt: now }],
    ['was disabled', { status: 'disabled' }],
  ] as const;

  test.each(fates)('stays valid in the order of its offer when the code %s', (_, after) => {
    expect(reserved(withGivenUse(after), ['a'], 'FRIEND')).toEqual(['FRIEND', 0]);
  });

  test.each(fates)('applies without naming the code, also when it %s', (_, after) => {
    expect(reserved(withGivenUse(after), ['a'], null)).toEqual(['FRIEND', 0]);
  });

  test.each([
    ['is used up', {}, 'CODE_USES_EXCEEDED'],
    ['has expired', { expiresAt: now, maxUses: 9 }, 'CODE_INVALID'],
    ['was disabled', { status: 'disabled', maxUses: 9 }, 'CODE_INVALID'],
    ['has uses left', { maxUses: 2 }, ['FRIEND', 1]],
  ] as const)('gives no other seat a use when the code %s', (_, after, expected) => {
    expect(reserved(withGivenUse(after), ['a', 'c'], 'FRIEND')).toEqual(expected);
  });

  test('does not spread to other seats of an order that names no code', () => {
    expect(reserved(withGivenUse({ maxUses: 9 }), ['a', 'c'], null)).toEqual([null, 0]);
  });

  test('ends with the archive of its ticket type', () => {
    const state = withGivenUse({ ticketTypeId: 'old' });
    expect(reserved(state, ['a'], null)).toEqual([null, 0]);
  });
});

describe('an order', () => {
  test('of a waitlisted buyer without an offer finds the registration', () => {
    const state = withWaitlist({ capacity: 0 });
    const [result] = decideBatch(state, [reserve(order(['a']))]).results;
    expect(result).toEqual({
      outcome: 'already_registered',
      registrationId: 'reg_a',
      registrationStatus: 'waitlisted',
      openOrderId: null,
    });
  });

  test('of a buyer whose offer another order has taken finds that order', () => {
    const state = withWaitlist({ capacity: 1 });
    run(state);
    const [, result] = decideBatch(state, [
      reserve(order(['a'])),
      reserve({ ...order(['a']), reservationId: 'ord_2' }),
    ]).results;
    expect(result).toMatchObject({ outcome: 'already_registered', openOrderId: 'ord_1' });
  });

  test.each([
    ['the buyer', ['a']],
    ['an attendee', ['c', 'a']],
  ])('takes the offer of %s, and its fulfilment confirms the same registration', (_, emails) => {
    const state = withWaitlist({ capacity: emails.length });
    const mine = order(emails);
    // `c` needs a seat of its own.
    if (emails.length === 2) Object.assign(state.types.get('day') ?? {}, { waitlist: [] });
    run(state);
    const [promoted] = people(state);
    if (promoted !== 'waitlisted*') return;
    expect(run(state, reserve(mine))).toEqual(['reserved']);
    expect(seats(state)).toMatchObject({ offered: 1, reserved: 1 });
    const [result] = decideBatch(state, [fulfil(mine)]).results;
    expect(result).toMatchObject({
      fulfilment: { seats: [{ registrationId: 'reg_a', created: true }] },
    });
    expect(people(state)).toEqual(['confirmed', 'waitlisted']);
    expect(seats(state)).toEqual({ confirmed: 1, waitlisted: 1, offered: 0, reserved: 0 });
    expect(state.registrations.get('reg_a')).toMatchObject({ orderId: 'ord_1', buyerEmail: 'a' });
    expect(offerOf(state, 'a')?.state).toBe('fulfilled');
  });

  test('for an attendee and others takes the offer and new seats', () => {
    const state = withWaitlist({ capacity: 3 });
    state.registrations.delete('reg_b');
    Object.assign(state.types.get('day') ?? {}, { waitlist: ['reg_a'], waitlisted: 1 });
    const mine = order(['c', 'a']);
    run(state);
    expect(run(state, reserve(mine))).toEqual(['reserved']);
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 1, offered: 1, reserved: 2 });
    run(state, fulfil(mine));
    expect(seats(state)).toEqual({ confirmed: 2, waitlisted: 0, offered: 0, reserved: 0 });
    expect(registration(state, 'new_c')).toBe('confirmed');
  });

  test('that ends without a payment returns the offer, which goes on until its time', () => {
    const state = withWaitlist();
    run(state);
    run(state, reserve(order(['a'])));
    expect(run(state, release)).toEqual(['released']);
    expect(people(state)).toEqual(['waitlisted*', 'waitlisted']);
    expect(offerOf(state, 'a')).toMatchObject({ state: 'active', expiresAt: fromNow(offerMs) });
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 2, offered: 1, reserved: 1 });
    expect(run(state, reserve(order(['a'], { reservationId: 'ord_2' })))).toEqual(['reserved']);
  });

  test('keeps the seat after the time of the offer, which expires when the order ends', () => {
    const state = withWaitlist();
    run(state);
    run(later(state, offerMs - 1), reserve(order(['a'])));
    run(later(state, offerMs + 500));
    expect(people(state)).toEqual(['waitlisted*', 'waitlisted']);
    run(later(state, offerMs + 1000));
    expect(people(state)).toEqual(['waitlisted missed 1', 'waitlisted*']);
    expect(state.reservations.get('ord_1')?.state).toBe('expired');
  });

  test('is not on sale for the offer once the sale has ended', () => {
    const state = withWaitlist();
    run(state);
    Object.assign(state.types.get('day') ?? {}, { closesAt: now });
    const [result] = decideBatch(state, [reserve(order(['a']))]).results;
    expect(result).toMatchObject({ reason: 'NOT_ON_SALE', block: 'sale_ended' });
  });

  test('replaces the code of the registration, which returns its use', () => {
    const state = withWaitlist();
    run(state);
    const mine = order(['a'], { codeKey: 'FRIEND' });
    run(state, reserve(mine), fulfil(mine));
    expect(state.codes.get('FRIEND')?.uses).toBe(1);
    run(state, change('cancel', 'a'));
    expect(state.codes.get('FRIEND')?.uses).toBe(0);
  });

  test('with the code of the waitlisted registration needs no other use of it', () => {
    const state = withWaitlist();
    Object.assign(state.registrations.get('reg_a') ?? {}, { redemptionCodeId: 'code_1' });
    Object.assign(state.codes.get('FRIEND') ?? {}, { uses: 1, maxUses: 1 });
    run(state);
    const mine = order(['a'], { codeKey: 'FRIEND' });
    expect(run(state, reserve(mine))).toEqual(['reserved']);
    expect(state.reservations.get('ord_1')?.codeUses).toBe(0);
    expect(run(state, fulfil(mine))).toEqual(['fulfilled']);
    expect(state.codes.get('FRIEND')?.uses).toBe(1);
    expect(state.registrations.get('reg_a')?.redemptionCodeId).toBe('code_1');
  });

  test('with the code of the waitlisted registration leaves the other uses to the other seats', () => {
    const state = withWaitlist({ capacity: 3 });
    state.registrations.delete('reg_b');
    Object.assign(state.types.get('day') ?? {}, { waitlist: ['reg_a'], waitlisted: 1 });
    Object.assign(state.registrations.get('reg_a') ?? {}, { redemptionCodeId: 'code_1' });
    Object.assign(state.codes.get('FRIEND') ?? {}, { uses: 1, maxUses: 2 });
    run(state);
    const mine = order(['a', 'c'], { codeKey: 'FRIEND' });
    expect(run(state, reserve(mine), fulfil(mine))).toEqual(['reserved', 'fulfilled']);
    const codes = ['a', 'new_c'].map(
      (name) => state.registrations.get(`reg_${name}`)?.redemptionCodeId,
    );
    expect([codes, state.codes.get('FRIEND')?.uses]).toEqual([['code_1', 'code_1'], 2]);
  });

  test('with a code of another person is rejected when no use is left', () => {
    const state = withWaitlist();
    Object.assign(state.registrations.get('reg_b') ?? {}, { redemptionCodeId: 'code_1' });
    Object.assign(state.codes.get('FRIEND') ?? {}, { uses: 1, maxUses: 1 });
    run(state);
    const [result] = decideBatch(state, [reserve(order(['a'], { codeKey: 'FRIEND' }))]).results;
    expect(result).toMatchObject({ reason: 'CODE_INVALID' });
  });

  test('counts the seat of its buyer once against the limit of seats', () => {
    const state = withWaitlist();
    Object.assign(state, { limits: { maxHolds: 5, maxSeats: 1 } });
    run(state);
    const mine = order(['a']);
    expect(run(state, reserve(mine), fulfil(mine))).toEqual(['reserved', 'fulfilled']);
    expect(state.buyers.get('a')).toEqual({ holds: 0, seats: 1 });
  });

  test('whose late payment finds the offer again takes it', () => {
    const state = withWaitlist();
    run(state);
    const mine = order(['a']);
    run(state, reserve(mine));
    run(later(state, 1000));
    expect(state.reservations.get('ord_1')?.state).toBe('expired');
    expect(run(state, fulfil(mine, true))).toEqual(['fulfilled']);
    expect(people(state)).toEqual(['confirmed', 'waitlisted']);
    expect(seats(state)).toEqual({ confirmed: 1, waitlisted: 1, offered: 0, reserved: 0 });
  });

  test('whose late payment comes after the sale takes a seat that no one was offered', () => {
    const state = withWaitlist({ closesAt: fromNow(500) });
    state.registrations.delete('reg_b');
    Object.assign(state.types.get('day') ?? {}, { waitlist: ['reg_a'], waitlisted: 1 });
    run(state);
    const mine = order(['a']);
    run(state, reserve(mine));
    run(later(state, 1000));
    expect(registration(state, 'a')).toBe('waitlisted missed 1');
    expect(run(state, fulfil(mine, true))).toEqual(['fulfilled']);
    expect(registration(state, 'a')).toBe('confirmed missed 1');
    expect(seats(state)).toEqual({ confirmed: 1, waitlisted: 0, offered: 0, reserved: 0 });
  });

  test('whose late payment comes after the offer has gone to the next cannot be fulfilled', () => {
    const state = withWaitlist();
    run(state);
    const mine = order(['a']);
    run(state, reserve(mine));
    run(later(state, offerMs));
    expect(run(state, fulfil(mine, true))).toEqual(['unfulfillable']);
    expect(people(state)).toEqual(['waitlisted missed 1', 'waitlisted*']);
  });
});

describe('a reserved seat of a person who joins the waitlist meanwhile', () => {
  test('confirms that registration when the order is paid', () => {
    const state = stateOf({
      types: [typeState({ capacity: 1, allowWaitlist: true, priceAmount: 2500 })],
      buyers: { a: { holds: 0, seats: 0 } },
    });
    const mine = order(['a']);
    const person = personOf('a');
    run(state, reserve(mine));
    run(state, { kind: 'register', input: { person, ticketTypeId: 'day', codeKey: null } });
    expect(registration(state, 'a')).toBe('waitlisted');
    run(state, fulfil(mine));
    expect(registration(state, 'a')).toBe('confirmed');
    expect(seats(state)).toEqual({ confirmed: 1, waitlisted: 0, offered: 0, reserved: 0 });
  });
});

describe('a registration with an offer', () => {
  test('that is cancelled withdraws the offer, and the seat goes to the next', () => {
    const state = withWaitlist();
    run(state);
    run(state, change('cancel', 'a'));
    expect(people(state)).toEqual(['cancelled', 'waitlisted*']);
    expect(offerOf(state, 'a')?.state).toBe('released');
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 1, offered: 1, reserved: 1 });
  });

  test.each([
    ['in time', false],
    ['late', true],
  ])(
    'that is cancelled during an order releases it: a payment %s registers no one',
    (_, isLate) => {
      const state = withWaitlist();
      run(state);
      const mine = order(['a'], { codeKey: 'FRIEND' });
      run(state, reserve(mine));
      run(state, change('cancel', 'a'));
      expect(people(state)).toEqual(['cancelled', 'waitlisted*']);
      expect(state.reservations.get('ord_1')?.state).toBe('released');
      expect(offerOf(state, 'a')?.state).toBe('released');
      expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 1, offered: 1, reserved: 1 });
      expect(state.codes.get('FRIEND')?.uses).toBe(0);
      Object.assign(state.types.get('day') ?? {}, { capacity: 5 });
      expect(run(state, fulfil(mine, isLate))).toEqual(['released']);
      expect(state.registrations.has('reg_new_a')).toBe(false);
    },
  );

  test('that is cancelled returns the other offers of its order, or expires those that have ended', () => {
    const ofTwo = () => {
      const state = withWaitlist({ capacity: 2 });
      run(state);
      return state;
    };
    const open = ofTwo();
    run(open, reserve(order(['a', 'b'])), change('cancel', 'a'));
    expect(people(open)).toEqual(['cancelled', 'waitlisted*']);
    expect(offerOf(open, 'b')).toMatchObject({ state: 'active', expiresAt: fromNow(offerMs) });
    expect(run(open, reserve(order(['b'], { reservationId: 'ord_2' })))).toEqual(['reserved']);
    const ended = ofTwo();
    run(later(ended, offerMs - 1), reserve(order(['a', 'b'])));
    run(later(ended, offerMs), change('cancel', 'a'));
    // The seat is offered again, as the next offer.
    expect(people(ended)).toEqual(['cancelled', 'waitlisted* missed 1']);
  });

  test('that is cancelled releases the new seats of its order', () => {
    const state = withWaitlist({ capacity: 3 });
    state.registrations.delete('reg_b');
    Object.assign(state.types.get('day') ?? {}, { waitlist: ['reg_a'], waitlisted: 1 });
    run(state);
    const mine = order(['c', 'a']);
    run(state, reserve(mine), change('cancel', 'a'));
    expect(seats(state)).toEqual({ confirmed: 0, waitlisted: 0, offered: 0, reserved: 0 });
    expect(run(state, fulfil(mine, true))).toEqual(['released']);
  });

  test('that is cancelled after its order has expired is not registered again by a late payment', () => {
    const state = withWaitlist();
    run(state);
    const mine = order(['a']);
    run(state, reserve(mine));
    run(later(state, 1000), change('cancel', 'a'));
    Object.assign(state.types.get('day') ?? {}, { capacity: 5 });
    expect(run(state, fulfil(mine, true))).toEqual(['unfulfillable']);
    expect(state.registrations.has('reg_new_a')).toBe(false);
  });

  test.each([
    ['with an offer uses its seat', 'a', {}, 'changed'],
    ['without an offer needs a seat', 'b', {}, 'sold_out'],
    [
      'without an offer takes an available seat ahead of the others',
      'b',
      { capacity: 3 },
      'changed',
    ],
    ['of a cancelled registration is refused', 'c', {}, 'closed'],
  ] as const)('confirmation by an operator %s', (_, email, type, outcome) => {
    const state = withWaitlist();
    state.registrations.set('reg_c', registrationState('c', 'cancelled'));
    run(state);
    Object.assign(state.types.get('day') ?? {}, type);
    expect(run(state, change('confirm', email))).toEqual([outcome]);
    if (outcome === 'changed') expect(registration(state, email)).toBe('confirmed');
  });
});

describe('an approval of a type with a price', () => {
  const pending = (type: Partial<TypeState> = {}, orderId: string | null = null) =>
    stateOf({
      types: [typeState({ capacity: 1, priceAmount: 2500, requiresApproval: true, ...type })],
      registrations: [registrationState('a', 'pending', { orderId })],
      buyers: { a: { holds: 0, seats: 0 } },
    });

  test('offers a seat, which an order can take although the type requires approval', () => {
    const state = pending();
    expect(run(state, change('approve', 'a'))).toEqual(['changed']);
    expect(registration(state, 'a')).toBe('waitlisted*');
    const mine = order(['a']);
    expect(run(state, reserve(mine), fulfil(mine))).toEqual(['reserved', 'fulfilled']);
    expect(registration(state, 'a')).toBe('confirmed');
  });

  test('confirms a registration of an order that cost nothing', () => {
    const state = pending({}, 'ord_0');
    run(state, change('approve', 'a'));
    expect(registration(state, 'a')).toBe('confirmed');
  });

  test('is refused without a seat and without a waitlist', () => {
    const state = pending({ capacity: 0 });
    expect(run(state, change('approve', 'a'))).toEqual(['sold_out']);
  });

  test('leaves other attendees of a free order pending, also when it is paid late', () => {
    const state = pending({ capacity: 5 });
    run(state, change('approve', 'a'));
    const mine = order(['a', 'c'], { acceptsApproval: true });
    expect(run(state, reserve(mine))).toEqual(['reserved']);
    run(later(state, 1000), fulfil(mine, true));
    expect(['a', 'new_c'].map((name) => registration(state, name))).toEqual([
      'confirmed',
      'pending',
    ]);
  });

  test('does not let other attendees into an order that costs something', () => {
    const state = pending({ capacity: 5 });
    const [result] = decideBatch(state, [reserve(order(['c']))]).results;
    expect(result).toMatchObject({ reason: 'NOT_ON_SALE', block: 'requires_approval' });
  });
});
