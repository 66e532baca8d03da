import { remainsOf, type SettlementDispute } from '../disputes/disputes.rules.ts';

/** The money of an order: its accepted payments, and what disputes take of them. */
export interface PaidMoney {
  /** The newest first. */
  payments: readonly { id: string; amount: number }[];
  /** Missing before any. */
  disputes?: readonly SettlementDispute[];
}

/** The part of a refund that one payment returns. */
export interface RefundPart {
  settlementId: string;
  amount: number;
}

interface CommittedRefund {
  settlementId: string;
  state: string;
  amount: number;
}

/**
 * What is left of each payment, without refunds that are due or on their way, and without what the
 * buyer has got by lost disputes.
 */
export const leftOfEach = (
  { payments, disputes = [] }: PaidMoney,
  refunds: readonly CommittedRefund[],
): RefundPart[] =>
  payments.map((payment) => {
    const left = remainsOf(payment, disputes) - committedAmount(payment.id, refunds);
    return { settlementId: payment.id, amount: Math.max(0, left) };
  });

/**
 * Divides a refund among the payments of an order: the newest one returns what is left of it, then
 * the one before. So what a change has cost is paid back before the order is. The parts always sum
 * to the amount: what exceeds all that is left, because a dispute was lost since the refund was
 * decided, is of the first payment. Without a payment there is no part.
 */
export function splitRefund(
  money: PaidMoney,
  refunds: readonly CommittedRefund[],
  amount: number,
): RefundPart[] {
  let rest = amount;
  const left = leftOfEach(money, refunds);
  const parts = left.map(({ settlementId, amount: free }, n) => {
    const part = n === left.length - 1 ? rest : Math.min(rest, free);
    rest -= part;
    return { settlementId, amount: part };
  });
  return parts.filter((part) => part.amount > 0);
}

const committedAmount = (settlementId: string, refunds: readonly CommittedRefund[]): number =>
  refunds
    .filter((refund) => refund.settlementId === settlementId)
    .filter(({ state }) => state !== 'failed' && state !== 'withdrawn')
    .reduce((sum, { amount }) => sum + amount, 0);
