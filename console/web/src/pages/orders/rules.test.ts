import { describe, expect, test } from 'vitest';
import { order, refund } from '../../components/ledger/order.fixture.ts';
import {
  decideProgress,
  previewRefund,
  type RefundChoice,
  type RefundPreview,
  refundableOf,
  seatPrices,
} from './rules.ts';

test.each([
  ['held', 'placed', false],
  ['awaiting_payment', 'payment', false],
  ['expired', 'payment', true],
  ['cancelled', 'payment', true],
  ['paid', 'fulfilled', false],
  ['refund_due', 'paid', true],
  ['refunded', 'refunded', false],
] as const)('an order that is %s is at %s', (status, current, hasEnded) => {
  expect(decideProgress({ status, registrationIds: [] })).toEqual({ current, hasEnded });
});

test('refundableOf leaves out what is back or on its way', () => {
  const refunds = [
    refund('done', 1500, '2027-01-02T00:00:00Z'),
    refund('pending', 500, '2027-01-03T00:00:00Z'),
    refund('failed', 700, '2027-01-03T00:00:00Z'),
    refund('withdrawn', 900, '2027-01-03T00:00:00Z'),
  ];
  expect(refundableOf(order({ refunds }))).toBe(3000);
});

test('refundableOf leaves the payment of an order that was paid twice and refunded once', () => {
  const refunds = [{ ...refund('done', 5000, '2027-01-02T00:00:00Z'), cause: 'surplus' }];
  expect(refundableOf(order({ refunds }))).toBe(5000);
});

test('refundableOf of an order that was not fulfilled is what is due', () => {
  const refunds = [{ ...refund('due', 5000, '2027-01-02T00:00:00Z'), cause: 'late' }];
  const late = order({ status: 'refund_due', paidAt: null, refundDueAmount: 5000, refunds });
  expect(refundableOf(late)).toBe(5000);
  expect(previewRefund(late, { kind: 'all' })).toEqual({
    outcome: 'possible',
    amount: 5000,
    cancels: false,
  });
});

test('seatPrices divides a line by its seats', () => {
  const items = [
    { name: 'Seat', totalAmount: 5000, quantity: 2 },
    { name: 'Free', totalAmount: 0, quantity: 1 },
  ];
  expect(seatPrices(order({ items }))).toEqual([{ name: 'Seat', amount: 2500 }]);
});

describe('previewRefund', () => {
  const due = [refund('due', 700, '2027-01-02T00:00:00Z')];
  const partly = [refund('done', 2500, '2027-01-02T00:00:00Z')];
  test.each<[string, object, RefundChoice, RefundPreview]>([
    [
      'one of two seats keeps the registrations',
      {},
      { kind: 'amount', amount: 2500 },
      { outcome: 'possible', amount: 2500, cancels: false },
    ],
    [
      'the last seat cancels them',
      { refunds: partly },
      { kind: 'amount', amount: 2500 },
      { outcome: 'possible', amount: 2500, cancels: true },
    ],
    [
      'an amount that leaves nothing cancels them',
      {},
      { kind: 'amount', amount: 5000 },
      { outcome: 'possible', amount: 5000, cancels: true },
    ],
    [
      'everything cancels them',
      {},
      { kind: 'all' },
      { outcome: 'possible', amount: 5000, cancels: true },
    ],
    [
      'what is due is paid with an amount',
      { refundDueAmount: 700, refunds: due },
      { kind: 'amount', amount: 300 },
      { outcome: 'possible', amount: 1000, cancels: false },
    ],
    [
      'what is due alone keeps them',
      { refundDueAmount: 700, refunds: due },
      { kind: 'due' },
      { outcome: 'possible', amount: 700, cancels: false },
    ],
    [
      'more than what is left',
      { refunds: partly },
      { kind: 'amount', amount: 2501 },
      { outcome: 'too_high', left: 2500 },
    ],
    ['nothing', {}, { kind: 'amount', amount: 0 }, { outcome: 'no_amount' }],
    ['no number', {}, { kind: 'amount', amount: Number.NaN }, { outcome: 'no_amount' }],
  ])('%s', (_, values, choice, preview) => {
    expect(previewRefund(order(values), choice)).toEqual(preview);
  });
});
