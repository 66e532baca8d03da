import { describe, expect, test } from 'vitest';
import {
  addonState,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  typeState,
} from '../../test/states.ts';
import { findChangedLimit } from './order-limits.rules.ts';
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

describe('a change of ticket types', () => {
  const count = (before: number, after: number, isBundled = false) => ({
    ...{ ticketTypeId: 'day', before, after, isBundled },
  });
  const find = (limits: object, counts: Parameters<typeof findChangedLimit>[1]) =>
    findChangedLimit(new Map([['day', typeState(limits)]]), counts);
  const tooFew = (requested: number) => ({
    ...{ outcome: 'refused', reason: below, ticketTypeId: 'day', limit: 3, requested },
  });
  const tooMany = (requested: number) => ({ ...tooFew(requested), reason: above });

  test.each<[string, object, Parameters<typeof count>, object | null]>([
    ['leaves the minimum', { minPerOrder: 3 }, [4, 3], null],
    ['leaves fewer', { minPerOrder: 3 }, [3, 2], tooFew(2)],
    ['leaves none', { minPerOrder: 3 }, [3, 0], null],
    ['leaves fewer, all in bundles', { minPerOrder: 3 }, [3, 2, true], null],
    ['leaves still fewer', { minPerOrder: 3 }, [2, 1], tooFew(1)],
    ['comes nearer to the minimum', { minPerOrder: 3 }, [1, 2], null],
    ['leaves fewer as they are', { minPerOrder: 3 }, [2, 2], null],
    ['gives the first seats, and too few', { minPerOrder: 3 }, [0, 2], tooFew(2)],
    ['gives the first seats, and enough', { minPerOrder: 3 }, [0, 3], null],
    ['gives the maximum', { maxPerOrder: 3 }, [2, 3], null],
    ['gives more', { maxPerOrder: 3 }, [3, 4], tooMany(4)],
    ['gives more, in bundles too', { maxPerOrder: 3 }, [3, 4, true], tooMany(4)],
    ['gives still more', { maxPerOrder: 3 }, [4, 5], tooMany(5)],
    ['leaves too many as they are', { maxPerOrder: 3 }, [4, 4], null],
    ['comes nearer to the maximum', { maxPerOrder: 3 }, [5, 4], null],
  ])('that %s', (_, limits, counts, expected) => {
    expect(find(limits, [count(...counts)])).toEqual(expected);
  });

  test('is judged by the limits of each type', () => {
    const other = { ...count(9, 1), ticketTypeId: 'other' };
    expect(find({ maxPerOrder: 3 }, [other, count(3, 4)])).toEqual(tooMany(4));
  });
});
