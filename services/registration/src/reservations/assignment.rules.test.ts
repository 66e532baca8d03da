import { describe, expect, test } from 'vitest';
import {
  addonState,
  codeState,
  fromNow,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import type { AdmissionState, ReservationState } from '../seats/seats.rules.ts';
import { decideAssignment, repeats } from './assignment.rules.ts';

const orderId = 'ord_1';
const seatId = 'seat_1_1';
const held = { registrationId: seatId, created: true, amount: 500 };

const order = reservationState({
  state: 'fulfilled',
  fulfilment: { seats: [held], addonRegistrationId: seatId, addonRegistrationIds: [[seatId]] },
});
const openSeat = (fields: Partial<ReservationState> = {}) =>
  reservationState({
    id: seatId,
    expiresAt: null,
    buyerEmail: null,
    openSeat: { orderId, ticketTypeId: 'day' },
    ...fields,
  });

const assign = (state: AdmissionState, email = 'a', seat = seatId) =>
  decideAssignment(state, { orderId, seatId: seat, person: personOf(email) });

const assignedTo = (registrationId: string) => ({
  state: 'fulfilled' as const,
  fulfilment: { seats: [{ registrationId, created: true }], addonRegistrationId: null },
});

type Details = Parameters<typeof repeats>[0];
const details = (name: string | null, responses: string | null): Details => ({ name, responses });

describe('an open seat', () => {
  test('becomes the confirmed registration of its person, with its code and its add-ons', () => {
    const seats = new Map([
      ['day', 1],
      ['lunch', 2],
    ]);
    const state = stateOf({
      types: [typeState({ capacity: 1, status: 'closed' })],
      addons: [addonState({ capacity: 2 })],
      codes: [codeState()],
      reservations: [order, openSeat({ seats, redemptionCodeId: 'code_1', codeUses: 1 })],
    });
    expect(state.types.get('day')).toMatchObject({ confirmed: 0, reserved: 1 });
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 1 });
    const decision = assign(state);
    expect(decision).toMatchObject({
      outcome: 'assigned',
      registrationId: 'reg_a',
      status: 'confirmed',
    });
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    expect(state.types.get('day')).toMatchObject({ confirmed: 1, reserved: 0 });
    expect(state.addons.get('lunch')).toMatchObject({ confirmed: 2, reserved: 0 });
    expect(state.codes.get('FRIEND')?.uses).toBe(1);
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 1 });
    expect(state.registrations.get('reg_a')).toMatchObject({
      orderId,
      redemptionCodeId: 'code_1',
      buyerEmail: 'buyer',
      ticketTypeId: 'day',
    });
    expect(state.reservations.get(orderId)?.fulfilment).toEqual({
      seats: [{ ...held, registrationId: 'reg_a' }],
      addonRegistrationId: 'reg_a',
      addonRegistrationIds: [['reg_a']],
    });
  });

  test('of a type that requires approval becomes an application', () => {
    const state = stateOf({
      types: [typeState({ requiresApproval: true })],
      reservations: [order, openSeat({ seats: new Map() })],
    });
    const decision = assign(state);
    expect(decision).toMatchObject({ outcome: 'assigned', status: 'pending' });
    applyChanges(state, 'changes' in decision ? decision.changes : []);
    expect(state.types.get('day')).toMatchObject({ confirmed: 0, reserved: 0 });
  });

  test('that was assigned to the same person is assigned again without a change', () => {
    const state = stateOf({
      registrations: [registrationState('a', 'pending', { orderId })],
      reservations: [order, openSeat(assignedTo('reg_a'))],
    });
    expect(assign(state)).toEqual({
      outcome: 'assigned',
      registrationId: 'reg_a',
      status: 'pending',
      changes: [],
    });
  });
});

test.each<[string, Details, Details, boolean]>([
  ['the same', details('Ada', '{"a":1}'), details('Ada', '{"a":1}'), true],
  ['none', details(null, null), details('Ada', '{"a":1}'), true],
  ['another name', details('Eve', null), details('Ada', null), false],
  ['a name where none is stored', details('Ada', null), details(null, null), false],
  ['other responses', details(null, '{"a":2}'), details('Ada', '{"a":1}'), false],
  ['responses where none are stored', details(null, '{"a":1}'), details(null, null), false],
])('an assignment with %s repeats the first one or not', (_, asked, stored, expected) => {
  expect(repeats(asked, stored)).toBe(expected);
});

describe('no seat is assigned', () => {
  const b = registrationState('b', 'confirmed', { orderId });
  const cancelled = registrationState('a', 'cancelled', { orderId });
  test.each<[string, Parameters<typeof stateOf>[0], object]>([
    [
      'that another person has',
      { registrations: [b], reservations: [order, openSeat(assignedTo('reg_b'))] },
      { outcome: 'not_open', seat: 'assigned' },
    ],
    [
      'that another person has to somebody who is registered elsewhere',
      {
        registrations: [b, registrationState('a', 'confirmed')],
        reservations: [order, openSeat(assignedTo('reg_b'))],
      },
      { outcome: 'not_open', seat: 'assigned' },
    ],
    [
      'whose registration was cancelled',
      { registrations: [cancelled], reservations: [order, openSeat(assignedTo('reg_a'))] },
      { outcome: 'not_open', seat: 'assigned' },
    ],
    [
      'that was revoked',
      { reservations: [order, openSeat({ state: 'released' })] },
      { outcome: 'not_open', seat: 'cancelled' },
    ],
    ['that does not exist', { reservations: [order] }, { outcome: 'unknown' }],
    [
      'of another order',
      { reservations: [order, openSeat({ openSeat: { orderId: 'ord_2', ticketTypeId: 'day' } })] },
      { outcome: 'unknown' },
    ],
    [
      'of an order that is not fulfilled',
      { reservations: [reservationState(), openSeat()] },
      { outcome: 'unknown' },
    ],
    [
      'of an archived event',
      { eventStatus: 'archived', reservations: [order, openSeat()] },
      { outcome: 'event_archived' },
    ],
    [
      'of an event that has ended',
      { eventEndsAt: fromNow(0), reservations: [order, openSeat()] },
      { outcome: 'event_ended' },
    ],
    [
      'to a person who is registered',
      { registrations: [registrationState('a', 'waitlisted')], reservations: [order, openSeat()] },
      { outcome: 'attendee_registered' },
    ],
  ])('%s', (_, state, expected) => {
    expect(assign(stateOf(state))).toEqual(expected);
  });

  test('before the end of the event is too late', () => {
    const state = stateOf({ eventEndsAt: fromNow(1), reservations: [order, openSeat()] });
    expect(assign(state).outcome).toBe('assigned');
  });
});
