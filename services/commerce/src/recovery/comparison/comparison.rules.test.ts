import type { OrderStatus } from '@event-api/contracts/http/orders';
import { expect, test } from 'vitest';
import { alignPages, type Comparison, compareOrder } from './comparison.rules.ts';

const order = (status: OrderStatus, isRevoked = false) => ({
  status,
  isRevoked,
  registrationIds: ['reg_listed'],
  revokedIds: ['reg_revoked'],
  retainedIds: ['reg_kept', 'reg_revoked'],
});
const active = { active: ['reg_active'] };
const inactive = { active: [] };

const summary = (comparison: Comparison) =>
  comparison.outcome === 'differs'
    ? [comparison.difference, comparison.repair, ...comparison.registrationIds]
    : comparison.outcome;

test.each<[OrderStatus, withoutReservation: unknown, withActiveSeats: unknown]>([
  ['held', 'consistent', 'consistent'],
  ['awaiting_payment', 'consistent', 'consistent'],
  ['paid', ['paid_without_seats', 'fulfil', 'reg_listed'], 'consistent'],
  ['refund_due', 'consistent', 'consistent'],
  ['refunded', 'consistent', 'consistent'],
  ['cancelled', 'consistent', ['seats_of_closed_order', null, 'reg_active']],
  ['expired', 'consistent', ['seats_of_closed_order', null, 'reg_active']],
])(
  'an order that is %s without a fulfilled reservation is %j, with active registrations %j',
  (status, without, withSeats) => {
    expect(summary(compareOrder(order(status), null))).toEqual(without);
    expect(summary(compareOrder(order(status), active))).toEqual(withSeats);
    expect(compareOrder(order(status), inactive)).toEqual({ outcome: 'consistent' });
  },
);

test.each(['refunded', 'cancelled'] as const)(
  'the seats of an order that is %s are cancelled again if they were cancelled before',
  (status) => {
    const revoked = { ...order(status, true), retainedIds: [] };
    expect(summary(compareOrder(revoked, active))).toEqual([
      'seats_of_refunded_order',
      'revoke',
      'reg_active',
    ]);
  },
);

test('registrations that a refund kept are no difference, and others are left to a person', () => {
  const refunded = order('refunded', true);
  expect(summary(compareOrder(refunded, { active: ['reg_kept'] }))).toBe('consistent');
  const back = { active: ['reg_kept', 'reg_revoked'] };
  expect(summary(compareOrder(refunded, back))).toEqual([
    'seats_of_refunded_order',
    null,
    'reg_revoked',
  ]);
});

test('a registration of a paid order that is active again after its refund is left to a person', () => {
  const again = { active: ['reg_active', 'reg_revoked'] };
  expect(summary(compareOrder(order('paid'), again))).toEqual([
    'seats_of_refunded_order',
    null,
    'reg_revoked',
  ]);
});

test('registrations whose order is lost are left to a person', () => {
  expect(summary(compareOrder(null, active))).toEqual(['seats_without_order', null, 'reg_active']);
  expect(compareOrder(null, inactive)).toEqual({ outcome: 'consistent' });
});

test.each<[orders: string, reservations: string, rows: string, next: string | null]>([
  ['', '', '', null],
  ['ab', 'b', 'a- bb', null],
  ['b', 'ab', '-a bb', null],
  ['abc', 'abc', 'aa bb cc', 'c'],
  ['abc', 'bd', 'a- bb c-', 'c'],
  ['bd', 'abc', '-a bb -c', 'c'],
  ['abf', 'bcd', 'a- bb -c -d', 'd'],
  ['bcd', 'abf', '-a bb c- d-', 'd'],
])(
  'pages of three rows %j and %j are aligned as %j up to %j',
  (orders, reservations, rows, next) => {
    const rowsOf = (ids: string) => [...ids].map((orderId) => ({ orderId }));
    const page = alignPages(rowsOf(orders), rowsOf(reservations), 3);
    const text = page.rows
      .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))
      .map(({ order, reservation }) => `${order?.orderId ?? '-'}${reservation?.orderId ?? '-'}`);
    expect([text.join(' '), page.next]).toEqual([rows, next]);
  },
);
