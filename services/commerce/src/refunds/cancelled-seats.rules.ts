import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { type QuotedItem, type QuoteItem, quoteRefund } from '@event-api/rules/refund-quote';
import { presentSeat } from '../orders/lines.rules.ts';
import { mayBecomePaid, type OrderState } from '../orders/orders.rules.ts';
import { type PricedSeats, seatPricesOf } from '../orders/seat-prices.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from './refunds.rules.ts';

/** What the policy of an order pays back for a cancelled seat. */
export interface SeatAmounts {
  paidAmount: number;
  refundAmount: number;
  keptAmount: number;
  feeAmount: number;
  band: number | null;
  reason: QuotedItem['reason'] | 'settled';
}

export type CancelledSeatDecision =
  /**
   * The fulfilment or a change of the order, the assignment of the seat, or the refund of the
   * cancelled event is not stored yet.
   */
  | { outcome: 'wait' }
  /** The refund is due, or sent at once; null without anything to pay back. */
  | { outcome: 'decided'; amounts: SeatAmounts; refund: 'due' | 'pending' | null };

export interface CancelledOrder extends PricedSeats, Pick<OrderState, 'status' | 'settlementId'> {
  refundPolicy: RefundPolicy | null;
  eventCancelledAt: Date | null;
  /** Whether registration decides about other ticket types for its seats. */
  isMoving: boolean;
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
 * of the event. Refunds never exceed the payment `paid`.
 */
export function decideCancelledSeat(
  order: CancelledOrder,
  seat: EndedSeat,
  {
    paid,
    refunds,
    event,
    isUnstored,
  }: {
    paid: number;
    refunds: readonly ExistingRefund[];
    event: EventStart & { cancelledAt: Date | null };
    /** Whether the order does not show yet that the registration has one of its open seats. */
    isUnstored: boolean;
  },
): CancelledSeatDecision {
  const isOfEvent = order.eventCancelledAt !== null;
  const waitsForEvent = followsEvent(seat, event) && order.status === 'paid' && !isOfEvent;
  const isUnfinished = mayBecomePaid(order) || order.isMoving;
  if (isUnfinished || waitsForEvent || isUnstored) return { outcome: 'wait' };
  const { registrationId, cancelledAt: now } = seat;
  const [amounts = settledAmounts(0)] = seatAmountsOf(order, [registrationId], {
    ...{ paid, refunds, event, now },
  });
  return { outcome: 'decided', amounts, refund: refundStateOf(order, amounts) };
}

/** What the policy of an order pays back for seats that are cancelled at `now`, one by one. */
export function seatAmountsOf(
  order: CancelledOrder,
  registrationIds: readonly string[],
  {
    paid,
    refunds,
    event,
    now,
  }: { paid: number; refunds: readonly ExistingRefund[]; event: EventStart; now: Date },
): SeatAmounts[] {
  // The cancellation of the event has decided about the money of its orders.
  const isOpen = order.status === 'paid' && order.eventCancelledAt === null;
  const open = registrationIds.filter(
    (id) => isOpen && !isSeatRefunded(refunds, id) && !isOfChange(order, id),
  );
  const quote = quoteRefund({
    ...{ items: seatItemsOf(order, open), policy: order.refundPolicy, event, now },
    left: leftOf(order, paid, refunds),
  });
  return registrationIds.map((id): SeatAmounts => {
    const items = quote.items.filter((item) => item.id === id);
    const [seat] = items;
    if (!seat) return settledAmounts(sumOf(seatItemsOf(order, [id]).map(({ amount }) => amount)));
    return {
      paidAmount: sumOf(items.map(({ amount }) => amount)),
      refundAmount: sumOf(items.map(({ refundAmount }) => refundAmount)),
      keptAmount: sumOf(items.map(({ keptAmount }) => keptAmount)),
      feeAmount: sumOf(items.map(({ feeAmount }) => feeAmount)),
      ...{ band: seat.band, reason: seat.reason },
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

/** The amounts of a seat whose money is decided: nothing more is paid back. */
export const settledAmounts = (paidAmount: number): SeatAmounts => ({
  ...{ paidAmount, keptAmount: paidAmount },
  ...{ refundAmount: 0, feeAmount: 0, band: null, reason: 'settled' },
});

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
