import type { FoundOrder, Order, RefundPolicy } from '../../api/records.ts';
import { isOfOtherPayment } from './ledger.rules.ts';

/**
 * What is left of the payment of an order, without refunds that are done, on their way or due. A
 * refund that has failed can be repeated.
 */
export function leftOf({ status, refunds, ...paid }: FoundOrder): number {
  if (status !== 'paid') return 0;
  const committed = refunds
    .filter((refund) => !isOfOtherPayment(refund))
    .filter(({ state }) => state !== 'failed' && state !== 'withdrawn')
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, paidOf(paid) - committed);
}

/**
 * What waits for an operator. A refund that is on its way to the buyer is due as well, and cannot
 * be sent again.
 */
export const dueOf = ({ refunds, currency }: FoundOrder): number =>
  refunds
    .filter((refund) => refund.state === 'due' && refund.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0);

/** Whether the policy of the event no longer promises a refund. */
export const isOutsidePolicy = (
  policy: Pick<NonNullable<RefundPolicy>, 'refundableUntil'> | null | undefined,
  now: Date,
): boolean => policy?.refundableUntil != null && Date.parse(policy.refundableUntil) < now.getTime();

type OwnRefund = FoundOrder['refunds'][number];

/**
 * What the provider refused of a request: refunds that have failed since, and what stays due.
 * `after` are the refunds then.
 */
export function refusedBy(before: readonly OwnRefund[], after: readonly OwnRefund[]): OwnRefund[] {
  const failedBefore = new Set(
    before.filter(({ state }) => state === 'failed').map(({ id }) => id),
  );
  return after.filter(
    ({ id, state, failure }) =>
      (state === 'failed' && !failedBefore.has(id)) || (state === 'due' && failure !== null),
  );
}

/** What an order has brought in: nothing before it is paid. */
export const netOf = ({
  paidAt,
  refundedAmount,
  ...paid
}: Pick<Order, 'paidAt' | 'totalAmount' | 'changesAmount' | 'refundedAmount'>): number | null =>
  paidAt === null ? null : Math.max(0, paidOf(paid) - refundedAmount);

/** What a paid order and its changes have cost. */
export const paidOf = ({
  totalAmount,
  changesAmount,
}: Pick<Order, 'totalAmount' | 'changesAmount'>): number => totalAmount + changesAmount;

/** The status of an order as people read it: one of which a part is paid back says so. */
export const shownStatus = ({
  status,
  refundedAmount,
  ...paid
}: Pick<Order, 'status' | 'totalAmount' | 'changesAmount' | 'refundedAmount'>):
  | Order['status']
  | 'partly_refunded' => {
  if (status !== 'paid' || refundedAmount === 0) return status;
  return refundedAmount < paidOf(paid) ? 'partly_refunded' : 'refunded';
};
