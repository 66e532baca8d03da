import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { describe, expect, test } from 'vitest';
import { orderSeatsOf } from './order-seats.rules.ts';

const seat = (email: string, amount: number) => ({
  ticketTypeId: 'tt_1',
  email,
  name: null,
  inBundle: false,
  amount,
});
const line = (firstSeat: number, seatCount: number, registrationIds: string[]) => ({
  firstSeat,
  seatCount,
  totalAmount: 0,
  registrationIds,
  unfulfilledRegistrationIds: registrationIds.filter((id) => id.startsWith('other')),
});

/** Two seats of one item and one of the third; the second item has no seats. */
const orderOf = (
  status: OrderStatus,
  registrationStatuses: Record<string, RegistrationStatus> = {},
  ids: string[] = [],
) => ({
  id: 'ord_01abc',
  status,
  registrationStatuses,
  cancelledSeatIds: [] as string[],
  lines: [line(0, 2, ids.slice(0, 2)), line(2, 0, []), line(2, 1, ids.slice(2))],
  seats: [seat('a@example.com', 300), seat('b@example.com', 300), seat('c@example.com', 50)],
  addons: [],
  addonRegistrationId: null,
});

test('each seat has an id of its own, its item, its price and its registration', () => {
  const seats = orderSeatsOf(orderOf('paid', {}, ['reg_1', 'reg_2', 'reg_3']));
  expect(seats).toEqual(
    [
      ['seat_01abc_1', 0, 'reg_1', 300],
      ['seat_01abc_2', 0, 'reg_2', 300],
      ['seat_01abc_3', 2, 'reg_3', 50],
    ].map(([id, itemIndex, registrationId, amount]) => ({
      id,
      itemIndex,
      ticketTypeId: 'tt_1',
      status: 'assigned',
      registrationId,
      amount,
    })),
  );
});

describe('before the order is fulfilled, its seats', () => {
  test.each<[OrderStatus, string]>([
    ['held', 'assigned'],
    ['awaiting_payment', 'assigned'],
    ['cancelled', 'cancelled'],
    ['expired', 'cancelled'],
    ['refund_due', 'cancelled'],
    ['refunded', 'cancelled'],
  ])('are, while it is %s, %s', (status, expected) => {
    expect(orderSeatsOf(orderOf(status)).map((each) => each.status)).toEqual(
      Array(3).fill(expected),
    );
  });
});

test.each<[string, RegistrationStatus | undefined, string]>([
  ['is pending', 'pending', 'assigned'],
  ['is confirmed', 'confirmed', 'assigned'],
  ['waits', 'waitlisted', 'assigned'],
  ['is not known', undefined, 'assigned'],
  ['was rejected', 'rejected', 'cancelled'],
  ['was cancelled', 'cancelled', 'cancelled'],
])(
  'a seat whose registration %s is as that says, in a refunded order, too',
  (_, status, expected) => {
    const statuses: Record<string, RegistrationStatus> = status ? { reg_2: status } : {};
    for (const of of ['paid', 'refunded'] as const) {
      const seats = orderSeatsOf(orderOf(of, statuses, ['reg_1', 'reg_2', 'reg_3']));
      expect(seats.map((each) => each.status)).toEqual(['assigned', expected, 'assigned']);
    }
  },
);

describe('a seat that was sold without an attendee', () => {
  const { lines, seats, ...order } = orderOf('paid');
  const openIn = (status: OrderStatus, holder?: string) => ({
    ...order,
    status,
    lines: [line(0, 1, holder ? [holder] : [])],
    seats: [seat('', 300)],
  });

  test.each<[OrderStatus, string]>([
    ['held', 'open'],
    ['awaiting_payment', 'open'],
    ['expired', 'cancelled'],
    ['cancelled', 'cancelled'],
  ])('is, before the order is fulfilled and while it is %s, %s', (status, expected) => {
    expect(orderSeatsOf(openIn(status))).toMatchObject([
      { id: 'seat_01abc_1', status: expected, registrationId: null, amount: 300 },
    ]);
  });

  test.each<[OrderStatus, string]>([
    ['paid', 'open'],
    ['refund_due', 'cancelled'],
    ['refunded', 'cancelled'],
    ['cancelled', 'cancelled'],
  ])('is in a fulfilled order that is %s, until it is assigned, %s', (status, expected) => {
    expect(orderSeatsOf(openIn(status, 'seat_01abc_1'))).toMatchObject([
      { status: expected, registrationId: null },
    ]);
  });

  test('is cancelled if it was cancelled alone', () => {
    const paid = openIn('paid', 'seat_01abc_1');
    for (const [id, status] of [
      ['seat_01abc_1', 'cancelled'],
      ['seat_01abc_2', 'open'],
    ] as const) {
      expect(orderSeatsOf({ ...paid, cancelledSeatIds: [id] })).toMatchObject([{ status }]);
    }
  });

  test('is assigned once it has a registration', () => {
    expect(orderSeatsOf(openIn('paid', 'reg_1'))).toMatchObject([
      { status: 'assigned', registrationId: 'reg_1' },
    ]);
  });
});

test('a seat whose attendee had registered elsewhere is cancelled', () => {
  const statuses = { other_1: 'confirmed' } as const;
  const seats = orderSeatsOf(orderOf('paid', statuses, ['reg_1', 'other_1', 'reg_3']));
  expect(seats.map((each) => each.status)).toEqual(['assigned', 'cancelled', 'assigned']);
});
