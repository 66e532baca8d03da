import { describe, expect, test } from 'vitest';
import type { FoundOrder } from '../../api/records.ts';
import { decideProgress, ledgerOf, refundableOf, seatPrices } from './rules.ts';

const refund = (state: string, amount: number, at: string) => ({
  id: `rfd_${at}`,
  state,
  amount,
  createdAt: at,
  doneAt: state === 'done' ? at : null,
  reason: null,
  failure: null,
});

const order = (values: object): FoundOrder =>
  ({
    id: 'ord_1',
    status: 'paid',
    totalAmount: 5000,
    refundDueAmount: 0,
    paidAt: '2027-01-01T00:00:00Z',
    items: [],
    registrationIds: [],
    refunds: [],
    ...values,
  }) as unknown as FoundOrder;

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

describe('ledgerOf', () => {
  test('adds up what has moved', () => {
    const refunds = [
      refund('done', 1500, '2027-01-02T00:00:00Z'),
      refund('due', 500, '2027-01-03T00:00:00Z'),
    ];
    const entries = ledgerOf(order({ refunds }));
    expect(entries.map(({ amount, balance }) => [amount, balance])).toEqual([
      [5000, 5000],
      [-1500, 3500],
      [-500, 3500],
    ]);
  });

  test('is empty without a payment', () => {
    expect(ledgerOf(order({ paidAt: null }))).toEqual([]);
    expect(ledgerOf(order({ totalAmount: 0 }))).toEqual([]);
  });
});

test('refundableOf leaves out what is back or on its way', () => {
  const refunds = [
    refund('done', 1500, '2027-01-02T00:00:00Z'),
    refund('pending', 500, '2027-01-03T00:00:00Z'),
    refund('withdrawn', 900, '2027-01-03T00:00:00Z'),
  ];
  expect(refundableOf(order({ refunds }))).toBe(3000);
});

test('seatPrices divides a line by its seats', () => {
  const items = [
    { name: 'Seat', totalAmount: 5000, quantity: 2 },
    { name: 'Free', totalAmount: 0, quantity: 1 },
  ];
  expect(seatPrices(order({ items }))).toEqual([{ name: 'Seat', amount: 2500 }]);
});
