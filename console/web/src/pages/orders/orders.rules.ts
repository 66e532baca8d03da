import type { FoundOrder, Order, RefundPolicy } from '../../api/records.ts';
import { isOfOtherPayment } from '../../components/ledger/ledger.rules.ts';

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
 * What is left of the payment of an order, without refunds that are done, on their way or due. A
 * refund that has failed can be repeated.
 */
function leftOf({ status, totalAmount, refunds }: FoundOrder): number {
  if (status !== 'paid') return 0;
  const committed = refunds
    .filter((refund) => !isOfOtherPayment(refund))
    .filter(({ state }) => state !== 'failed' && state !== 'withdrawn')
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, totalAmount - committed);
}

/**
 * What waits for an operator. A refund that is on its way to the buyer is due as well, and cannot
 * be sent again.
 */
export const dueOf = ({ refunds, currency }: FoundOrder): number =>
  refunds
    .filter((refund) => refund.state === 'due' && refund.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0);

/** The most that a refund can pay back: what is left of the payment, and what is due. */
export const refundableOf = (order: FoundOrder): number => leftOf(order) + dueOf(order);

/** A part of an order that can be refunded: one of a line, such as one seat, or the whole line. */
export interface OrderPart {
  name: string;
  isSeat: boolean;
  /** How many of the line. */
  quantity: number;
  amount: number;
}

/**
 * The parts whose price is left of the payment: one of each line that costs something, and the
 * whole line if it has several. A line that is all that is left is no part: that is everything.
 */
export function partsOf(order: FoundOrder): OrderPart[] {
  const left = leftOf(order);
  return order.items
    .filter(({ totalAmount, quantity }) => totalAmount > 0 && quantity > 0)
    .flatMap(({ name, itemType, totalAmount, quantity }) => {
      const line = { name, isSeat: itemType === 'registration_type' };
      const one = { ...line, quantity: 1, amount: Math.round(totalAmount / quantity) };
      const whole = { ...line, quantity, amount: totalAmount };
      return quantity > 1 && totalAmount !== left ? [one, whole] : [one];
    })
    .filter(({ amount }) => amount > 0 && amount <= left);
}

/** Whether the policy of the event no longer promises a refund. */
export const isOutsidePolicy = (policy: RefundPolicy | undefined, now: Date): boolean =>
  policy?.refundableUntil != null && Date.parse(policy.refundableUntil) < now.getTime();

type OwnRefund = FoundOrder['refunds'][number];

/**
 * The last refund that an operator requested, if the provider refused it. It replaces those before
 * it.
 */
export function refusedRefund({ refunds }: Pick<FoundOrder, 'refunds'>): OwnRefund | null {
  const last = refunds.filter(({ cause }) => cause === 'operator').at(-1);
  return last?.state === 'failed' ? last : null;
}

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

export type RefundChoice = { kind: 'all' } | { kind: 'due' } | { kind: 'amount'; amount: number };

export type RefundPreview =
  /**
   * Pays `amount` back. If nothing is left of the payment, the registrations that the order created
   * are cancelled.
   */
  | { outcome: 'possible'; amount: number; cancels: boolean }
  | { outcome: 'no_amount' }
  | { outcome: 'too_high'; left: number };

/** What a refund does, before it is sent. It always pays what is due, too. */
export function previewRefund(order: FoundOrder, choice: RefundChoice): RefundPreview {
  const left = leftOf(order);
  const due = dueOf(order);
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
