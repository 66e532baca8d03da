import type { CancellationRefund } from '@event-api/contracts/http/events';
import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { type QuotedItem, type QuoteItem, quoteRefund } from '@event-api/rules/refund-quote';
import { presentSeat } from '../orders/lines.rules.ts';
import { mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';
import { type PricedSeats, seatPricesOf } from '../orders/seat-prices.rules.ts';
import {
  type ExistingRefund,
  eventCancelledCause,
  leftOf,
  refundPolicyCause,
} from './refunds.rules.ts';
import type { PaidMoney } from './split.rules.ts';

/** What the policy of an order pays back for a cancelled seat. */
export interface SeatAmounts {
  paidAmount: number;
  refundAmount: number;
  keptAmount: number;
  feeAmount: number;
  band: number | null;
  reason: QuotedItem['reason'] | 'settled';
}

/** These amounts as a quote shows them. */
export interface QuotedAmounts extends SeatAmounts {
  /** Whether less is left of the payment than the band pays back. */
  isLimited: boolean;
}

export type CancelledSeatDecision =
  /**
   * The fulfilment or a change of the order, the assignment of the seat, or the refund of the
   * cancelled event is not stored yet.
   */
  | { outcome: 'wait' }
  /** The refund is due, or sent at once; null without anything to pay back. */
  | { outcome: 'decided'; amounts: SeatAmounts; refund: 'due' | 'pending' | null };

export interface CancelledOrder extends PricedSeats, Pick<OrderState, 'status'>, PaidMoney {
  refundPolicy: RefundPolicy | null;
  eventCancelledAt: Date | null;
  /** Whether registration decides about other ticket types for its seats. */
  isMoving: boolean;
  /** Seats whose money is decided. Missing before any. */
  cancelledSeats?: readonly { registrationId: string; reason: SeatAmounts['reason'] }[];
}

/** The event of an order, as far as the money of cancelled seats depends on it. */
export interface SeatEvent extends EventStart {
  cancelledAt: Date | null;
  /** What its cancellation pays back. */
  cancellationRefund?: CancellationRefund | null;
}

/** A seat whose registration has ended. */
export interface EndedSeat {
  registrationId: string;
  cancelledAt: Date;
  /** Null if registration does not say it. */
  endedWithEvent: boolean | null;
}

/**
 * Whether the refund of the cancelled event decides about a seat, and not the policy of its order as
 * of its cancellation. Registration says which came first: two services have no common clock.
 */
export const followsEvent = (
  { endedWithEvent }: Pick<EndedSeat, 'endedWithEvent'>,
  event: { cancelledAt: Date | null },
): boolean => endedWithEvent ?? event.cancelledAt !== null;

/**
 * Decides what is paid back for a seat of an order whose registration has ended: what the policy of
 * the order has promised then for the seat and for the add-ons that its attendee got with it. A seat
 * that ended before its event was cancelled does not wait for the refund of the event.
 * Nothing is paid back for a seat whose money is paid back or owed already, as by the cancellation
 * of the event. Refunds never exceed the payments.
 */
export function decideCancelledSeat(
  order: CancelledOrder,
  seat: EndedSeat,
  {
    refunds,
    event,
    isUnstored,
  }: {
    refunds: readonly ExistingRefund[];
    event: SeatEvent;
    /** Whether the order does not show yet that the registration has one of its open seats. */
    isUnstored: boolean;
  },
): CancelledSeatDecision {
  const isOfEvent = order.eventCancelledAt !== null;
  const waitsForEvent = followsEvent(seat, event) && order.status === 'paid' && !isOfEvent;
  const isUnfinished = mayBecomePaid(order) || order.isMoving;
  if (isUnfinished || waitsForEvent || isUnstored) return { outcome: 'wait' };
  const { registrationId, cancelledAt: now } = seat;
  const [amounts = settledAmounts(0, 0)] = seatAmountsOf(order, [registrationId], {
    ...{ refunds, event, now },
  });
  return { outcome: 'decided', amounts, refund: refundStateOf(order, amounts) };
}

/** What the policy of an order pays back for seats that are cancelled at `now`, one by one. */
export function seatAmountsOf(
  order: CancelledOrder,
  registrationIds: readonly string[],
  { refunds, event, now }: { refunds: readonly ExistingRefund[]; event: SeatEvent; now: Date },
): QuotedAmounts[] {
  // The cancellation of the event has decided about the money of its orders.
  const isOpen = order.status === 'paid' && order.eventCancelledAt === null;
  const open = registrationIds.filter(
    (id) => isOpen && !isSeatRefunded(refunds, id) && !isOfChange(order, id),
  );
  const quote = quoteRefund({
    ...{ items: seatItemsOf(order, open), policy: order.refundPolicy, event, now },
    left: leftOf(order, refunds),
  });
  return registrationIds.map((id): QuotedAmounts => {
    const items = quote.items.filter((item) => item.id === id);
    const [seat] = items;
    if (!seat) {
      const price = priceOf(order, id);
      // An order that has ended gets its whole payment back.
      const isPaid = order.status === 'paid';
      return settledAmounts(price, isPaid ? paidBackOf(order, id, refunds, event) : price);
    }
    return {
      paidAmount: sumOf(items.map(({ amount }) => amount)),
      refundAmount: sumOf(items.map(({ refundAmount }) => refundAmount)),
      keptAmount: sumOf(items.map(({ keptAmount }) => keptAmount)),
      feeAmount: sumOf(items.map(({ feeAmount }) => feeAmount)),
      ...{ band: seat.band, reason: seat.reason },
      isLimited: items.some((item) => item.isLimited),
    };
  });
}

/** Whether the refund of a cancelled seat waits for an operator or is sent at once; or null. */
export const refundStateOf = (
  { refundPolicy }: Pick<CancelledOrder, 'refundPolicy'>,
  { refundAmount }: Pick<SeatAmounts, 'refundAmount'>,
): 'due' | 'pending' | null => {
  if (refundAmount === 0) return null;
  return refundPolicy?.automatic ? 'pending' : 'due';
};

/** Whether a change has decided about the seat. An open seat may have got its registration since. */
const isOfChange = (order: PricedSeats, id: string): boolean => {
  const index = seatPricesOf(order).findIndex(({ registrationId }) => registrationId === id);
  return order.seats[index]?.isCancelled ?? false;
};

/** Whether the price of a seat is paid back, is on its way, or was promised by the policy. */
export const isSeatRefunded = (refunds: readonly ExistingRefund[], id: string): boolean =>
  refunds.some(
    ({ cause, state, registrationIds }) =>
      registrationIds.includes(id) &&
      (cause === refundPolicyCause || state === 'pending' || state === 'done'),
  );

/** The amounts of a seat whose money is decided: what is kept is what others have not paid back. */
export const settledAmounts = (paidAmount: number, paidBack: number): QuotedAmounts => ({
  ...{ paidAmount, keptAmount: paidAmount - paidBack },
  ...{ refundAmount: 0, feeAmount: 0, band: null, reason: 'settled' },
  isLimited: false,
});

/**
 * What is paid back or due of the price of a seat: by a refund of its registration all of it, also
 * if less was left of the payment; otherwise what its policy has promised, and what the refund of
 * its cancelled event pays for it. Refunds of an amount belong to no seat.
 */
export function paidBackOf(
  order: Pick<CancelledOrder, keyof PricedSeats | 'refundPolicy' | 'cancelledSeats'>,
  id: string,
  refunds: readonly ExistingRefund[],
  event: SeatEvent | null,
): number {
  const price = priceOf(order, id);
  const stored = refunds.filter(({ state }) => state !== 'failed' && state !== 'withdrawn');
  const ofSeat = stored.filter(({ registrationIds }) => registrationIds.includes(id));
  const isWhole = ofSeat.some(({ cause, state }) => cause !== refundPolicyCause && state !== 'due');
  if (isWhole) return price;
  const promised = sumOf(ofSeat.map(({ amount }) => amount));
  const ofEvent = isPaidByEvent(order, id, refunds) ? shareOfEvent(order, id, event) : 0;
  return Math.min(price, promised + ofEvent);
}

/** Whether the refund of its cancelled event pays for a seat: no policy has decided about it before. */
export const isPaidByEvent = (
  { cancelledSeats = [] }: Pick<CancelledOrder, 'cancelledSeats'>,
  id: string,
  refunds: readonly ExistingRefund[],
): boolean =>
  refunds.some((refund) => isOfEvent(refund)) &&
  !cancelledSeats.some(
    ({ registrationId, reason }) => registrationId === id && reason !== 'settled',
  );

/** Whether it is the refund of a cancelled event, which pays back what it does of each seat. */
export const isOfEvent = ({ cause, state }: ExistingRefund): boolean =>
  cause === eventCancelledCause && state !== 'failed' && state !== 'withdrawn';

function shareOfEvent(
  order: Pick<CancelledOrder, keyof PricedSeats | 'refundPolicy'>,
  id: string,
  event: SeatEvent | null,
): number {
  const items = seatItemsOf(order, [id]);
  if (event?.cancellationRefund !== 'policy' || event.cancelledAt === null) {
    return priceOf(order, id);
  }
  const left = Number.POSITIVE_INFINITY;
  const { refundPolicy: policy } = order;
  return quoteRefund({ items, policy, event, now: event.cancelledAt, left }).refundAmount;
}

const priceOf = (order: PricedSeats, id: string): number =>
  sumOf(seatItemsOf(order, [id]).map(({ amount }) => amount));

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * The seats of these registrations, each followed by the add-ons of its attendee, as `quoteRefund`
 * takes them. What an order did not deliver is owed anyway and is no part of it.
 */
export const seatItemsOf = (
  order: PricedSeats,
  registrationIds: readonly string[],
): QuoteItem[] => {
  const prices = seatPricesOf(order);
  return registrationIds.flatMap((id): QuoteItem[] => {
    const index = prices.findIndex(({ registrationId }) => registrationId === id);
    const price = prices[index];
    if (!price || price.isUnfulfilled) return [];
    const seat = order.seats[index];
    const ticketTypeId = seat ? presentSeat(seat).ticketTypeId : null;
    const { amount, addonAmount } = price;
    return [
      { id, kind: 'seat', ticketTypeId, amount },
      ...(addonAmount > 0
        ? [{ id, kind: 'addon', ticketTypeId, amount: addonAmount } as const]
        : []),
    ];
  });
};
