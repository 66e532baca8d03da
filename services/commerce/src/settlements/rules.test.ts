import { describe, expect, it } from 'vitest';
import { decideUse, unstorableIssue } from './rules.ts';

describe('a settlement', () => {
  it.each([
    ['is usable in the expected mode', 1, false, false, null],
    ['is usable in live mode where that is expected', 1, true, true, null],
    ['is usable when the provider does not say its mode', 1, null, true, null],
    ['of amount 0 is unusable', 0, false, false, 'zero_amount'],
    ['of a negative amount is unusable', -1, false, false, 'zero_amount'],
    ['of test mode is unusable in live mode', 1, false, true, 'livemode_mismatch'],
    ['of live mode is unusable in test mode', 1, true, false, 'livemode_mismatch'],
    ['names the mode first', 0, true, false, 'livemode_mismatch'],
  ])('%s', (_, amount, livemode, expected, reason) => {
    expect(decideUse({ amount, livemode }, { livemode: expected })).toEqual(
      reason === null ? { outcome: 'usable' } : { outcome: 'unusable', reason },
    );
  });
});

describe('a notification', () => {
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

  it.each([
    ['without NUL', {}, null],
    ['without a payment', { payment: null }, null],
    ['with NUL in its id', { notificationId: nul }, { field: 'notificationId', issue }],
    ['with NUL in its session', { sessionId: nul }, { field: 'sessionId', issue }],
    ['with NUL in its order', { orderId: nul }, { field: 'orderId', issue }],
    ['with NUL in its attempt', { attemptId: nul }, { field: 'attemptId', issue }],
    [
      'with NUL in its payment',
      { payment: { ...notification.payment, paymentId: nul } },
      { field: 'paymentId', issue },
    ],
    [
      'with NUL in its currency',
      { payment: { ...notification.payment, currency: nul } },
      { field: 'currency', issue },
    ],
    [
      'with half a surrogate pair',
      { notificationId: '\ud800' },
      { field: 'notificationId', issue: 'must be well-formed Unicode' },
    ],
  ])('%s can be stored, or names the field', (_, fields, expected) => {
    expect(unstorableIssue({ ...notification, ...fields })).toEqual(expected);
  });
});
