import type { FoundOrder, Order } from '../../api/records.ts';
import { dueOf, leftOf, shownStatus } from '../../components/ledger/refund.rules.ts';

export type Step =
  | 'placed'
  | 'payment'
  | 'paid'
  | 'fulfilled'
  | 'partly_refunded'
  | 'refunded'
  | 'refund_due'
  | 'cancelled'
  | 'expired';

export interface Progress {
  steps: readonly Step[];
  current: Step;
  /** Whether the present step is the end of a sale, or one without success. */
  tone: 'normal' | 'returned' | 'failed';
}

/**
 * The way of an order, and how far it has come. A refund is a step only of an order that has one,
 * and so is an end without success.
 */
export function decideProgress(
  order: Pick<Order, 'status' | 'totalAmount' | 'changesAmount' | 'refundedAmount' | 'paidAt'>,
): Progress {
  const sale = ['placed', 'payment', 'paid', 'fulfilled'] as const;
  const status = shownStatus(order);
  switch (status) {
    case 'held':
      return { steps: sale, current: 'placed', tone: 'normal' };
    case 'awaiting_payment':
      return { steps: sale, current: 'payment', tone: 'normal' };
    case 'paid':
      return { steps: sale, current: 'fulfilled', tone: 'normal' };
    case 'partly_refunded':
      return { steps: [...sale, status], current: status, tone: 'returned' };
    case 'refunded':
      // Without the time of a payment, the order got its money too late to be fulfilled.
      return {
        steps: [...(order.paidAt === null ? sale.slice(0, 3) : sale), status],
        current: status,
        tone: 'returned',
      };
    case 'refund_due':
      return { steps: ['placed', 'payment', 'paid', status], current: status, tone: 'failed' };
    case 'cancelled':
    case 'expired':
      return { steps: ['placed', status], current: status, tone: 'failed' };
  }
}

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

type OwnRefund = FoundOrder['refunds'][number];

/**
 * The last refund that an operator requested, if the provider refused it. It replaces those before
 * it.
 */
export function refusedRefund({ refunds }: Pick<FoundOrder, 'refunds'>): OwnRefund | null {
  const last = refunds.filter(({ cause }) => cause === 'operator').at(-1);
  return last?.state === 'failed' ? last : null;
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

/**
 * The input of `order.refund` for a choice. An amount that leaves nothing is everything: it ends the
 * order, also after refunds of single people.
 */
export function refundInput(order: FoundOrder, choice: RefundChoice): Record<string, unknown> {
  if (choice.kind === 'due') return { onlyDue: true };
  const isAll = choice.kind === 'all' || choice.amount === leftOf(order);
  return isAll ? { all: true } : { amount: choice.amount };
}

/** The statuses of orders, in the order of their lifecycle. */
export const orderStatuses: readonly Order['status'][] = [
  'held',
  'awaiting_payment',
  'paid',
  'cancelled',
  'expired',
  'refund_due',
  'refunded',
];

/** "2 × Conference pass, 1 × Workshop" */
export const itemsOf = ({ items }: Pick<Order, 'items'>): string =>
  items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ');

/**
 * The seats of an order, and how many of them have a person who has not been cancelled or rejected.
 * Nobody has a seat of an order that ended unpaid, nor an open one.
 */
export const countPeople = ({ seats }: Pick<Order, 'seats'>): { active: number; all: number } => ({
  active: seats.filter(({ status }) => status === 'assigned').length,
  all: seats.length,
});

/** The filters of the list, as its reads have them. */
export interface OrderFilters {
  status: string | undefined;
  placedFrom: string | undefined;
  placedBefore: string | undefined;
}

export const fitsFilters = (
  { status, placedAt }: Pick<Order, 'status' | 'placedAt'>,
  { status: wanted, placedFrom, placedBefore }: OrderFilters,
): boolean =>
  (wanted === undefined || status === wanted) &&
  (placedFrom === undefined || Date.parse(placedAt) >= Date.parse(placedFrom)) &&
  (placedBefore === undefined || Date.parse(placedAt) < Date.parse(placedBefore));

/** The orders of a search and those of the people that it finds, each once. */
export const withOthers = (found: readonly Order[], others: readonly Order[]): Order[] => [
  ...new Map([...found, ...others].map((order) => [order.id, order])).values(),
];
