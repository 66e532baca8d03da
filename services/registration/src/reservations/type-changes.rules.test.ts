import { describe, expect, test } from 'vitest';
import {
  addonState,
  codeState,
  fromNow,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { decideBatch } from '../admission/decide-batch.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import type { RegistrationState, ReservationState, TypeState } from '../seats/seats.rules.ts';
import { decideTypeChange, type TypeChangeDecision } from './type-changes.rules.ts';

const orderId = 'ord_1';
const held = (registrationId: string) => ({ registrationId, created: true, amount: 500 });

const order = reservationState({
  state: 'fulfilled',
  fulfilment: {
    seats: ['reg_a', 'reg_b', 'seat_1_3'].map(held),
    addonRegistrationId: null,
  },
});
const openSeat = (fields: Partial<ReservationState> = {}) =>
  reservationState({
    ...{ id: 'seat_1_3', expiresAt: null, buyerEmail: null, seats: new Map([['week', 1]]) },
    openSeat: { orderId, ticketTypeId: 'week' },
    ...fields,
  });
const ofOrder = (email: string, fields: Partial<RegistrationState> = {}) =>
  registrationState(email, fields.status ?? 'confirmed', {
    ...{ ticketTypeId: 'week', orderId, redemptionCodeId: 'code_1' },
    ...fields,
  });

/** An order of the confirmed `reg_a` and `reg_b` and of an open seat, all of the type `week`. */
function state({
  day = {},
  week = {},
  others = [],
  a = {},
  seat = {},
  ...fields
}: {
  day?: Partial<TypeState>;
  week?: Partial<TypeState>;
  others?: RegistrationState[];
  a?: Partial<RegistrationState>;
  seat?: Partial<ReservationState>;
} & Partial<ReturnType<typeof stateOf>> = {}) {
  const read = stateOf({
    types: [typeState({ id: 'week', ...week }), typeState({ capacity: 2, ...day })],
    addons: [addonState()],
    codes: [codeState({ ticketTypeId: 'week', maxUses: 3 })],
    registrations: [ofOrder('a', a), ofOrder('b'), ...others],
    reservations: [order, openSeat(seat)],
  });
  return Object.assign(read, fields);
}

const request = (...holderIds: string[]) => ({
  ...{ orderId, changeId: 'quo_1', isFinal: true, again: false, counts: [] },
  seats: holderIds.map((holderId) => ({ holderId, ticketTypeId: 'day', amount: 200 })),
});
const decide = (read: ReturnType<typeof state>, ...holderIds: string[]): TypeChangeDecision =>
  decideTypeChange(read, request(...holderIds));

const refused = (reason: string, fields: object = {}) => ({
  ...{ outcome: 'refused', reason },
  ...fields,
});

describe('seats of an order', () => {
  test('get another type together, and keep their ids, code and order', () => {
    const read = state();
    const decision = decide(read, 'reg_a', 'seat_1_3');
    expect(decision.outcome).toBe('changed');
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.types.get('week')).toMatchObject({ confirmed: 1, reserved: 0 });
    expect(read.types.get('day')).toMatchObject({ confirmed: 1, reserved: 1 });
    expect(read.registrations.get('reg_a')).toMatchObject({
      ...{ status: 'confirmed', ticketTypeId: 'day', orderId, redemptionCodeId: 'code_1' },
    });
    expect(read.reservations.get('seat_1_3')).toMatchObject({
      openSeat: { orderId, ticketTypeId: 'day' },
      seats: new Map([['day', 1]]),
    });
    // A later change of the registration is compared with what is paid for it now.
    expect(read.reservations.get(orderId)?.fulfilment?.seats.map(({ amount }) => amount)).toEqual([
      200, 500, 200,
    ]);
    expect(decide(read, 'reg_a', 'seat_1_3')).toEqual({ outcome: 'changed', changes: [] });
  });

  test('of which an open one has add-ons keep them', () => {
    const seats = new Map([
      ['week', 1],
      ['lunch', 2],
    ]);
    const read = state({ seat: { seats } });
    const decision = decide(read, 'seat_1_3');
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.addons.get('lunch')).toMatchObject({ reserved: 2 });
    expect(read.reservations.get('seat_1_3')?.seats).toEqual(
      new Map([
        ['lunch', 2],
        ['day', 1],
      ]),
    );
  });

  test('go to the waitlist of their former type in the same decision', () => {
    const waiting = registrationState('w', 'waitlisted', { ticketTypeId: 'week' });
    const read = state({ week: { capacity: 3, allowWaitlist: true }, others: [waiting] });
    const { results } = decideBatch(read, [{ kind: 'change_types', input: request('reg_a') }]);
    expect(results).toMatchObject([{ outcome: 'changed' }]);
    expect(read.registrations.get('reg_w')).toMatchObject({ status: 'confirmed' });
    expect(read.types.get('week')).toMatchObject({ confirmed: 2, reserved: 1, waitlisted: 0 });
  });

  test('that wait for an approval are confirmed', () => {
    const read = state({ a: { status: 'pending' } });
    const decision = decide(read, 'reg_a');
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.registrations.get('reg_a')).toMatchObject({
      ...{ status: 'confirmed', ticketTypeId: 'day' },
    });
    expect(read.types.get('week')).toMatchObject({ confirmed: 1 });
  });

  test('that have the type already need no seat', () => {
    const read = state({ day: { capacity: 1 }, a: { ticketTypeId: 'day' } });
    expect(decide(read, 'reg_a')).toMatchObject({ outcome: 'changed' });
  });

  test('leave their place in a capacity that both types share', () => {
    const hall = { id: 'hall', capacity: 3, taken: 0 };
    const read = state({ day: { group: hall }, week: { group: hall } });
    expect(decide(read, 'reg_a', 'reg_b')).toMatchObject({ outcome: 'changed' });
  });

  const full = { others: [registrationState('x', 'confirmed')] };
  const soldOut = (seat = 0) => refused('SOLD_OUT', { seat });
  const waitingForDay = registrationState('w', 'waitlisted');
  test.each<[string, TypeChangeDecision, object]>([
    ['together need as many seats', decide(state(full), 'reg_a', 'reg_b'), soldOut(1)],
    [
      'come behind the waitlist',
      decide(state({ day: { allowWaitlist: true }, others: [waitingForDay] }), 'reg_a'),
      soldOut(),
    ],
    [
      'need a place in the capacity of the new type',
      decide(state({ day: { group: { id: 'hall', capacity: 0, taken: 0 } } }), 'reg_a'),
      soldOut(),
    ],
    [
      'that have an offer keep it',
      decide(state({ a: { status: 'waitlisted', offerId: 'off_1' } }), 'reg_a'),
      soldOut(),
    ],
    [
      'get no type that is closed',
      decide(state({ day: { status: 'closed' } }), 'reg_a'),
      refused('NOT_ON_SALE', { seat: 0, block: 'closed' }),
    ],
    [
      'get no type before its sale',
      decide(state({ day: { opensAt: fromNow(1) } }), 'reg_a'),
      refused('NOT_ON_SALE', { seat: 0, block: 'not_open_yet' }),
    ],
    [
      'get no type after its sale',
      decide(state({ day: { closesAt: fromNow(0) } }), 'reg_a'),
      refused('NOT_ON_SALE', { seat: 0, block: 'sale_ended' }),
    ],
    [
      'get no type that requires approval',
      decide(state({ day: { requiresApproval: true } }), 'reg_a'),
      refused('NOT_ON_SALE', { seat: 0, block: 'requires_approval' }),
    ],
    [
      'that are cancelled get none',
      decide(state({ a: { status: 'cancelled' } }), 'reg_b', 'reg_a'),
      refused('SEAT_CANCELLED', { seat: 1 }),
    ],
    [
      'that are released get none',
      decide(state({ seat: { state: 'released' } }), 'seat_1_3'),
      refused('SEAT_CANCELLED', { seat: 0 }),
    ],
    [
      'of another order get none',
      decide(state({ a: { orderId: 'ord_2' } }), 'reg_a'),
      refused('SEAT_CANCELLED', { seat: 0 }),
    ],
    [
      'get none in an archived event',
      decide(state({ eventStatus: 'archived' }), 'reg_a'),
      refused('EVENT_ARCHIVED'),
    ],
    [
      'get none after the event',
      decide(state({ eventEndsAt: fromNow(0) }), 'reg_a'),
      refused('EVENT_ENDED'),
    ],
  ])('%s', (_, decision, expected) => {
    expect(decision).toMatchObject(expected);
  });

  test('keep the limits per order', () => {
    const counts = [{ ticketTypeId: 'week', before: 3, after: 2, isBundled: false }];
    const limited = () => state({ week: { minPerOrder: 3 } });
    const change = { ...request('reg_a'), counts };
    const limit = { ticketTypeId: 'week', limit: 3, requested: 2 };
    expect(decideTypeChange(limited(), change)).toMatchObject(
      refused('BELOW_ORDER_MINIMUM', limit),
    );
    // A change that has happened before a restore has broken none.
    expect(decideTypeChange(limited(), { ...change, again: true })).toMatchObject({
      outcome: 'changed',
    });
  });

  test('of an order that registration does not have are not decided', () => {
    const read = state();
    read.reservations.delete(orderId);
    expect(decide(read, 'reg_a')).toEqual({ outcome: 'unknown' });
    read.reservations.set(orderId, reservationState());
    expect(decide(read, 'reg_a')).toEqual({ outcome: 'unknown' });
  });

  test('of a reservation that is released for good get none', () => {
    const read = state();
    read.reservations.set(orderId, reservationState({ state: 'released' }));
    expect(decide(read, 'reg_a')).toEqual(refused('SEAT_CANCELLED', { seat: 0, changes: [] }));
  });
});

