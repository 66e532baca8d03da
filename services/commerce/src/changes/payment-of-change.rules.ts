import { orderSeatsOf } from '../orders/order-seats.rules.ts';
import { isSeatRefunded } from '../refunds/cancelled-seats.rules.ts';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';
import { holdersOf, type Quote, type QuotedRequest } from './effect.rules.ts';
import type { StoredQuote } from './quotes.rules.ts';
import type { ChangedOrder } from './seats.rules.ts';

export type ChangePaymentDecision =
  /** The change happens. */
  | { outcome: 'accepted' }
  /** The seats of the order are lost in a restore: it is decided when it has them again. */
  | { outcome: 'wait' }
  /** The money is refunded, and the change ends if it awaits its payment. */
  | { outcome: 'refused'; cause: 'mismatch' | 'surplus' | 'late' };

interface ChangeWithPayment extends Pick<StoredQuote, 'state' | 'request' | 'quote'> {
  settlementId: string | null;
}

/**
 * Decides what a captured payment of a change does. It never pays for the order. The change happens if
 * it still awaits its payment, and its seats are those of the same persons, at the amounts of the quote.
 * The buyer has agreed to the prices of the quote: they may have changed meanwhile.
 */
export function decideChangePayment(
  order: ChangedOrder,
  change: ChangeWithPayment,
  {
    expected,
    received,
    refunds,
    isEventCancelled,
  }: {
    expected: { amount: number; currency: string };
    received: { amount: number; currency: string };
    refunds: readonly ExistingRefund[];
    isEventCancelled: boolean;
  },
): ChangePaymentDecision {
  if (received.amount !== expected.amount || received.currency !== expected.currency) {
    return { outcome: 'refused', cause: 'mismatch' };
  }
  if (change.settlementId !== null) return { outcome: 'refused', cause: 'surplus' };
  if (!awaitsPayment(change)) return { outcome: 'refused', cause: 'late' };
  if (order.status === 'paid' && order.intent !== null) return { outcome: 'wait' };
  const isOpen = order.status === 'paid' && !isEventCancelled && order.eventCancelledAt === null;
  return isOpen && areSeatsAsQuoted(order, change, refunds)
    ? { outcome: 'accepted' }
    : { outcome: 'refused', cause: 'late' };
}

/** The previous release, which does not know the state, marks a repeated change as done. */
export const awaitsPayment = ({
  state,
  quote,
  settlementId,
}: Pick<ChangeWithPayment, 'state' | 'quote' | 'settlementId'>): boolean =>
  state === 'awaiting_payment' ||
  (state === 'done' && quote.amountToPay > 0 && settlementId === null);

function areSeatsAsQuoted(
  order: ChangedOrder,
  { request, quote }: { request: QuotedRequest; quote: Quote },
  refunds: readonly ExistingRefund[],
): boolean {
  const seats = new Map(orderSeatsOf(order).map((seat) => [seat.id, seat]));
  const holders = holdersOf(order, request);
  const isSame = holders.every((holder, n) => holder === (request.holders?.[n] ?? holder));
  return (
    isSame &&
    quote.lines.every(({ seatId, paid, reason }, n) => {
      const seat = seats.get(seatId ?? '');
      if (!seat || seat.status === 'cancelled' || seat.amount !== paid) return false;
      return reason === 'settled' || !isSeatRefunded(refunds, holders[n] ?? '');
    })
  );
}
