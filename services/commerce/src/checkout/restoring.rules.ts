import type { RefundState } from '@event-api/contracts/operator/refunds';
import { isRestoring, type OrderState } from '../orders/orders.rules.ts';
import type { SeatRefund } from '../refunds/refunds.rules.ts';
import { leftOfEach, type PaidMoney } from '../refunds/split.rules.ts';
import { attendeeRegistered } from '../refunds/withdrawal.rules.ts';

interface ExistingRefund {
  settlementId: string;
  state: RefundState;
  cause: string;
  amount: number;
}

export type RestoreDecision =
  | { outcome: 'unchanged' }
  /** The order has its seats again. `owed` is due for those that it does not get. */
  | { outcome: 'restored'; owed: number; status: 'paid' | 'refund_due' }
  /** The seats are gone. `owed` is what is left of the payments. */
  | { outcome: 'lost'; owed: number; status: 'refund_due' | 'refunded' | 'cancelled' };

/**
 * Decides what becomes of a paid order whose seats were lost in a restore. `unfulfilled` is the
 * price of the seats that it does not get again, because their attendees have registered meanwhile;
 * null if it gets no seat, because they are no longer available. Refunds never exceed the payments.
 */
export function decideRestore(
  order: OrderState & PaidMoney,
  refunds: readonly ExistingRefund[],
  unfulfilled: Pick<SeatRefund, 'amount' | 'isAll'> | null,
): RestoreDecision {
  if (!isRestoring(order)) return { outcome: 'unchanged' };
  const counted = refunds.filter(
    ({ settlementId, state }) =>
      order.payments.some(({ id }) => id === settlementId) &&
      state !== 'failed' &&
      state !== 'withdrawn',
  );
  const left = sumOf(leftOfEach(order, refunds));
  if (unfulfilled) {
    const owedBefore = sumOf(counted.filter(({ cause }) => cause === attendeeRegistered));
    const owed = Math.min(left, Math.max(0, unfulfilled.amount - owedBefore));
    const isOwedAll = order.payments.length > 0 && unfulfilled.isAll;
    return { outcome: 'restored', owed, status: isOwedAll ? 'refund_due' : 'paid' };
  }
  if (order.payments.length === 0) return { outcome: 'lost', owed: 0, status: 'cancelled' };
  const isOpen = left > 0 || counted.some(({ state }) => state !== 'done');
  return { outcome: 'lost', owed: left, status: isOpen ? 'refund_due' : 'refunded' };
}

const sumOf = (refunds: readonly { amount: number }[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);
