import type { OrderStatus } from '@event-api/contracts/http/orders';
import { expect, test } from 'vitest';
import type { Seat } from '../orders/lines.rules.ts';
import { countsOf } from './limits.rules.ts';

const seat = (ticketTypeId: string, fields: Partial<Seat> = {}): Seat => ({
  ...{ ticketTypeId, email: 'a@example.com', name: null, inBundle: false, amount: 100 },
  ...fields,
});

function orderOf(...seats: Seat[]) {
  const registrationIds = seats.map((_, n) => `reg_${n + 1}`);
  return {
    ...{ id: 'ord_1', currency: 'EUR', status: 'paid' as OrderStatus, intent: null },
    ...{
      settlementId: null,
      payments: [],
      refundPolicy: null,
      holdExpired: true,
      eventCancelledAt: null,
    },
    ...{
      isMoving: false,
      totalAmount: 0,
      addons: [],
      cancelledAddons: [],
      addonRegistrationId: null,
    },
    lines: [
      {
        ...{ itemType: 'registration_type' as const, itemId: 'week', quantity: seats.length },
        ...{ unitAmount: 100, firstSeat: 0, seatCount: seats.length, totalAmount: 0 },
        ...{ attendees: [], registrationIds, unfulfilledRegistrationIds: [] },
      },
    ],
    ...{ seats, registrationStatuses: { reg_5: 'cancelled' as const }, cancelledSeatIds: [] },
  };
}

const to = (seatId: string, ticketTypeId: string) => ({ seatId, ticketTypeId });
const count = (ticketTypeId: string, before: number, after: number, isBundled = false) => ({
  ...{ ticketTypeId, before, after, isBundled },
});

const changed = { changedTo: { ticketTypeId: 'day', amount: 50 } };
const week = seat('week');
const bundled = seat('week', { inBundle: true });

test.each<[string, Seat[], Parameters<typeof countsOf>[1], object[]]>([
  [
    'each type that a seat leaves or gets, and no other',
    [week, week, seat('night'), seat('day')],
    { cancelSeats: [], changeTypes: [to('seat_1_1', 'day')] },
    [count('week', 2, 1), count('day', 1, 2)],
  ],
  [
    'seats as earlier changes have left them',
    [week, seat('week', changed)],
    { cancelSeats: [], changeTypes: [to('seat_1_1', 'day')] },
    [count('week', 1, 0, true), count('day', 1, 2)],
  ],
  [
    'no seat that is cancelled, by the change or before',
    [week, week, week, seat('week', { isCancelled: true }), week],
    { cancelSeats: ['seat_1_2'], changeTypes: [to('seat_1_1', 'day')] },
    [count('week', 2, 1), count('day', 0, 1)],
  ],
  [
    'seats that are left in bundles only',
    [week, bundled],
    { cancelSeats: [], changeTypes: [to('seat_1_1', 'day')] },
    [count('week', 2, 1, true), count('day', 0, 1)],
  ],
  [
    'a seat that leaves its bundle as one by itself',
    [bundled, bundled],
    { cancelSeats: [], changeTypes: [to('seat_1_1', 'day')] },
    [count('week', 2, 1, true), count('day', 0, 1)],
  ],
  [
    'nothing where seats swap their types',
    [week, seat('day')],
    { cancelSeats: [], changeTypes: [to('seat_1_1', 'day'), to('seat_1_2', 'week')] },
    [count('week', 1, 1), count('day', 1, 1)],
  ],
  ['nothing of a change of the previous release', [week], { cancelSeats: ['seat_1_1'] }, []],
])('a change counts %s', (_, seats, request, counts) => {
  expect(countsOf(orderOf(...seats), request)).toEqual(counts);
});
