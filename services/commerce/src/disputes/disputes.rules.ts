import type { DisputeStatus } from '@event-api/contracts/http/orders';
import { takesMoney } from '../orders/disputed-money.rules.ts';

/** What a provider says about a dispute at a moment. */
export interface DisputeState {
  status: DisputeStatus;
  amount: number;
  currency: string;
  reason: string | null;
  /** Until when it can be answered. */
  respondBy: Date | null;
  reportedAt: Date;
}

export type DisputeDecision =
  /** It is new, or this is a later state of it. */
  | { outcome: 'store' }
  | { outcome: 'unchanged' }
  /** It has another currency than before: nobody knows how much is disputed. */
  | { outcome: 'other_currency' };

// A bank may ask before it takes the money back. Both results are final until a later appeal.
const stages: Record<DisputeStatus, number> = {
  inquiry: 0,
  needs_response: 1,
  under_review: 2,
  won: 3,
  lost: 3,
};

/**
 * Decides what a report changes about a stored dispute. A dispute only goes forward: an earlier
 * stage that is reported late changes nothing. Within a stage the later report counts, and an equal
 * one changes nothing. A result is replaced by the opposite one only if the provider reports that
 * later, as after an appeal.
 */
export function decideDispute(
  stored: DisputeState | null,
  reported: DisputeState,
): DisputeDecision {
  if (!stored) return { outcome: 'store' };
  if (stored.currency !== reported.currency) return { outcome: 'other_currency' };
  const step = stages[reported.status] - stages[stored.status];
  const laterMs = reported.reportedAt.getTime() - stored.reportedAt.getTime();
  if (step > 0) return { outcome: 'store' };
  if (step < 0 || laterMs < 0 || isSame(stored, reported)) return { outcome: 'unchanged' };
  // Providers report whole seconds: only a result needs a later one.
  const isReversal = stored.status !== reported.status;
  return isReversal && laterMs === 0 ? { outcome: 'unchanged' } : { outcome: 'store' };
}

const isSame = (one: DisputeState, other: DisputeState): boolean =>
  one.status === other.status &&
  one.amount === other.amount &&
  one.reason === other.reason &&
  one.respondBy?.getTime() === other.respondBy?.getTime();

/** A dispute of a settlement. */
export interface SettlementDispute {
  settlementId: string;
  status: DisputeStatus;
  amount: number;
}

/** What disputes take of a settlement: `open` until they are decided, `lost` for good. */
export interface DisputedMoney {
  open: number;
  lost: number;
}

/** The money of a settlement that disputes take. */
export function disputedMoneyOf(
  settlementId: string | null,
  disputes: readonly SettlementDispute[],
): DisputedMoney {
  const taken = disputes.filter(
    (each) => each.settlementId === settlementId && takesMoney(each.status),
  );
  const lost = sumOf(taken.filter(({ status }) => status === 'lost'));
  return { open: sumOf(taken) - lost, lost };
}

/** What can still be paid back of a payment after lost disputes. */
export const remainsOf = (
  settlement: { id: string | null; amount: number },
  disputes: readonly SettlementDispute[],
): number => Math.max(0, settlement.amount - disputedMoneyOf(settlement.id, disputes).lost);

const sumOf = (items: readonly { amount: number }[]): number =>
  items.reduce((sum, { amount }) => sum + amount, 0);

/** The amount of refunds that are done or on their way. */
const sentAmount = (refunds: readonly { state: string; amount: number }[]): number =>
  sumOf(refunds.filter(({ state }) => state === 'done' || state === 'pending'));

/** A due refund whose buyer has got the money by a lost dispute; `rest` of it is still due. */
export interface CoveredRefund {
  refundId: string;
  rest: number;
}

/**
 * The due refunds of a settlement that are not owed any more because a lost dispute has returned
 * the money: those for which nothing is left, or a part only, the oldest first.
 */
export function coveredByLost(
  remains: number,
  refunds: readonly { id: string; state: string; amount: number }[],
): CoveredRefund[] {
  let left = remains - sentAmount(refunds);
  const covered: CoveredRefund[] = [];
  for (const { id: refundId, state, amount } of refunds) {
    if (state !== 'due') continue;
    const rest = Math.min(amount, Math.max(0, left));
    left -= rest;
    if (rest < amount) covered.push({ refundId, rest });
  }
  return covered;
}

/** A refund that is to be sent now. */
interface SentRefund {
  settlementId: string;
  amount: number;
}

/** The part of refunds that an open dispute holds back, with what is free of that payment. */
export interface HeldBack {
  disputed: number;
  free: number;
}

/**
 * Whether open disputes hold back refunds that are to be sent: the provider has the money of the
 * rest only. Refunds that are done or on their way count first. Null if nothing is held back.
 */
export function heldBackBy(
  settlement: { id: string; amount: number },
  disputes: readonly SettlementDispute[],
  committed: readonly { settlementId: string; state: string; amount: number }[],
  sent: readonly SentRefund[],
): HeldBack | null {
  const money = disputedMoneyOf(settlement.id, disputes);
  if (money.open === 0) return null;
  const ofPayment = ({ settlementId }: { settlementId: string }) => settlementId === settlement.id;
  const paid = sentAmount(committed.filter(ofPayment));
  const free = Math.max(0, remainsOf(settlement, disputes) - money.open - paid);
  return sumOf(sent.filter(ofPayment)) > free ? { disputed: money.open, free } : null;
}
