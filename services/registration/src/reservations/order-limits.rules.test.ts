import { describe, expect, test } from 'vitest';
import {
  addonState,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { decideReservation } from './reservations.rules.ts';

type Limits = { minPerOrder?: number | null; maxPerOrder?: number | null };

/** Seats as `day`, or `day in bundle`; units as a quantity, negative for those of a bundle. */
function decide(limits: Limits, seats: string[], units: number[] = []) {
  const state = stateOf({
    types: [typeState(limits), typeState({ id: 'night' })],
    addons: [addonState(limits)],
    registrations: [registrationState('buyer', 'confirmed', { ticketTypeId: 'night' })],
  });
  const decision = decideReservation(state, {
    reservationId: 'ord_1',
    buyerEmail: 'buyer',
    seats: seats.map((seat, n) => {
      const [ticketTypeId = 'day', inBundle] = seat.split(' in ');
      return { person: personOf(`p${n}`), ticketTypeId, inBundle: inBundle === 'bundle' };
    }),
    addonIds: units.length > 0 ? ['lunch'] : [],
    addonUnits: units.map((quantity) => ({
      addonId: 'lunch',
      quantity: Math.abs(quantity),
      inBundle: quantity < 0,
    })),
    codeKey: null,
    acceptsApproval: false,
    reservationMs: 1000,
  });
  if (decision.outcome !== 'refused') return decision.outcome;
  const { outcome: _, ...refusal } = decision;
  return refusal;
}

const below = 'BELOW_ORDER_MINIMUM';
const above = 'ABOVE_ORDER_MAXIMUM';

describe('an order', () => {
  test.each<[string, Limits, string[], object | 'reserved']>([
    ['has the minimum', { minPerOrder: 2 }, ['day', 'day'], 'reserved'],
    ['has the maximum', { maxPerOrder: 2 }, ['day', 'day'], 'reserved'],
    ['has no limits', {}, ['day'], 'reserved'],
    ['has none of the type', { minPerOrder: 2 }, ['night'], 'reserved'],
    [
      'has fewer seats',
      { minPerOrder: 2 },
      ['night', 'day'],
      { reason: below, seat: 1, limit: 2, requested: 1 },
    ],
    [
      'has more seats',
      { maxPerOrder: 1 },
      ['night', 'day', 'day'],
      { reason: above, seat: 1, limit: 1, requested: 2 },
    ],
    ['has fewer seats, all in bundles', { minPerOrder: 2 }, ['day in bundle'], 'reserved'],
    ['reaches the minimum with a bundle', { minPerOrder: 2 }, ['day', 'day in bundle'], 'reserved'],
    [
      'exceeds the maximum with a bundle',
      { maxPerOrder: 1 },
      ['day in bundle', 'day'],
      { reason: above, seat: 0, limit: 1, requested: 2 },
    ],
  ])('that %s', (_, limits, seats, expected) => {
    expect(decide(limits, seats)).toEqual(expected);
  });

  test.each<[string, Limits, number[], object | 'reserved']>([
    ['has the minimum of two lines', { minPerOrder: 3 }, [1, 2], 'reserved'],
    [
      'has fewer units',
      { minPerOrder: 3 },
      [2],
      { reason: below, unit: 0, limit: 3, requested: 2 },
    ],
    [
      'has more units',
      { maxPerOrder: 3 },
      [2, 2],
      { reason: above, unit: 0, limit: 3, requested: 4 },
    ],
    ['has fewer units, all in bundles', { minPerOrder: 3 }, [-2], 'reserved'],
    [
      'has fewer units by themselves and in bundles',
      { minPerOrder: 4 },
      [-2, 1],
      { reason: below, unit: 1, limit: 4, requested: 3 },
    ],
  ])('of an add-on that %s', (_, limits, units, expected) => {
    expect(decide(limits, [], units)).toEqual(expected);
  });

  test('takes an offered seat whatever the limits are, which counts for them', () => {
    const offer = reservationState({
      id: 'offer_1',
      buyerEmail: null,
      seatCount: 0,
      offer: { registrationId: 'reg_waiting', takenBy: null },
    });
    const order = (...emails: string[]) => {
      const waiting = registrationState('waiting', 'waitlisted', { offerId: 'offer_1' });
      const state = stateOf({
        types: [typeState({ minPerOrder: 2, maxPerOrder: 2, priceAmount: 1 })],
        registrations: [waiting],
        reservations: [offer],
        buyers: { waiting: { holds: 0, seats: 0 } },
      });
      const decision = decideReservation(state, {
        reservationId: 'ord_1',
        buyerEmail: 'waiting',
        seats: emails.map((email) => ({
          person: personOf(email),
          ticketTypeId: 'day',
          inBundle: false,
        })),
        addonIds: [],
        codeKey: null,
        acceptsApproval: false,
        reservationMs: 1000,
      });
      return decision.outcome === 'refused' ? decision.reason : decision.outcome;
    };
    expect(order('waiting')).toBe('reserved');
    expect(order('waiting', 'a', 'b')).toBe(above);
  });
});
