import type { OrderQuote, OrderQuoteLine } from '@event-api/contracts/http/order-changes';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { type OrderSeat, orderSeatsOf } from '../orders/order-seats.rules.ts';
import { effectiveStatus, type OrderState } from '../orders/orders.rules.ts';
import {
  type CancelledOrder,
  refundStateOf,
  type SeatAmounts,
  seatAmountsOf,
} from '../refunds/cancelled-seats.rules.ts';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';

/** What a change does, by the ids of seats. */
export interface ChangeRequest {
  cancelSeats: readonly string[];
}

/** What a change pays back and costs. */
export type Quote = Omit<OrderQuote, 'id' | 'expiresAt'>;

/** A seat that a change cancels. */
export interface QuotedSeat extends SeatAmounts {
  registrationId: string;
  refundState: 'due' | 'pending' | null;
}

/** Why an order or a part of it cannot be changed. */
export type ChangeRefusal =
  | { outcome: 'event_archived' }
  | { outcome: 'event_ended' }
  | { outcome: 'not_paid'; status: OrderStatus }
  /** A refund of no particular seat is on its way, or the order itself is being changed. */
  | { outcome: 'busy' }
  /** Indexes of `cancelSeats` that are no seats of the order. */
  | { outcome: 'unknown_seats'; indexes: number[] }
  | { outcome: 'seat_cancelled'; index: number; seatId: string };

export type QuoteDecision =
  | { outcome: 'quoted'; quote: Quote; seats: QuotedSeat[] }
  | ChangeRefusal;

interface ChangedOrder extends CancelledOrder, OrderState {
  id: string;
  currency: string;
  registrationStatuses: Readonly<Record<string, RegistrationStatus>>;
  /** Its open seats that are cancelled. */
  cancelledSeatIds: readonly string[];
}

/** What a quote rests on, beside the order. */
export interface QuoteFacts {
  /** The payment of the order. */
  paid: number;
  refunds: readonly ExistingRefund[];
  event: EventStart & { status: string; endsAt: Date | null };
  now: Date;
  /** The seats that changes have cancelled. Their messages may not have arrived yet. */
  cancelledSeatIds: readonly string[];
}

/** Decides what a change of an order pays back at this moment, or why it is not possible. */
export function decideQuote(
  order: ChangedOrder,
  { cancelSeats }: ChangeRequest,
  facts: QuoteFacts,
): QuoteDecision {
  const refusal = findRefusal(order, facts);
  if (refusal) return refusal;
  const all = new Map(orderSeatsOf(order).map((seat) => [seat.id, seat]));
  const chosen = cancelSeats.flatMap((id) => all.get(id) ?? []);
  if (chosen.length < cancelSeats.length) {
    const indexes = cancelSeats.flatMap((id, index) => (all.has(id) ? [] : index));
    return { outcome: 'unknown_seats', indexes };
  }
  const seats: QuotedSeat[] = [];
  const amounts = seatAmountsOf(order, registrationIdsOf(chosen), facts);
  for (const [index, { id, status, registrationId }] of chosen.entries()) {
    const decided = amounts[seats.length];
    const isCancelled = status === 'cancelled' || facts.cancelledSeatIds.includes(id);
    if (isCancelled || registrationId === null || !decided) {
      return { outcome: 'seat_cancelled', index, seatId: id };
    }
    seats.push({ ...decided, registrationId, refundState: refundStateOf(order, decided) });
  }
  const lines = chosen.map((seat, n) => lineOf(seat, seats[n]));
  return { outcome: 'quoted', quote: { currency: order.currency, lines, ...sumsOf(lines) }, seats };
}

function findRefusal(
  order: ChangedOrder,
  { event, now, refunds }: QuoteFacts,
): ChangeRefusal | null {
  if (event.status === 'archived') return { outcome: 'event_archived' };
  if (event.endsAt !== null && event.endsAt <= now) return { outcome: 'event_ended' };
  if (order.status !== 'paid') return { outcome: 'not_paid', status: effectiveStatus(order) };
  const hasPendingAmount = refunds.some(
    ({ state, registrationIds }) => state === 'pending' && registrationIds.length === 0,
  );
  return hasPendingAmount || order.intent !== null ? { outcome: 'busy' } : null;
}

const registrationIdsOf = (seats: readonly OrderSeat[]): string[] =>
  seats.flatMap(({ registrationId }) => registrationId ?? []);

const lineOf = (
  { id, itemIndex }: OrderSeat,
  amounts: SeatAmounts | undefined,
): OrderQuoteLine => ({
  seatId: id,
  itemIndex,
  paid: amounts?.paidAmount ?? 0,
  refund: amounts?.refundAmount ?? 0,
  fee: amounts?.feeAmount ?? 0,
  amountToPay: 0,
  band: amounts?.band ?? null,
  reason: amounts?.reason ?? 'settled',
});

const sumsOf = (
  lines: readonly OrderQuoteLine[],
): Pick<Quote, 'refund' | 'fee' | 'amountToPay'> => {
  const sumOf = (of: 'refund' | 'fee' | 'amountToPay') =>
    lines.reduce((sum, line) => sum + line[of], 0);
  return { refund: sumOf('refund'), fee: sumOf('fee'), amountToPay: sumOf('amountToPay') };
};

/** A quote as it is stored. */
export interface StoredQuote {
  state: 'quoted' | 'executing' | 'done';
  isExpired: boolean;
  request: ChangeRequest;
  quote: Quote;
}

export type ExecutionDecision =
  | { outcome: 'execute'; seats: QuotedSeat[] }
  /** It was executed before. */
  | { outcome: 'executed' }
  | { outcome: 'expired' };

/**
 * Decides whether a quote is executed: if the same change is quoted now with the same amounts. So
 * whatever it rests on may change (the order, its refunds, the start of the event, the time), as
 * long as the amounts stay. What was quoted happens, or nothing does.
 */
export function decideExecution(
  order: ChangedOrder,
  { state, isExpired, request, quote }: StoredQuote,
  facts: QuoteFacts,
): ExecutionDecision {
  if (state !== 'quoted') return { outcome: 'executed' };
  if (isExpired) return { outcome: 'expired' };
  const now = decideQuote(order, request, facts);
  return now.outcome === 'quoted' && textOf(now.quote) === textOf(quote)
    ? { outcome: 'execute', seats: now.seats }
    : { outcome: 'expired' };
}

/** What two quotes are compared by: a stored one has its fields in another order. */
const textOf = ({ currency, lines }: Quote): string =>
  JSON.stringify([
    currency,
    lines.map((line) => [
      ...[line.seatId, line.itemIndex, line.paid, line.refund, line.fee, line.amountToPay],
      ...[line.band, line.reason],
    ]),
  ]);
