import type { FoundOrder, Order } from '../../api/records.ts';
import { isOfOtherPayment } from '../../components/ledger/rules.ts';

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

/**
 * What is left of the payment of an order, without refunds that are done, on their way or due. A refund that has failed can be
 * repeated.
 */
function leftOf({ status, totalAmount, refunds }: FoundOrder): number {
  if (status !== 'paid') return 0;
  const committed = refunds
    .filter((refund) => !isOfOtherPayment(refund))
    .filter(({ state }) => state !== 'failed' && state !== 'withdrawn')
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, totalAmount - committed);
}

/** The most that a refund can pay back: what is left of the payment, and what is due. */
export const refundableOf = (order: FoundOrder): number => leftOf(order) + order.refundDueAmount;

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

export type RefundPreview =
  /** Pays `amount` back. If nothing is left of the payment, the registrations that the order created are cancelled. */
  | { outcome: 'possible'; amount: number; cancels: boolean }
  | { outcome: 'no_amount' }
  | { outcome: 'too_high'; left: number };

/** What a refund does, before it is sent. It always pays what is due, too. */
export function previewRefund(order: FoundOrder, choice: RefundChoice): RefundPreview {
  const left = leftOf(order);
  const due = order.refundDueAmount;
  if (choice.kind === 'due') return { outcome: 'possible', amount: due, cancels: false };
  const more = choice.kind === 'all' ? left : choice.amount;
  if (choice.kind === 'amount' && !(more > 0)) return { outcome: 'no_amount' };
  if (more > left) return { outcome: 'too_high', left };
  return {
    outcome: 'possible',
    amount: more + due,
    cancels: order.status === 'paid' && more === left,
  };
}

/** The input of `order.refund` for a choice. */
export function refundInput(choice: RefundChoice): Record<string, unknown> {
  if (choice.kind === 'all') return { all: true };
  if (choice.kind === 'due') return { onlyDue: true };
  return { amount: choice.amount };
}