describe('a refusal', () => {
  test('changes nothing, and stays when a seat becomes free', () => {
    const read = state({ day: { capacity: 0 } });
    const decision = decide(read, 'reg_a', 'reg_b');
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.registrations.get('reg_a')).toMatchObject({ ticketTypeId: 'week' });
    const day = read.types.get('day');
    if (day) day.capacity = 5;
    expect(decide(read, 'reg_a', 'reg_b')).toEqual(refused('CLOSED', { changes: [] }));
    const another = { ...request('reg_a'), changeId: 'quo_2' };
    expect(decideTypeChange(read, another)).toMatchObject({ outcome: 'changed' });
  });

  test('that a newer projection may overrule is not stored', () => {
    const decision = decideTypeChange(state({ day: { capacity: 0 } }), {
      ...request('reg_a'),
      isFinal: false,
    });
    expect(decision).toEqual(refused('SOLD_OUT', { seat: 0, changes: [] }));
  });
});

describe('a change that has happened before a restore', () => {
  const again = (read: ReturnType<typeof state>) =>
    decideTypeChange(read, { ...request('reg_a', 'seat_1_3'), isFinal: false, again: true });

  test.each<[string, Parameters<typeof state>[0]]>([
    ['a closed type', { day: { status: 'closed' } }],
    ['a type that requires approval since', { day: { requiresApproval: true } }],
    ['an archived event', { eventStatus: 'archived' }],
    ['an event that has ended', { eventEndsAt: fromNow(0) }],
  ])('is applied again in %s, and once', (_, fields) => {
    const read = state(fields);
    const decision = again(read);
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.registrations.get('reg_a')).toMatchObject({ ticketTypeId: 'day' });
    expect(read.types.get('day')).toMatchObject({ confirmed: 1, reserved: 1 });
    expect(again(read)).toEqual({ outcome: 'changed', changes: [] });
  });

  test('leaves out seats that have ended', () => {
    const read = state({ a: { status: 'cancelled' } });
    const decision = again(read);
    applyChanges(read, 'changes' in decision ? decision.changes : []);
    expect(read.registrations.get('reg_a')).toMatchObject({ ticketTypeId: 'week' });
    expect(read.types.get('day')).toMatchObject({ confirmed: 0, reserved: 1 });
  });

  test('never takes a seat that there is not, and can be tried again', () => {
    const read = state({ day: { capacity: 1 } });
    expect(again(read)).toEqual(refused('SOLD_OUT', { seat: 1, changes: [] }));
    read.types.delete('day');
    const archived = { seat: 0, block: 'archived', changes: [] };
    expect(again(read)).toEqual(refused('NOT_ON_SALE', archived));
  });
});
