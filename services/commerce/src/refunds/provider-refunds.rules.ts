import { mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';
import { atProviderCause, type ExistingRefund } from './refunds.rules.ts';

/** A refund of a settlement, as the provider reports it. */
export interface ReportedState {
  providerRefundId: string;
  /** The refund of this platform that it names. */
  refundId: string | null;
  amount: number;
  currency: string;
  state: 'done' | 'failed';
}

/** A due refund of which `amount` is paid; `rest` stays due as another refund. */
export interface CoveredRefund {
  refundId: string;
  amount: number;
  rest: number;
}

/** A refund that failed after it was done. As `owed`, a new due refund takes its place. */
export interface FailedRefund {
  refundId: string;
  as: 'failed' | 'owed';
}

export type ProviderRefundDecision =
  /**
   * The fulfilment of the order, other ticket types of its seats, or the response to a refund of this
   * platform are not stored yet.
   */
  | { outcome: 'wait' }
  | { outcome: 'unchanged' }
  /** It is not in the currency of its payment: nobody knows how much of it is back. */
  | { outcome: 'other_currency' }
  /** A refund of this platform is done. */
  | { outcome: 'complete'; refundId: string }
  /** It was made at the provider: it pays what is due, and `amount` more. */
  | { outcome: 'record'; covered: CoveredRefund[]; amount: number; withdrawnIds: string[] }
  | { outcome: 'fail'; refunds: FailedRefund[] };

interface PaidOrder extends Pick<OrderState, 'status' | 'settlementId'> {
  /** Whether its seats are getting other ticket types: what was quoted counts what is left. */
  isMoving: boolean;
}

interface StoredRefund extends ExistingRefund {
  providerRefundId: string | null;
}

/**
 * Decides what a refund that the provider reports changes about an order. A refund of this platform
 * is recognized by the id that it was sent with, and is never recorded twice. Any other one was made
 * at the provider. Like a refund of an operator it pays what is due of its payment first, oldest
 * first; the rest is a refund of its own. Together the refunds that are done never exceed the
 * payment, and a failed refund for which nothing is left of it is withdrawn. What exceeds the
 * payment is recorded when it is decided again after another refund has failed.
 *
 * A refund can fail after it was done. While its order is `paid`, a refund that somebody decided has
 * then failed, like one that is refused at once. Any other one is owed.
 */
export function decideProviderRefund(
  order: PaidOrder,
  settlement: { id: string; amount: number; currency: string },
  refunds: readonly StoredRefund[],
  reported: ReportedState,
): ProviderRefundDecision {
  // The payment of a change that is moving pays for the order from then on.
  const isOfOrder = order.settlementId === settlement.id;
  if ((isOfOrder && mayBecomePaid(order)) || order.isMoving) return { outcome: 'wait' };
  if (reported.currency !== settlement.currency) return { outcome: 'other_currency' };
  const ofPayment = refunds.filter(({ settlementId }) => settlementId === settlement.id);
  const recorded = ofPayment.filter(
    ({ state, providerRefundId }) =>
      state === 'done' && providerRefundId === reported.providerRefundId,
  );
  const own = ofPayment.find(
    ({ id, amount }) => id === reported.refundId && amount === reported.amount,
  );
  if (reported.state === 'failed') {
    if (own?.state === 'pending') return { outcome: 'wait' };
    if (recorded.length === 0) return { outcome: 'unchanged' };
    const refunds = recorded.map(({ id, cause }) => ({
      refundId: id,
      as: isKeptFailed(order, cause) ? ('failed' as const) : ('owed' as const),
    }));
    return { outcome: 'fail', refunds };
  }
  if (recorded.length === 0 && (own?.state === 'pending' || own?.state === 'due')) {
    return { outcome: 'complete', refundId: own.id };
  }
  return decideRecord(settlement.amount, ofPayment, reported.amount - sumOf(recorded, ['done']));
}

/**
 * An operator can repeat it, because a paid order counts what has failed as kept. Of any other order
 * only what is due can be refunded.
 */
const isKeptFailed = ({ status }: { status: string }, cause: string): boolean =>
  status === 'paid' && (cause === 'operator' || cause === atProviderCause);

function decideRecord(
  received: number,
  refunds: readonly StoredRefund[],
  missing: number,
): ProviderRefundDecision {
  const amount = Math.min(missing, received - sumOf(refunds, ['done']));
  if (amount <= 0) return { outcome: 'unchanged' };
  let left = amount;
  const covered: CoveredRefund[] = [];
  for (const due of refunds.filter(({ state }) => state === 'due')) {
    const paid = Math.min(due.amount, left);
    if (paid === 0) break;
    covered.push({ refundId: due.id, amount: paid, rest: due.amount - paid });
    left -= paid;
  }
  const committed = sumOf(refunds, ['done', 'pending', 'due']) + left;
  const withdrawnIds = refunds
    .filter((refund) => refund.state === 'failed' && refund.amount > received - committed)
    .map(({ id }) => id);
  return { outcome: 'record', covered, amount: left, withdrawnIds };
}

/** What becomes of a refused refund; `rest` is due as another refund in its place. */
export interface RefusalDecision {
  state: 'due' | 'failed' | 'withdrawn';
  amount: number;
  rest: number;
}

/**
 * Decides what becomes of a pending refund that the provider refuses: `received` is the amount of
 * its payment. It is not owed as far as a refund at the provider has returned the money meanwhile.
 * A part of it is owed as another refund, because the provider knows an id with one amount only.
 */
export function decideRefusal(
  order: Pick<OrderState, 'status'>,
  refund: Pick<ExistingRefund, 'id' | 'amount' | 'cause' | 'settlementId'>,
  received: number,
  refunds: readonly ExistingRefund[],
): RefusalDecision {
  const others = refunds.filter(
    ({ id, settlementId }) => id !== refund.id && settlementId === refund.settlementId,
  );
  const { amount } = refund;
  const left = Math.max(0, received - sumOf(others, ['done', 'pending', 'due']));
  if (left > 0 && isKeptFailed(order, refund.cause)) {
    return { state: 'failed', amount: Math.min(amount, left), rest: 0 };
  }
  if (amount <= left) return { state: 'due', amount, rest: 0 };
  return { state: 'withdrawn', amount, rest: left };
}

const sumOf = (
  refunds: readonly ExistingRefund[],
  states: readonly ExistingRefund['state'][],
): number =>
  refunds
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { amount }) => sum + amount, 0);
