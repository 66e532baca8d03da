import { describe, expect, test } from 'vitest';
import {
  addonState,
  codeState,
  fromNow,
  now,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import type { AdmissionState, ReservationState } from '../seats/seats.rules.ts';
import { decideFulfilment } from './fulfilment.rules.ts';

const reserveRequest = (emails: string[], fields: object = {}) => ({
  reservationId: 'ord_1',
  buyerEmail: 'buyer',
  seats: emails.map((email) => ({ person: personOf(email), ticketTypeId: 'day', inBundle: false })),
  addonIds: [] as string[],
  codeKey: null as string | null,
  reservationMs: 1000,
  reacquire: false,
  ...fields,
});

/** Decides a fulfilment, applies its changes and returns the resulting seats. */
function fulfil(state: AdmissionState, request: ReturnType<typeof reserveRequest>) {
  const decision = decideFulfilment(state, request);
  if (decision.outcome !== 'fulfilled') return { outcome: decision.outcome };
  applyChanges(state, decision.changes);
  const { confirmed = 0, reserved = 0 } = state.types.get('day') ?? {};
  const statuses = request.seats.map(({ person }) => {
    const id = state.active.get(person?.normalEmail ?? '') ?? '';
    return state.registrations.get(id)?.status;
  });
  expect(decision.fulfilment.seats.map(({ status }) => status)).toEqual(statuses);
  return {
    outcome: decision.outcome,
    created: decision.fulfilment.seats.map(({ created }) => created),
    statuses,
    confirmed,
    reserved,
    uses: state.codes.get('FRIEND')?.uses ?? 0,
  };
}

const two = { seats: new Map([['day', 2]]), redemptionCodeId: 'code_1', codeUses: 2 };
const code = (uses = 0) => codeState({ maxUses: 2, uses });

describe('an active reservation', () => {
  test('becomes one registration per seat and one code use per seat', () => {
    const types = [typeState({ capacity: 2 })];
    const state = stateOf({ types, codes: [code()], reservations: [reservationState(two)] });
    expect(fulfil(state, reserveRequest(['a', 'b'], { codeKey: 'FRIEND' }))).toEqual({
      outcome: 'fulfilled',
      created: [true, true],
      statuses: ['confirmed', 'confirmed'],
      confirmed: 2,
      reserved: 0,
      uses: 2,
    });
  });

  test('is fulfilled without another check of the sale, event, code and capacity', () => {
    const types = [typeState({ status: 'archived', capacity: 1, closesAt: now })];
    const codes = [codeState({ maxUses: 1, status: 'disabled', expiresAt: now })];
    const state = stateOf({
      eventStatus: 'archived',
      types,
      codes,
      reservations: [reservationState(two)],
    });
    const done = fulfil(state, reserveRequest(['a', 'b'], { codeKey: 'FRIEND' }));
    expect(done).toMatchObject({ statuses: ['confirmed', 'confirmed'], uses: 2 });
  });

  test('is not fulfilled once the event is cancelled, unless it was before', () => {
    const state = stateOf({ isCancelled: true, reservations: [reservationState()] });
    const request = reserveRequest(['a'], { reacquire: true });
    expect(decideFulfilment(state, request)).toEqual({ outcome: 'unfulfillable' });
    state.isCancelled = false;
    const before = decideFulfilment(state, request);
    if (before.outcome !== 'fulfilled') throw new Error(before.outcome);
    applyChanges(state, before.changes);
    state.isCancelled = true;
    expect(decideFulfilment(state, request)).toEqual({ ...before, changes: [] });
  });

  test('returns the same result when it is fulfilled again, and changes nothing', () => {
    const state = stateOf({ reservations: [reservationState()] });
    const first = decideFulfilment(state, reserveRequest(['a']));
    if (first.outcome !== 'fulfilled') throw new Error(first.outcome);
    applyChanges(state, first.changes);
    expect(decideFulfilment(state, reserveRequest(['a']))).toEqual({ ...first, changes: [] });
    expect(decideFulfilment(state, reserveRequest(['a'], { reacquire: true }))).toEqual({
      ...first,
      changes: [],
    });
  });

  test('releases the seat and code use of a person who has registered meanwhile', () => {
    const state = stateOf({
      types: [typeState({ capacity: 3 })],
      registrations: [registrationState('a', 'confirmed')],
      codes: [code()],
      reservations: [reservationState(two)],
    });
    expect(fulfil(state, reserveRequest(['a', 'b'], { codeKey: 'FRIEND' }))).toMatchObject({
      created: [false, true],
      confirmed: 2,
      reserved: 0,
      uses: 1,
    });
  });

  test('creates pending registrations for a type that requires approval', () => {
    const types = [typeState({ requiresApproval: true, capacity: 1, confirmed: 1 })];
    const state = stateOf({ types, reservations: [reservationState({ seats: new Map() })] });
    expect(fulfil(state, reserveRequest(['a']))).toMatchObject({
      statuses: ['pending'],
      confirmed: 1,
    });
  });

  test('gives no seat that was not reserved, even if approval is no longer required', () => {
    const types = [typeState({ capacity: 1, confirmed: 1 })];
    const state = stateOf({ types, reservations: [reservationState({ seats: new Map() })] });
    expect(fulfil(state, reserveRequest(['a']))).toMatchObject({
      statuses: ['pending'],
      confirmed: 1,
    });
  });

  test('gives the reserved seat, even if approval is required by now', () => {
    const types = [typeState({ requiresApproval: true, capacity: 1 })];
    const state = stateOf({ types, reservations: [reservationState()] });
    expect(fulfil(state, reserveRequest(['a']))).toMatchObject({
      statuses: ['confirmed'],
      confirmed: 1,
      reserved: 0,
    });
  });
});

describe('a closed reservation', () => {
  const closed: [string, Partial<ReservationState> | null, string][] = [
    ['that is past its expiry', { expiresAt: now }, 'unfulfillable'],
    ['that has expired', { state: 'expired' }, 'unfulfillable'],
    ['that was released', { state: 'released' }, 'released'],
    ['that does not exist', null, 'unfulfillable'],
  ];
  test.each(closed)('%s is not fulfilled', (_, reservation, expected) => {
    const state = stateOf({ reservations: reservation ? [reservationState(reservation)] : [] });
    expect(fulfil(state, reserveRequest(['a'])).outcome).toBe(expected);
  });

  test('is fulfilled in its last millisecond', () => {
    const state = stateOf({ reservations: [reservationState({ expiresAt: fromNow(1) })] });
    expect(fulfil(state, reserveRequest(['a'])).outcome).toBe('fulfilled');
  });
});

describe('reacquiring a reservation', () => {
  const reacquire = reserveRequest(['a', 'b'], { reacquire: true, codeKey: 'FRIEND' });
  const state = (
    type: Parameters<typeof typeState>[0],
    more: Partial<Parameters<typeof stateOf>[0]> = {},
  ) =>
    stateOf({
      types: [typeState(type)],
      codes: [code()],
      reservations: [reservationState({ ...two, state: 'expired' })],
      ...more,
    });

  test.each([
    ['works while the seats are available', { capacity: 2 }, {}, 'fulfilled'],
    ['works for an unknown reservation', { capacity: 2 }, { reservations: [] }, 'fulfilled'],
    ['works after the sale has closed', { capacity: 2, status: 'closed' }, {}, 'fulfilled'],
    ['is all or nothing', { capacity: 2, reserved: 1 }, {}, 'unfulfillable'],
    ['leaves seats to the waitlist', { capacity: 9, waitlisted: 1 }, {}, 'unfulfillable'],
    ['needs every use of the code', { capacity: 2 }, { codes: [code(1)] }, 'unfulfillable'],
    ['needs the code', { capacity: 2 }, { codes: [] }, 'unfulfillable'],
    ['needs the type', {}, { types: [], reservations: [] }, 'unfulfillable'],
    [
      'never follows a release',
      { capacity: 2 },
      { reservations: [reservationState({ state: 'released' })] },
      'released',
    ],
  ] as const)('%s', (_, type, more, expected) => {
    const initial = state(type, more as Partial<Parameters<typeof stateOf>[0]>);
    const done = fulfil(initial, reacquire);
    expect(done.outcome).toBe(expected);
    const taken = expected === 'fulfilled' ? { confirmed: 2, uses: 2 } : {};
    expect(done).toMatchObject(taken);
  });

  test('does not require the code to be usable', () => {
    const codes = [codeState({ maxUses: 2, status: 'disabled', expiresAt: now })];
    expect(fulfil(state({ capacity: 2 }, { codes }), reacquire).outcome).toBe('fulfilled');
  });

  test('needs no seat and no use for a person who has registered meanwhile', () => {
    const registrations = [registrationState('a', 'confirmed')];
    const initial = state({ capacity: 2 }, { registrations, codes: [code(1)] });
    expect(fulfil(initial, reacquire)).toMatchObject({
      created: [false, true],
      confirmed: 2,
      uses: 2,
    });
  });

  test('never exceeds the capacity, whether or not the type now requires approval', () => {
    const initial = state({ requiresApproval: true, capacity: 1 });
    expect(fulfil(initial, reacquire).outcome).toBe('unfulfillable');
  });
});

describe('add-ons', () => {
  const receiver = (emails: string[], registered: string[]) => {
    const state = stateOf({
      registrations: registered.map((email) => registrationState(email, 'confirmed')),
      reservations: [
        reservationState({ seats: emails.length ? new Map([['day', emails.length]]) : new Map() }),
      ],
    });
    const decision = decideFulfilment(state, reserveRequest(emails, { addonIds: ['addon_1'] }));
    if (decision.outcome !== 'fulfilled') throw new Error(decision.outcome);
    const added = decision.changes.find((change) => change.kind === 'add_addons');
    expect(added?.registrationId ?? null).toBe(decision.fulfilment.addonRegistrationId);
    return decision.fulfilment.addonRegistrationId;
  };

  test.each([
    ['join the buyer’s new seat', ['a', 'buyer'], [], 'reg_buyer'],
    ['join the existing registration of the buyer', [], ['buyer'], 'reg_buyer'],
    ['join it rather than the seat of another attendee', ['a'], ['buyer'], 'reg_buyer'],
    ['join the first seat when the buyer has none', ['a', 'b'], [], 'reg_a'],
  ] as const)('%s', (_, emails, registered, expected) => {
    expect(receiver([...emails], [...registered])).toBe(expected);
  });

  test.each([false, true])(
    'without seats are unfulfillable when the buyer is not registered any more (reacquire: %s)',
    (reacquire) => {
      const expiresAt = reacquire ? now : fromNow(1);
      const state = stateOf({ reservations: [reservationState({ seats: new Map(), expiresAt })] });
      const request = reserveRequest([], { addonIds: ['addon_1'], reacquire });
      expect(decideFulfilment(state, request)).toEqual({ outcome: 'unfulfillable' });
    },
  );
});

describe('seats without an attendee', () => {
  const request = (people: (string | null)[], fields: object = {}) => ({
    ...reserveRequest([], fields),
    seats: people.map((email) => ({
      person: email === null ? null : personOf(email),
      ticketTypeId: 'day',
      inBundle: false,
      amount: 500,
    })),
  });
  const ofThree = {
    seats: new Map([['day', 3]]),
    seatCount: 3,
    redemptionCodeId: 'code_1',
    codeUses: 3,
  };
  const stateWith = (reservation: ReservationState, fields: object = {}) =>
    stateOf({
      types: [typeState({ capacity: 3 })],
      codes: [codeState({ maxUses: 3 })],
      reservations: [reservation],
      ...fields,
    });
  const fulfilAll = (state: AdmissionState, people: (string | null)[], fields: object = {}) => {
    const decision = decideFulfilment(state, request(people, { codeKey: 'FRIEND', ...fields }));
    if (decision.outcome === 'fulfilled') applyChanges(state, decision.changes);
    return decision;
  };
  const counts = (state: AdmissionState) => {
    const { confirmed, reserved } = state.types.get('day') ?? {};
    return { confirmed, reserved, uses: state.codes.get('FRIEND')?.uses };
  };

  test('become open seats that stay reserved, beside the registrations of the others', () => {
    const state = stateWith(reservationState(ofThree));
    expect(fulfilAll(state, ['a', null, null])).toMatchObject({
      outcome: 'fulfilled',
      fulfilment: {
        seats: [
          { registrationId: 'reg_a', created: true, status: 'confirmed', amount: 500 },
          { registrationId: 'seat_1_2', created: true, amount: 500 },
          { registrationId: 'seat_1_3', created: true, amount: 500 },
        ],
      },
    });
    expect(counts(state)).toEqual({ confirmed: 1, reserved: 2, uses: 3 });
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 3 });
    expect(state.reservations.get('seat_1_2')).toMatchObject({
      state: 'active',
      expiresAt: null,
      openSeat: { orderId: 'ord_1', ticketTypeId: 'day' },
      redemptionCodeId: 'code_1',
      codeUses: 1,
    });
  });

  test('are reserved again after the hold if they are available, and none of them otherwise', () => {
    const expired = reservationState({ ...ofThree, state: 'expired' });
    const again = stateWith(expired);
    expect(fulfilAll(again, [null, null, null], { reacquire: true }).outcome).toBe('fulfilled');
    expect(counts(again)).toEqual({ confirmed: 0, reserved: 3, uses: 3 });
    const sold = stateWith(expired, { registrations: [registrationState('b', 'confirmed')] });
    expect(fulfilAll(sold, [null, null, null], { reacquire: true }).outcome).toBe('unfulfillable');
    expect(counts(sold)).toMatchObject({ confirmed: 1, reserved: 0 });
  });

  test('of a type that requires approval reserve nothing', () => {
    const types = [typeState({ requiresApproval: true })];
    const state = stateWith(reservationState({ seats: new Map() }), { types });
    expect(fulfilAll(state, [null], { codeKey: null }).outcome).toBe('fulfilled');
    expect(counts(state)).toMatchObject({ confirmed: 0, reserved: 0 });
    expect(state.reservations.get('seat_1_1')?.openSeat?.ticketTypeId).toBe('day');
  });

  test.each([
    ['the first of them, if nobody is registered', [null, null], 'seat_1_1', 2],
    ['the first attendee', [null, 'a'], 'reg_a', 0],
    ['the buyer', [null, 'buyer'], 'reg_buyer', 0],
  ])('leave the add-ons of the buyer to %s', (_, people, receiver, kept) => {
    const state = stateWith(
      reservationState({
        ...ofThree,
        seats: new Map([
          ['day', 2],
          ['lunch', 2],
        ]),
      }),
      {
        addons: [addonState()],
      },
    );
    const addonUnits = [{ addonId: 'lunch', quantity: 2, inBundle: false }];
    const decision = fulfilAll(state, people, { addonIds: ['lunch'], addonUnits });
    expect(decision).toMatchObject({ fulfilment: { addonRegistrationId: receiver } });
    expect(state.addons.get('lunch')).toMatchObject({ confirmed: 2 - kept, reserved: kept });
    expect(state.reservations.get('seat_1_1')?.seats.get('lunch') ?? 0).toBe(kept);
  });
});
