import type { Fulfilment } from '@event-api/contracts/internal/seats';
import type { RefundState } from '@event-api/contracts/operator/refunds';
import type { Seat } from '../orders/placing/rules.ts';

/**
 * What is owed for the seats of an order whose people had registered elsewhere when it was fulfilled.
 * It is all of the money when nothing of the order could be fulfilled.
 */
export function decideSeatsOwed(
  order: { seats: readonly Seat[]; totalAmount: number },
  { seats, addonRegistrationId }: Pick<Fulfilment, 'seats' | 'addonRegistrationId'>,
): { amount: number; isAll: boolean } {
  // Neither a seat, nor add-ons for anybody.
  if (addonRegistrationId === null && seats.every(({ made }) => !made)) {
    return { amount: order.totalAmount, isAll: order.totalAmount > 0 };
  }
  const amount = order.seats.reduce(
    (sum, seat, n) => (seats[n]?.made === false ? sum + seat.amount : sum),
    0,
  );
  return { amount, isAll: false };
}

export type RefundDecision =
  | { outcome: 'refund'; dueIds: string[]; amount: number }
  | { outcome: 'nothing' }
  | { outcome: 'too_high'; left: number };

interface Kept {
  id: string;
  state: RefundState;
  amount: number;
  settlementId: string;
}

/**
 * What an operator's refund of an order comes to: all that is due, and beyond it `asked`, which
 * may be nothing, or without it the rest of what was paid. Never more than was paid, with what is still on its way.
 * Source: docs/rules.md, "Payments".
 */
export function decideRefund(
  order: { status: string; settlementId: string | null },
  paid: number,
  refunds: readonly Kept[],
  asked: number | undefined,
): RefundDecision {
  const dueIds = refunds.filter(({ state }) => state === 'due').map(({ id }) => id);
  const left = order.status === 'paid' ? paid - spentOf(order.settlementId, refunds) : 0;
  if (asked !== undefined && asked > left) {
    return left === 0 && dueIds.length === 0
      ? { outcome: 'nothing' }
      : { outcome: 'too_high', left };
  }
  const amount = asked ?? left;
  return amount === 0 && dueIds.length === 0
    ? { outcome: 'nothing' }
    : { outcome: 'refund', dueIds, amount };
}

const spentOf = (settlementId: string | null, refunds: readonly Kept[]): number =>
  refunds
    .filter((refund) => refund.settlementId === settlementId && refund.state !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

/** Whether all the money of an order is back, so that nothing of it is left. */
export function isRefundedWhole(
  order: { status: string; settlementId: string | null },
  paid: number,
  refunds: readonly Kept[],
): boolean {
  if (order.status === 'refund_due') return refunds.every(({ state }) => state === 'done');
  const back = refunds
    .filter(({ settlementId, state }) => settlementId === order.settlementId && state === 'done')
    .reduce((sum, { amount }) => sum + amount, 0);
  return order.status === 'paid' && order.settlementId !== null && back === paid;
}
