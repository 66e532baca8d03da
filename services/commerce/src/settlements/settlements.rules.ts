import { storableIssue } from '@event-api/contracts/http/fields';
import { mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';

/** Returns the first field that PostgreSQL cannot store, such as one with a NUL, or null. */
export function unstorableIssue({
  payment,
  ...fields
}: {
  payment: object | null;
}): { field: string; issue: string } | null {
  for (const [field, value] of Object.entries({ ...fields, ...payment })) {
    const issue = typeof value === 'string' ? storableIssue(value) : null;
    if (issue) return { field, issue };
  }
  return null;
}

export const unusableReasons = ['zero_amount', 'livemode_mismatch'] as const;
export type UnusableReason = (typeof unusableReasons)[number];

export type UseDecision = { outcome: 'usable' } | { outcome: 'unusable'; reason: UnusableReason };

/**
 * Decides whether a payment may have any effect. A payment of another mode than `expected` has
 * none: test money must not pay for an order in production.
 */
export function decideUse(
  { amount, livemode }: { amount: number; livemode: boolean | null },
  expected: { livemode: boolean },
): UseDecision {
  if (livemode !== null && livemode !== expected.livemode) {
    return { outcome: 'unusable', reason: 'livemode_mismatch' };
  }
  return amount > 0 ? { outcome: 'usable' } : { outcome: 'unusable', reason: 'zero_amount' };
}

export type SettlementDecision =
  /** It pays for the order, which is then fulfilled. An undecided cancellation is withdrawn. */
  | { outcome: 'accepted'; withdrawsCancel: boolean }
  /** The order is cancelled: the money is refunded. */
  | { outcome: 'late' }
  /**
   * Amount or currency differ from the payment: the money is refunded. An open order is unchanged;
   * one that has ended becomes `refund_due`.
   */
  | { outcome: 'mismatch'; hasEnded: boolean }
  /**
   * The order cannot become paid by it: another settlement pays or paid for the order, or the order
   * already owes its money back. The money is refunded.
   */
  | { outcome: 'surplus' };

/**
 * Decides what a captured payment does to an order. `expected` are the amount and currency of its
 * payment page.
 */
export function decideSettlement(
  order: OrderState,
  expected: { amount: number; currency: string },
  received: { amount: number; currency: string },
): SettlementDecision {
  if (received.amount !== expected.amount || received.currency !== expected.currency) {
    const hasEnded = order.status === 'cancelled' || order.status === 'expired';
    return { outcome: 'mismatch', hasEnded };
  }
  if (order.settlementId !== null) return { outcome: 'surplus' };
  if (order.status === 'cancelled') return { outcome: 'late' };
  if (mayBecomePaid(order)) {
    return { outcome: 'accepted', withdrawsCancel: order.intent === 'cancel' };
  }
  return { outcome: 'surplus' };
}
