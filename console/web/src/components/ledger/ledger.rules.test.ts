import { describe, expect, test } from 'vitest';
import { ledgerOf } from './ledger.rules.ts';
import { order, refund } from './order.fixture.ts';

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

  test('shows the payment of an order that came too late', () => {
    const due = { ...refund('due', 5000, '2027-01-02T00:00:00Z'), cause: 'late' };
    const entries = ledgerOf(order({ status: 'refund_due', paidAt: null, refunds: [due] }));
    expect(entries.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['payment', 5000, 5000],
      ['refund', -5000, 5000],
    ]);
  });
});
