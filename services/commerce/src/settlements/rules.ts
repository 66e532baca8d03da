import type { OrderState } from '../orders/rules.ts';

export type SettlementDecision =
  /** It pays for the order, which is then fulfilled. */
  | { outcome: 'accepted' }
  /** The order was given up: the money goes back. */
  | { outcome: 'late' }
  /** It is not what was asked for: the order stays, the money goes back. */
  | { outcome: 'mismatch' }
  /** The order is paid already, or was: the money goes back. */
  | { outcome: 'surplus' };

/**
 * What money means that a provider has received for an order. `asked` is what its payment page asked for.
 * Source: docs/rules.md, "Payments".
 */
export function decideSettlement(
  order: OrderState,
  asked: { amount: number; currency: string },
  received: { amount: number; currency: string },
): SettlementDecision {
  if (received.amount !== asked.amount || received.currency !== asked.currency) {
    return { outcome: 'mismatch' };
  }
  if (order.settlementId !== null) return { outcome: 'surplus' };
  if (order.status === 'cancelled') return { outcome: 'late' };
  if (['held', 'awaiting_payment', 'expired'].includes(order.status))
    return { outcome: 'accepted' };
  return { outcome: 'surplus' };
}
