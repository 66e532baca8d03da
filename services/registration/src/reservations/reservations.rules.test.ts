import { describe, expect, test } from 'vitest';
import {
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
import type { AdmissionState } from '../seats/seats.rules.ts';
import { decideRelease, decideRevocation } from './closing.rules.ts';
import { decideReservation, type ReserveRequest } from './reservations.rules.ts';

/** A reservation request of order `ord_1` for these seats, each `email` or `email@type`. */
const reserveRequest = (seats: string[], fields: Partial<ReserveRequest> = {}): ReserveRequest => ({
  reservationId: 'ord_1',
  buyerEmail: 'buyer',
  seats: seats.map((seat) => {
    const [email = '', ticketTypeId = 'day'] = seat.split('@');
    return { person: personOf(email), ticketTypeId, inBundle: false };
  }),
  addonIds: [],
  codeKey: null,
  acceptsApproval: false,
  reservationMs: 1000,
  ...fields,
});

const outcomeOf = (state: AdmissionState, request: ReserveRequest) => {
  const decision = decideReservation(state, request);
  return decision.outcome === 'refused' ? decision.reason : decision.outcome;
};

const twoTypes = (day: number, night: number) => [
  typeState({ capacity: day }),
  typeState({ id: 'night', capacity: night }),
];

describe('a reservation', () => {
  test('reserves all its seats of each type until it expires', () => {
    const state = stateOf({ types: twoTypes(2, 2) });
    const decision = decideReservation(state, reserveRequest(['a', 'b@night', 'c@night']));
    if (decision.outcome !== 'reserved') throw new Error(decision.outcome);
    applyChanges(state, decision.changes);
    expect([...state.types.values()].map(({ reserved }) => reserved)).toEqual([1, 2]);
    expect(decision.reservation.expiresAt).toEqual(fromNow(1000));
  });

  test.each([
    ['one seat of the first type is left', twoTypes(1, 2), { seat: 0, seatsLeft: 1 }],
    ['one seat of the second type is left', twoTypes(2, 1), { seat: 2, seatsLeft: 1 }],
    ['no seat of the second type is left', twoTypes(2, 0), { seat: 2, seatsLeft: 0 }],
  ])('reserves nothing and reports the seat when %s', (_, types, details) => {
    const decision = decideReservation(
      stateOf({ types }),
      reserveRequest(['a', 'b', 'c@night', 'd@night']),
    );
    const refusal = { outcome: 'refused', reason: 'SOLD_OUT', seatsRequested: 2 };
    expect(decision).toEqual({ ...refusal, ...details });
  });

  test.each([
    ['draft', { status: 'draft' }],
    ['closed', { status: 'closed' }],
    ['archived', { status: 'archived' }],
    ['not_open_yet', { opensAt: fromNow(1) }],
    ['sale_ended', { closesAt: now }],
    ['requires_approval', { requiresApproval: true }],
  ] as const)('reports %s as the reason why a type is not on sale', (block, fields) => {
    const types = [typeState(), typeState({ id: 'night', ...fields })];
    const decision = decideReservation(stateOf({ types }), reserveRequest(['a', 'b@night']));
    expect(decision).toEqual({ outcome: 'refused', reason: 'NOT_ON_SALE', seat: 1, block });
  });

  test.each([
    ['takes the last seats', { capacity: 3, confirmed: 1 }, 'reserved'],
    ['does not exceed the capacity', { capacity: 2, confirmed: 1 }, 'SOLD_OUT'],
    ['does not take reserved seats', { capacity: 3, reserved: 2 }, 'SOLD_OUT'],
    ['never joins the waitlist', { capacity: 1, allowWaitlist: true }, 'SOLD_OUT'],
    ['leaves seats to the waitlist', { capacity: 9, waitlisted: 1 }, 'SOLD_OUT'],
    ['needs a type on sale', { status: 'closed' }, 'NOT_ON_SALE'],
    ['needs a sale that has not ended', { closesAt: now }, 'NOT_ON_SALE'],
    [
      'rejects a type that requires approval if it is paid for',
      { requiresApproval: true },
      'NOT_ON_SALE',
    ],
  ] as const)('%s', (_, type, expected) => {
    expect(outcomeOf(stateOf({ types: [typeState(type)] }), reserveRequest(['a', 'b']))).toBe(
      expected,
    );
  });

  test('reserves no seat of a type that requires approval if it is free', () => {
    const types = [typeState({ requiresApproval: true, capacity: 1, confirmed: 1 })];
    const decision = decideReservation(
      stateOf({ types }),
      reserveRequest(['a'], { acceptsApproval: true }),
    );
    expect(decision).toMatchObject({ outcome: 'reserved', reservation: { seats: new Map() } });
  });

  test.each([
    ['active', {}, 'reserved'],
    ['past its expiry', { expiresAt: now }, 'CLOSED'],
    ['expired', { state: 'expired' }, 'CLOSED'],
    ['released', { state: 'released' }, 'CLOSED'],
    ['fulfilled', { state: 'fulfilled' }, 'CLOSED'],
  ] as const)('that exists and is %s changes nothing', (_, fields, expected) => {
    const state = stateOf({
      types: [typeState({ capacity: 1 })],
      reservations: [reservationState(fields)],
    });
    const decision = decideReservation(state, reserveRequest(['a']));
    expect(decision.outcome === 'refused' ? decision.reason : decision).toEqual(
      expected === 'CLOSED'
        ? expected
        : {
            outcome: 'reserved',
            reservation: reservationState(),
            code: null,
            buyerRegistrationId: null,
            approvalSeat: null,
            changes: [],
          },
    );
  });

  test('returns its code again when it is repeated', () => {
    const reservations = [reservationState({ redemptionCodeId: 'code_1', codeUses: 1 })];
    const state = stateOf({ codes: [codeState()], reservations });
    const repeat = decideReservation(state, reserveRequest(['a'], { codeKey: 'FRIEND' }));
    expect(repeat).toMatchObject({ outcome: 'reserved', code: { id: 'code_1' }, changes: [] });
  });
});

describe('a person who is already registered', () => {
  const registered = (email: string) =>
    stateOf({ registrations: [registrationState(email, 'pending')] });

  test('is reported as a buyer who orders an own seat', () => {
    expect(decideReservation(registered('buyer'), reserveRequest(['other', 'buyer']))).toEqual({
      outcome: 'already_registered',
      registrationId: 'reg_buyer',
      registrationStatus: 'pending',
      openOrderId: null,
    });
  });

  test('may buy seats for others', () => {
    expect(outcomeOf(registered('buyer'), reserveRequest(['other']))).toBe('reserved');
  });

  test.each([
    ['seats for others', registered('buyer'), reserveRequest(['other']), 'reg_buyer'],
    [
      'add-ons alone',
      registered('buyer'),
      reserveRequest([], { addonIds: ['addon_1'] }),
      'reg_buyer',
    ],
    ['a buyer without a registration', stateOf({}), reserveRequest(['other']), null],
  ])('is reported with the reservation: %s', (_, state, request, expected) => {
    const decision = decideReservation(state, request);
    if (decision.outcome !== 'reserved') throw new Error(decision.outcome);
    applyChanges(state, decision.changes);
    for (const each of [decision, decideReservation(state, request)]) {
      expect(each).toMatchObject({ outcome: 'reserved', buyerRegistrationId: expected });
    }
  });

  test('is reported as another attendee, with the seat', () => {
    expect(decideReservation(registered('other'), reserveRequest(['buyer', 'other']))).toEqual({
      outcome: 'attendee_registered',
      seat: 1,
    });
  });

  test('may buy add-ons alone; others may not', () => {
    const addons = reserveRequest([], { addonIds: ['addon_1'] });
    expect(decideReservation(registered('buyer'), addons)).toMatchObject({
      outcome: 'reserved',
      reservation: { seats: new Map([['addon_1', 1]]), seatCount: 0, codeUses: 0 },
    });
    expect(outcomeOf(registered('other'), addons)).toBe('NOT_REGISTERED');
  });
});

describe('a code in a reservation', () => {
  const state = (code: Parameters<typeof codeState>[0]) =>
    stateOf({
      types: [...twoTypes(9, 9), typeState({ id: 'old', status: 'archived' })],
      codes: [codeState(code)],
    });
  const request = reserveRequest(['a', 'b', 'c@night'], { codeKey: 'FRIEND' });

  test.each([
    ['has one use for each seat of its type', { maxUses: 2 }, 'reserved'],
    ['is rejected when one use is missing', { maxUses: 3, uses: 2 }, 'CODE_USES_EXCEEDED'],
    ['is invalid when no use is left', { maxUses: 2, uses: 2 }, 'CODE_INVALID'],
    [
      'is invalid when disabled, with uses left',
      { maxUses: 9, status: 'disabled' },
      'CODE_INVALID',
    ],
    ['is rejected when disabled', { status: 'disabled' }, 'CODE_INVALID'],
    ['is invalid when its type is archived', { ticketTypeId: 'old' }, 'CODE_INVALID'],
    ['is rejected from its expiry on', { expiresAt: now }, 'CODE_INVALID'],
    ['does not apply without a seat of its type', { ticketTypeId: 'gala' }, 'CODE_FITS_NOTHING'],
    [
      'is rejected as invalid first when both apply',
      { ticketTypeId: 'gala', uses: 1 },
      'CODE_INVALID',
    ],
  ] as const)('%s', (_, code, expected) => {
    expect(outcomeOf(state(code), request)).toBe(expected);
  });

  test('reports the uses that are left when the reservation needs more', () => {
    expect(decideReservation(state({ maxUses: 3, uses: 2 }), request)).toEqual({
      outcome: 'refused',
      reason: 'CODE_USES_EXCEEDED',
      usesLeft: 1,
      usesRequested: 2,
    });
  });

  test('counts the uses that it reserves', () => {
    expect(decideReservation(state({ maxUses: null }), request)).toMatchObject({
      reservation: { redemptionCodeId: 'code_1', codeUses: 2 },
    });
  });
});

describe('a reservation with several errors reports the first', () => {
  const types = [typeState({ status: 'closed', capacity: 0 })];
  const registrations = [registrationState('buyer', 'confirmed')];
  const cases: [string, AdmissionState, string][] = [
    ['already_registered', stateOf({ eventStatus: 'archived', types, registrations }), 'buyer'],
    [
      'attendee_registered',
      stateOf({
        eventStatus: 'archived',
        types,
        registrations: [registrationState('a', 'pending')],
      }),
      'a',
    ],
    ['EVENT_ARCHIVED', stateOf({ eventStatus: 'archived', types }), 'a'],
    ['NOT_ON_SALE', stateOf({ types }), 'a'],
    ['CODE_INVALID', stateOf({ types: [typeState({ capacity: 0 })] }), 'a'],
    ['SOLD_OUT', stateOf({ types: [typeState({ capacity: 0 })], codes: [codeState()] }), 'a'],
  ];
  test.each(cases)('%s', (expected, state, email) => {
    expect(outcomeOf(state, reserveRequest([email], { codeKey: 'FRIEND' }))).toBe(expected);
  });

  test('NOT_FOUND, with the seat, before all others', () => {
    const state = stateOf({ eventStatus: 'archived', types, registrations });
    const decision = decideReservation(
      state,
      reserveRequest(['buyer', 'a@gala'], { codeKey: 'NOBODY' }),
    );
    expect(decision).toEqual({ outcome: 'refused', reason: 'NOT_FOUND', seat: 1 });
  });
});

describe('a release', () => {
  const released = {
    outcome: 'released',
    changes: [{ kind: 'close_reservation', to: 'released' }],
  };
  const expired = { outcome: 'expired', changes: [{ kind: 'close_reservation', to: 'expired' }] };
  const unchanged = (outcome: string) => ({ outcome, changes: [] });
  test.each([
    ['active', {}, released, unchanged('active')],
    ['active, and expired,', { expiresAt: now }, released, expired],
    ['released', { state: 'released' }, unchanged('released'), unchanged('released')],
    ['expired', { state: 'expired' }, released, unchanged('expired')],
    ['fulfilled', { state: 'fulfilled' }, unchanged('fulfilled'), unchanged('fulfilled')],
  ] as const)(
    'of a reservation that is %s, with and without onlyIfExpired',
    (_, fields, always, ifExpired) => {
      const state = stateOf({ reservations: [reservationState(fields)] });
      expect(decideRelease(state, 'ord_1', false)).toMatchObject(always);
      expect(decideRelease(state, 'ord_1', true)).toMatchObject(ifExpired);
    },
  );

  test('of a reservation that has not arrived records it as released', () => {
    const state = stateOf({});
    const { outcome, changes } = decideRelease(state, 'ord_1', false);
    expect(outcome).toBe('released');
    applyChanges(state, changes);
    expect(outcomeOf(state, reserveRequest(['a']))).toBe('CLOSED');
    expect(state.types.get('day')?.reserved).toBe(0);
  });
});

describe('a revocation', () => {
  test('cancels the active registrations that the order created, and nothing else', () => {
    const of = (orderId: string | null) => ({ orderId });
    const state = stateOf({
      registrations: [
        registrationState('a', 'confirmed', of('ord_1')),
        registrationState('b', 'pending', of('ord_1')),
        registrationState('c', 'rejected', of('ord_1')),
        registrationState('d', 'confirmed', of('ord_2')),
        registrationState('e', 'confirmed', of(null)),
      ],
    });
    expect(decideRevocation(state, 'ord_1').changes).toEqual([
      { kind: 'set_status', id: 'reg_a', to: 'cancelled', reason: null },
      { kind: 'set_status', id: 'reg_b', to: 'cancelled', reason: null },
      { kind: 'unlist_registrations', orderId: 'ord_1', registrationIds: null },
    ]);
  });

  test('removes the order’s add-ons from a registration that it did not create', () => {
    const fulfilment = { seats: [], addonRegistrationId: 'reg_a' };
    const state = stateOf({
      registrations: [registrationState('a', 'confirmed')],
      reservations: [reservationState({ state: 'fulfilled', fulfilment })],
    });
    expect(decideRevocation(state, 'ord_1').changes).toEqual([
      { kind: 'remove_addons', registrationId: 'reg_a', orderId: 'ord_1' },
      { kind: 'unlist_registrations', orderId: 'ord_1', registrationIds: null },
    ]);
  });
});
