import { storableIssue } from '@event-api/contracts/http/fields';
import type { OrderState } from '../orders/rules.ts';
/** The first field that PostgreSQL cannot store, such as one with a NUL; null when there is none. */
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
 * Whether a payment can have any consequence. A payment of another mode than `expected` is never used: test money
 * must not pay for an order in production.
 * Source: docs/rules.md, "Payments".
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
  /** It pays for the order, which is then fulfilled. A cancellation that is not decided yet is withdrawn. */
  | { outcome: 'accepted'; withdrawsCancel: boolean }
  /** The order was given up: the money goes back. */
  | { outcome: 'late' }
  /** It is not what was asked for: the order stays, the money goes back. */
  | { outcome: 'mismatch' }
  /** The order is paid already, or was: the money goes back. */
  | { outcome: 'surplus' };

/**
 * What money means that a provider has received for an order. `expected` is what its payment page asked for.
 * Source: docs/rules.md, "Payments".
 */
export function decideSettlement(
  order: OrderState,
  expected: { amount: number; currency: string },
  received: { amount: number; currency: string },
): SettlementDecision {
  if (received.amount !== expected.amount || received.currency !== expected.currency) {
    return { outcome: 'mismatch' };
  }
  if (order.settlementId !== null) return { outcome: 'surplus' };
  if (order.status === 'cancelled') return { outcome: 'late' };
  if (['held', 'awaiting_payment', 'expired'].includes(order.status)) {
    return { outcome: 'accepted', withdrawsCancel: order.intent === 'cancel' };
  }
  return { outcome: 'surplus' };
}
