import type { FoundOrder } from '../../api/records.ts';

/** A movement of money of an order, with the balance after it. Positive amounts are payments. */
export interface LedgerEntry {
  id: string;
  at: string;
  kind: 'payment' | 'refund';
  state: string;
  amount: number;
  note: string | null;
  balance: number;
}

/**
 * Causes of refunds of money that did not pay for the order: it came too late, twice, or in another
 * amount.
 */
const otherPayments = ['late', 'mismatch', 'surplus', 'unusable'];

/** Whether a refund pays back money that did not pay for its order. */
export const isOfOtherPayment = ({ cause }: { cause: string }): boolean =>
  otherPayments.includes(cause);

/**
 * The money that has arrived. What did not pay for the order is known by its refund, which has the
 * same amount.
 */
function paymentsOf({
  id,
  paidAt,
  totalAmount,
  changesAmount,
  refunds,
}: FoundOrder): Omit<LedgerEntry, 'balance'>[] {
  const payment = (of: string, at: string, amount: number) =>
    ({ id: `${of} payment`, at, kind: 'payment', state: 'succeeded', amount, note: null }) as const;
  return [
    ...(paidAt !== null && totalAmount > 0 ? [payment(id, paidAt, totalAmount)] : []),
    // The time of a payment of a change is not known.
    ...(paidAt !== null && changesAmount > 0
      ? [payment(`${id} changes`, paidAt, changesAmount)]
      : []),
    ...refunds
      .filter((refund) => isOfOtherPayment(refund) || paidAt === null)
      .map((refund) => payment(refund.id, refund.createdAt, refund.amount)),
  ];
}

/** Payments and refunds in the order of time. Only money that has moved changes the balance. */
export function ledgerOf(order: FoundOrder): LedgerEntry[] {
  const refunds = order.refunds.map(
    ({ id, amount, state, createdAt, doneAt, reason, failure }) => ({
      id,
      at: doneAt ?? createdAt,
      kind: 'refund' as const,
      state,
      amount: -amount,
      note: failure ?? reason,
    }),
  );
  let balance = 0;
  return [...paymentsOf(order), ...refunds]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((entry) => {
      if (entry.kind === 'payment' || entry.state === 'done') balance += entry.amount;
      return { ...entry, balance };
    });
}
