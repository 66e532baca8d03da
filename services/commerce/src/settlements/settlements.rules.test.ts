import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import { describe, expect, test } from 'vitest';
import type { OrderState } from '../orders/orders.rules.ts';
import { decideSettlement, decideUse, unstorableIssue } from './settlements.rules.ts';

const order = (fields: Partial<OrderState>): OrderState => ({
  status: 'awaiting_payment',
  intent: null,
  totalAmount: 500,
  settlementId: null,
  holdExpired: false,
  ...fields,
});

const price = { amount: 500, currency: 'EUR' };

/** The decision about a payment of the expected amount, per status of the order. */
const decisions: Record<OrderStatus, { withoutSettlement: string; withSettlement: string }> = {
  held: { withoutSettlement: 'accepted', withSettlement: 'surplus' },
  awaiting_payment: { withoutSettlement: 'accepted', withSettlement: 'surplus' },
  expired: { withoutSettlement: 'accepted', withSettlement: 'surplus' },
  cancelled: { withoutSettlement: 'late', withSettlement: 'surplus' },
  paid: { withoutSettlement: 'surplus', withSettlement: 'surplus' },
  refund_due: { withoutSettlement: 'surplus', withSettlement: 'surplus' },
  refunded: { withoutSettlement: 'surplus', withSettlement: 'surplus' },
};

describe('decideSettlement', () => {
  test.each(orderStatuses)('decides a payment for an order with the status %s', (status) => {
    const { withoutSettlement, withSettlement } = decisions[status];
    const decide = (settlementId: string | null) =>
      decideSettlement(order({ status, settlementId }), price, price).outcome;
    expect([decide(null), decide('stl_1')]).toEqual([withoutSettlement, withSettlement]);
  });

  test.each([
    ['a lower amount', { amount: 499, currency: 'EUR' }],
    ['a higher amount', { amount: 501, currency: 'EUR' }],
    ['another currency', { amount: 500, currency: 'USD' }],
  ])('rejects %s as a mismatch in every status', (_, received) => {
    for (const status of orderStatuses) {
      for (const settlementId of [null, 'stl_1']) {
        const state = order({ status, settlementId });
        const hasEnded = status === 'cancelled' || status === 'expired';
        expect(decideSettlement(state, price, received)).toEqual({ outcome: 'mismatch', hasEnded });
      }
    }
  });

  test.each([
    ['withdraws an undecided cancellation', 'cancel', true],
    ['keeps a decided cancellation', 'release', false],
    ['withdraws nothing without a cancellation', null, false],
  ] as const)('accepts a payment and %s', (_, intent, withdrawsCancel) => {
    expect(decideSettlement(order({ intent }), price, price)).toEqual({
      outcome: 'accepted',
      withdrawsCancel,
    });
  });
});

describe('decideUse', () => {
  test.each([
    ['accepts the expected test mode', 1, false, false, null],
    ['accepts the expected live mode', 1, true, true, null],
    ['accepts a payment without a mode', 1, null, true, null],
    ['rejects the amount 0', 0, false, false, 'zero_amount'],
    ['rejects a negative amount', -1, false, false, 'zero_amount'],
    ['rejects test mode where live mode is expected', 1, false, true, 'livemode_mismatch'],
    ['rejects live mode where test mode is expected', 1, true, false, 'livemode_mismatch'],
    ['reports the mode before the amount', 0, true, false, 'livemode_mismatch'],
  ])('%s', (_, amount, livemode, expected, reason) => {
    expect(decideUse({ amount, livemode }, { livemode: expected })).toEqual(
      reason === null ? { outcome: 'usable' } : { outcome: 'unusable', reason },
    );
  });
});

describe('unstorableIssue', () => {
  const notification = {
    notificationId: 'evt_1',
    kind: 'paid',
    sessionId: 'cs_1',
    orderId: 'ord_1',
    attemptId: 'pay_1',
    livemode: false,
    payment: { paymentId: 'pi_1', amount: 5, currency: 'EUR' },
  } as const;
  const nul = 'a\0b';
  const issue = 'must not contain NUL';

  test.each([
    ['nothing without a NUL', {}, null],
    ['nothing without a payment', { payment: null }, null],
    ['a NUL in the id', { notificationId: nul }, { field: 'notificationId', issue }],
    ['a NUL in the session', { sessionId: nul }, { field: 'sessionId', issue }],
    ['a NUL in the order', { orderId: nul }, { field: 'orderId', issue }],
    ['a NUL in the attempt', { attemptId: nul }, { field: 'attemptId', issue }],
    [
      'a NUL in the payment',
      { payment: { ...notification.payment, paymentId: nul } },
      { field: 'paymentId', issue },
    ],
    [
      'a NUL in the currency',
      { payment: { ...notification.payment, currency: nul } },
      { field: 'currency', issue },
    ],
    [
      'half a surrogate pair',
      { notificationId: '\ud800' },
      { field: 'notificationId', issue: 'must be well-formed Unicode' },
    ],
  ])('reports %s', (_, fields, expected) => {
    expect(unstorableIssue({ ...notification, ...fields })).toEqual(expected);
  });
});
