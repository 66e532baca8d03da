import { describe, expect, test } from 'vitest';
import { groupByEvent } from './open-pages.rules.ts';

const order = (id: string, eventId: string, seatCount = 1) => ({
  id,
  businessUnitId: 'unit_1',
  eventId,
  seats: Array(seatCount).fill({}),
});

const idsOf = (groups: ReturnType<typeof groupByEvent<ReturnType<typeof order>>>) =>
  groups.map(({ scope, orders }) => [scope.eventId, ...orders.map(({ id }) => id)]);

describe('groupByEvent', () => {
  test.each([
    ['no order', [], []],
    [
      'orders of two events',
      [order('a', 'evt_1'), order('b', 'evt_2'), order('c', 'evt_1')],
      [
        ['evt_1', 'a', 'c'],
        ['evt_2', 'b'],
      ],
    ],
    [
      'more than 200 seats of an event',
      [order('a', 'evt_1', 100), order('b', 'evt_1', 100), order('c', 'evt_1', 1)],
      [
        ['evt_1', 'a', 'b'],
        ['evt_1', 'c'],
      ],
    ],
  ])('divides %s', (_, orders, expected) => {
    expect(idsOf(groupByEvent(orders))).toEqual(expected);
  });

  test('divides more than 100 orders of add-ons', () => {
    const orders = Array.from({ length: 101 }, (_, n) => order(`${n}`, 'evt_1', 0));
    expect(groupByEvent(orders).map((group) => group.orders.length)).toEqual([100, 1]);
  });
});
