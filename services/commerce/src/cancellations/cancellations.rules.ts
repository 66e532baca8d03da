import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { quoteRefund } from '@event-api/rules/refund-quote';
import { isRestoring, isRevoking, mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';
import {
  decidedByChanges,
  type PricedSeats,
  seatPricesOf,
  wholePrice,
} from '../orders/seat-prices.rules.ts';
import { type SeatAmounts, seatItemsOf } from '../refunds/cancelled-seats.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from '../refunds/refunds.rules.ts';
import type { PaidMoney } from '../refunds/split.rules.ts';

/** The cancellation of an event, as far as its refunds depend on it. */
export interface CancelledEvent extends EventStart {
  cancelledAt: Date;
  refund: CancellationRefund;
}

export interface PaidOrder
  extends PricedSeats,
    Pick<OrderState, 'status' | 'intent' | 'totalAmount'>,
    PaidMoney {
  lines: readonly (PricedSeats['lines'][number] & { unfulfilledAmount: number })[];
  refundPolicy: RefundPolicy | null;
  eventCancelledAt: Date | null;
  /** Whether registration decides about other ticket types for its seats. */
  isMoving: boolean;
  /** Seats that were cancelled before, once the policy of the order is applied to them. */
  cancelledSeats: readonly {
    registrationId: string;
    paidAmount: number;
    reason: SeatAmounts['reason'];
  }[];
}

export type OrderCancellation =
  /** A step of the order is unfinished: it is decided afterwards. */
  | { outcome: 'wait' }
  /** It has ended, or was decided before. */
  | { outcome: 'unchanged' }
  /** It was free: there is nothing to pay back. */
  | { outcome: 'cancel' }
  /** `amount` is paid back, in addition to the refunds that exist; it can be 0. */
  | { outcome: 'refund'; amount: number };

/**
 * Decides what a paid order gets back because its event is cancelled, after each seat that ended
 * before: it keeps what the policy of the order has decided about it. Refunds never exceed the
 * payments.
 */
export function decideOrderCancellation(
  order: PaidOrder,
  refunds: readonly ExistingRefund[],
  event: CancelledEvent,
): OrderCancellation {
  const hasStep = isRestoring(order) || isRevoking(order) || order.isMoving;
  if (mayBecomePaid(order) || hasStep) return { outcome: 'wait' };
  if (order.status !== 'paid' || order.eventCancelledAt !== null) return { outcome: 'unchanged' };
  if (order.totalAmount === 0) return { outcome: 'cancel' };
  const left = leftOf(order, refunds);
  return { outcome: 'refund', amount: amountOf(order, refunds, { left, event }) };
}

function amountOf(
  order: PaidOrder,
  refunds: readonly ExistingRefund[],
  { left, event }: { left: number; event: CancelledEvent },
): number {
  const decided = order.cancelledSeats.filter(({ reason }) => reason !== 'settled');
  switch (event.refund) {
    case 'full': {
      const ofSeats = decided.reduce((sum, { paidAmount }) => sum + paidAmount, 0);
      const others = ofOthers(order, refunds, decided);
      const undecided = leftOf(order, others) - ofSeats;
      // What changes have cost is part of the payments, and not of the total.
      const byChanges = decidedByChanges(order) + sumOf(order.payments) - order.totalAmount;
      return Math.max(0, Math.min(left, undecided - byChanges));
    }
    case 'policy': {
      const paidBack = refunds
        .filter(({ state }) => state !== 'failed' && state !== 'withdrawn')
        .flatMap(({ registrationIds }) => registrationIds);
      const decidedIds = decided.map(({ registrationId }) => registrationId);
      const items = promisedItems(order, [...decidedIds, ...paidBack]);
      const { refundPolicy: policy } = order;
      return quoteRefund({ items, policy, event, now: event.cancelledAt, left }).refundAmount;
    }
    case 'none':
      return 0;
  }
}

/**
 * The refunds with what each pays for anything else than what was decided before. The parts of several
 * payments that pay for the same seats pay for their price once.
 */
function ofOthers(
  order: PricedSeats,
  refunds: readonly ExistingRefund[],
  decided: readonly { registrationId: string }[],
): ExistingRefund[] {
  const counted = new Map<string, number>();
  return refunds.map((refund) => {
    const key = refund.registrationIds.join(' ');
    const whole = amountOfOthers(order, { ...refund, amount: Number.POSITIVE_INFINITY }, decided);
    const amount = Math.min(refund.amount, whole - (counted.get(key) ?? 0));
    const isCounted = refund.state !== 'failed' && refund.state !== 'withdrawn';
    if (isCounted && whole < Number.POSITIVE_INFINITY) {
      counted.set(key, (counted.get(key) ?? 0) + amount);
    }
    return { ...refund, amount };
  });
}

/**
 * What a refund pays for anything else than what was decided before, which is what changes have taken
 * off the price and the decided seats. Of a refund of decided and other seats it is the price of the others.
 */
function amountOfOthers(
  order: PricedSeats,
  { cause, amount, registrationIds }: ExistingRefund,
  decided: readonly { registrationId: string }[],
): number {
  if (cause === refundPolicyCause) return 0;
  const decidedIds = decided.map(({ registrationId }) => registrationId);
  if (!registrationIds.some((id) => decidedIds.includes(id))) return amount;
  const ofOthers = seatPricesOf(order)
    .filter(({ registrationId: id }) => id !== null && registrationIds.includes(id))
    .filter(({ registrationId: id }) => id !== null && !decidedIds.includes(id))
    .reduce((sum, seat) => sum + wholePrice(seat), 0);
  return Math.min(amount, ofOthers);
}

/**
 * The seats that are neither decided nor paid back with their add-ons, and what belongs to no seat.
 * What the order did not deliver is owed anyway.
 */
function promisedItems(order: PaidOrder, decidedIds: readonly string[]) {
  const prices = seatPricesOf(order);
  const ids = prices.flatMap(({ registrationId }) =>
    registrationId === null || decidedIds.includes(registrationId) ? [] : registrationId,
  );
  const delivered = prices
    .filter(({ isUnfulfilled }) => !isUnfulfilled)
    .reduce((sum, price) => sum + wholePrice(price), 0);
  const unfulfilled = order.lines.reduce((sum, line) => sum + line.unfulfilledAmount, 0);
  const rest = order.totalAmount - delivered - unfulfilled - decidedByChanges(order);
  const ofNoSeat = { id: 'rest', kind: 'addon', ticketTypeId: null, amount: rest } as const;
  return [...seatItemsOf(order, ids), ...(rest > 0 ? [ofNoSeat] : [])];
}

const sumOf = (amounts: readonly { amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0);

/** What is left of a cancellation after an attempt. */
export interface Remainder {
  /** At registration; null while it is not known. */
  registrations: number | null;
  openOrders: number;
  undecidedOrders: number;
  /** Refunds that are pending, or due, not refused by the provider and not held back by a dispute. */
  refunds: number;
}

export const isFinished = (left: Remainder): boolean =>
  left.registrations === 0 && left.openOrders + left.undecidedOrders + left.refunds === 0;

/**
 * Decides how long a cancellation waits for its next attempt: not at all while attempts advance it.
 * A finished one is looked at again, ever more rarely: a payment may arrive late, and a restore may
 * bring registrations back.
 */
export function decidePause(
  { before, left }: { before: Remainder; left: Remainder },
  { hasFailed, ageMs }: { hasFailed: boolean; ageMs: number },
  { retryMs, revisitMs }: { retryMs: number; revisitMs: number },
): number {
  if (isFinished(left)) return Math.max(revisitMs, Math.round(ageMs / 100));
  return !hasFailed && sizeOf(left) < sizeOf(before) ? 0 : retryMs;
}

const sizeOf = ({ registrations, openOrders, undecidedOrders, refunds }: Remainder): number =>
  (registrations ?? Number.POSITIVE_INFINITY) + openOrders + undecidedOrders + refunds;
