import type { RefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { type QuoteItem, quoteRefund } from '@event-api/rules/refund-quote';
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
  reason: 'band' | 'too_late' | 'settled';
}

export type CancelledSeatDecision =
  /** The fulfilment of the order, or the refund of its cancelled event, is not stored yet. */
  | { outcome: 'wait' }
  /** The refund is due, or sent at once; null without anything to pay back. */
  | { outcome: 'decided'; amounts: SeatAmounts; refund: 'due' | 'pending' | null };

interface CancelledOrder extends PricedSeats, Pick<OrderState, 'status' | 'settlementId'> {
  refundPolicy: RefundPolicy | null;
  eventCancelledAt: Date | null;
}

/**
 * Decides what is paid back for a seat of an order whose registration was cancelled at `now`: what
 * the policy of the order promises for the seat and for the add-ons that its attendee got with it.
 * Nothing is paid back for a seat whose money is paid back or owed already, as by the cancellation
 * of the event. Refunds never exceed the payment `paid`.
 */
export function decideCancelledSeat(
  order: CancelledOrder,
  seat: { registrationId: string; cancelledAt: Date },
  {
    paid,
    refunds,
    event,
  }: {
    paid: number;
    refunds: readonly ExistingRefund[];
    event: EventStart & { cancelledAt: Date | null };
  },
): CancelledSeatDecision {
  const isOfEvent = order.eventCancelledAt !== null;
  const waitsForEvent = event.cancelledAt !== null && order.status === 'paid' && !isOfEvent;
  if (mayBecomePaid(order) || waitsForEvent) return { outcome: 'wait' };
  const { registrationId, cancelledAt: now } = seat;
  const items = seatItemsOf(order, [registrationId]);
  const paidAmount = items.reduce((sum, { amount }) => sum + amount, 0);
  const isRefunded = refunds.some(
    ({ cause, state, registrationIds }) =>
      registrationIds.includes(registrationId) &&
      (cause === refundPolicyCause || state === 'pending' || state === 'done'),
  );
  if (order.status !== 'paid' || items.length === 0 || isRefunded || isOfEvent) {
    const nothing = { refundAmount: 0, feeAmount: 0, band: null, reason: 'settled' } as const;
    return {
      outcome: 'decided',
      amounts: { ...nothing, paidAmount, keptAmount: paidAmount },
      refund: null,
    };
  }
  const policy = order.refundPolicy;
  const left = leftOf(order, paid, refunds);
  const quote = quoteRefund({ items, policy, event, now, left });
  const { refundAmount, keptAmount, feeAmount } = quote;
  const band = quote.items[0]?.band ?? null;
  const reason = band === null ? 'too_late' : 'band';
  const isSent = policy?.automatic ? 'pending' : 'due';
  return {
    outcome: 'decided',
    amounts: { paidAmount, refundAmount, keptAmount, feeAmount, band, reason },
    refund: refundAmount > 0 ? isSent : null,
  };
}

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
    const { ticketTypeId = null } = order.seats[index] ?? {};
    const { amount, addonAmount } = price;
    return [
      { id, kind: 'seat', ticketTypeId, amount },
      ...(addonAmount > 0
        ? [{ id, kind: 'addon', ticketTypeId, amount: addonAmount } as const]
        : []),
    ];
  });
};
