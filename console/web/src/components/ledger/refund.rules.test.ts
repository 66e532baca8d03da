import { expect, test } from 'vitest';
import { netOf, shownStatus } from './refund.rules.ts';

test.each([
  ['paid', 0, 'paid'],
  ['paid', 2500, 'partly_refunded'],
  ['paid', 5000, 'refunded'],
  ['refunded', 5000, 'refunded'],
  ['refund_due', 100, 'refund_due'],
] as const)(
  'an order that is %s, of which %i are refunded, reads %s',
  (status, refundedAmount, expected) => {
    expect(shownStatus({ status, totalAmount: 4000, changesAmount: 1000, refundedAmount })).toBe(
      expected,
    );
  },
);

test('a free order is not refunded', () => {
  expect(shownStatus({ status: 'paid', totalAmount: 0, changesAmount: 0, refundedAmount: 0 })).toBe(
    'paid',
  );
});

test('the net of an order is what is left of its payment', () => {
  const order = { totalAmount: 4000, changesAmount: 1000, refundedAmount: 1500 };
  expect(netOf({ ...order, paidAt: '2027-01-01T00:00:00Z' })).toBe(3500);
  expect(netOf({ ...order, paidAt: '2027-01-01T00:00:00Z', refundedAmount: 9000 })).toBe(0);
  expect(netOf({ ...order, paidAt: null, refundedAmount: 0 })).toBeNull();
});
