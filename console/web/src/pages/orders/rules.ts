import type { FoundOrder, Order } from '../../api/records.ts';

export type Step = 'placed' | 'payment' | 'paid' | 'fulfilled' | 'refunded';
export const steps: readonly Step[] = ['placed', 'payment', 'paid', 'fulfilled', 'refunded'];

/** How far an order has come, and whether it has ended there without success. */
export function decideProgress(order: Pick<Order, 'status' | 'registrationIds'>): {
  current: Step;
  hasEnded: boolean;
} {
  switch (order.status) {
    case 'held':
      return { current: 'placed', hasEnded: false };
    case 'awaiting_payment':
      return { current: 'payment', hasEnded: false };
    case 'cancelled':
    case 'expired':
      return { current: 'payment', hasEnded: true };
    case 'refund_due':
      return { current: 'paid', hasEnded: true };
    case 'paid':
      return { current: 'fulfilled', hasEnded: false };
    case 'refunded':
      return { current: 'refunded', hasEnded: false };
  }
}

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

/** Payments and refunds in the order of time. Only money that has moved changes the balance. */
export function ledgerOf(order: FoundOrder): LedgerEntry[] {
  const payments =
    order.paidAt !== null && order.totalAmount > 0
      ? [
          {
            id: `${order.id} payment`,
            at: order.paidAt,
            kind: 'payment' as const,
            state: 'succeeded',
            amount: order.totalAmount,
            note: null,
          },
        ]
      : [];
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
  return [...payments, ...refunds]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((entry) => {
      if (entry.kind === 'payment' || entry.state === 'done') balance += entry.amount;
      return { ...entry, balance };
    });
}

/** What can still be refunded: the payment without refunds that are done or on their way. */
export function refundableOf(order: FoundOrder): number {
  const moved = order.refunds
    .filter(({ state }) => state === 'done' || state === 'pending' || state === 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);
  return order.paidAt === null ? order.refundDueAmount : Math.max(0, order.totalAmount - moved);
}

/** The price of one seat of each line that costs something. */
export function seatPrices(order: Order): { name: string; amount: number }[] {
  return order.items
    .filter(({ totalAmount, quantity }) => totalAmount > 0 && quantity > 0)
    .map(({ name, totalAmount, quantity }) => ({
      name,
      amount: Math.round(totalAmount / quantity),
    }));
}

export type RefundChoice = { kind: 'all' } | { kind: 'due' } | { kind: 'amount'; amount: number };

/** The input of `order.refund` for a choice. */
export function refundInput(choice: RefundChoice): Record<string, unknown> {
  if (choice.kind === 'all') return { all: true };
  if (choice.kind === 'due') return { onlyDue: true };
  return { amount: choice.amount };
}
