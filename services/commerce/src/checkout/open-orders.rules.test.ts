import { describe, expect, test } from 'vitest';
import { decideUnchecked, groupByEvent } from './open-orders.rules.ts';

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

describe('decideUnchecked', () => {
  const at = (nowMs: number, position = '7') => ({ position, nowMs, maxAgeMs: 1000 });
  const checks = new Map([['a', { position: '7', atMs: 500 }]]);

  test.each([
    ['an order that was not checked', 'b', at(500), true],
    ['no order that was checked', 'a', at(1499), false],
    ['an order whose check is too old', 'a', at(1500), true],
    ['an order after a change of a registration', 'a', at(600, '8'), true],
    ['an order whose stream was replaced', 'a', at(600, '1'), true],
  ])('checks %s', (_, id, now, isUnchecked) => {
    expect(decideUnchecked([{ id }], checks, now)).toEqual(isUnchecked ? [{ id }] : []);
  });
});
