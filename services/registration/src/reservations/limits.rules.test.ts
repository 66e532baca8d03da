import { describe, expect, test } from 'vitest';
import {
  codeState,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import type { BuyerLimits, BuyerState } from '../seats/seats.rules.ts';
import { decideReservation, type ReserveRequest } from './reservations.rules.ts';

const request = (seats: number, fields: Partial<ReserveRequest> = {}): ReserveRequest => ({
  reservationId: 'ord_9',
  buyerEmail: 'buyer',
  seats: Array.from({ length: seats }, (_, n) => ({
    person: personOf(`guest${n}`),
    ticketTypeId: 'day',
    inBundle: false,
  })),
  addonIds: [],
  codeKey: null,
  acceptsApproval: true,
  reservationMs: 1000,
  ...fields,
});

const stateWith = (buyer: BuyerState, limits: Partial<BuyerLimits>) =>
  stateOf({ buyers: { buyer }, limits, types: [typeState({ capacity: 50 })] });

describe('the limits of a buyer', () => {
  test.each([
    ['the last reservation', { holds: 99, seats: 99 }, {}, 1, 'reserved'],
    ['no reservation beyond the default of 100', { holds: 100, seats: 0 }, {}, 1, 'TOO_MANY_HOLDS'],
    [
      'no hold for add-ons alone either',
      { holds: 2, seats: 0 },
      { maxHolds: 2 },
      0,
      'TOO_MANY_HOLDS',
    ],
    ['any number of seats by default', { holds: 0, seats: 9000 }, {}, 50, 'reserved'],
    ['the last seats', { holds: 1, seats: 2 }, { maxSeats: 4 }, 2, 'reserved'],
    ['no seat beyond the limit', { holds: 1, seats: 2 }, { maxSeats: 4 }, 3, 'TOO_MANY_SEATS'],
    [
      'no seat beyond a lowered limit',
      { holds: 1, seats: 9 },
      { maxSeats: 4 },
      1,
      'TOO_MANY_SEATS',
    ],
    ['add-ons alone at the limit of seats', { holds: 1, seats: 4 }, { maxSeats: 4 }, 0, 'reserved'],
  ] as const)('allow %s', (_, buyer, limits, seats, expected) => {
    const decision = decideReservation(stateWith(buyer, limits), request(seats));
    expect(decision.outcome === 'refused' ? decision.reason : decision.outcome).toBe(expected);
  });

  test('are reported with what is left', () => {
    const state = stateWith({ holds: 3, seats: 9 }, { maxHolds: 3, maxSeats: 4 });
    const holds = { outcome: 'refused', reason: 'TOO_MANY_HOLDS', limit: 3 };
    expect(decideReservation(state, request(1))).toEqual(holds);
    state.limits.maxHolds = 4;
    const seats = { outcome: 'refused', reason: 'TOO_MANY_SEATS', limit: 4, seatsLeft: 0 };
    expect(decideReservation(state, request(1))).toEqual(seats);
  });

  test('are checked after the code and before the seats', () => {
    const buyers = { buyer: { holds: 1, seats: 0 } };
    const types = [typeState({ capacity: 0 })];
    const state = stateOf({ buyers, limits: { maxHolds: 1 }, types, codes: [codeState()] });
    const reasonOf = (codeKey: string | null) => {
      const decision = decideReservation(state, request(2, { codeKey }));
      return decision.outcome === 'refused' ? decision.reason : decision.outcome;
    };
    expect(reasonOf('FRIEND')).toBe('CODE_USES_EXCEEDED');
    expect(reasonOf(null)).toBe('TOO_MANY_HOLDS');
  });

  test('do not apply to a repeated reservation', () => {
    const state = stateOf({
      reservations: [reservationState({ id: 'ord_9' })],
      limits: { maxHolds: 1 },
    });
    expect(decideReservation(state, request(1)).outcome).toBe('reserved');
  });
});

describe('the state of a buyer', () => {
  const reservation = reservationState({ seatCount: 3, seats: new Map([['day', 2]]) });

  test('counts the seats of a reservation, including those that require approval, until it is closed', () => {
    const state = stateOf({});
    applyChanges(state, [{ kind: 'reserve', reservation }]);
    expect(state.buyers.get('buyer')).toEqual({ holds: 1, seats: 3 });
    for (const to of ['expired', 'released'] as const) {
      applyChanges(state, [
        { kind: 'close_reservation', id: reservation.id, to, fulfilment: null },
      ]);
      expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 0 });
    }
  });

  test('counts the registrations of a fulfilled order for its buyer, until they are cancelled', () => {
    const state = stateOf({ reservations: [reservation] });
    const registration = {
      status: 'confirmed',
      ticketTypeId: 'day',
      redemptionCodeId: null,
    } as const;
    applyChanges(state, [
      { kind: 'close_reservation', id: reservation.id, to: 'fulfilled', fulfilment: null },
      { kind: 'register', person: personOf('guest'), orderId: reservation.id, ...registration },
    ]);
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 1 });
    applyChanges(state, [{ kind: 'set_status', id: 'reg_guest', to: 'cancelled', reason: null }]);
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 0 });
  });

  test('counts a registration without an order for its own email', () => {
    const state = stateOf({ registrations: [registrationState('buyer', 'pending')] });
    expect(state.buyers.get('buyer')).toEqual({ holds: 0, seats: 1 });
    applyChanges(state, [{ kind: 'set_status', id: 'reg_buyer', to: 'confirmed', reason: null }]);
    expect(state.buyers.get('buyer')?.seats).toBe(1);
    applyChanges(state, [{ kind: 'set_status', id: 'reg_buyer', to: 'rejected', reason: null }]);
    expect(state.buyers.get('buyer')?.seats).toBe(0);
  });
});
