import type {
  CancelledAddon,
  OrderQuote,
  OrderQuoteLine,
} from '@event-api/contracts/http/order-changes';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { quoteRefund } from '@event-api/rules/refund-quote';
import type { CancelledUnits, Seat } from '../orders/lines.rules.ts';
import { type OrderSeat, orderSeatsOf } from '../orders/order-seats.rules.ts';
import { effectiveStatus, type OrderState } from '../orders/orders.rules.ts';
import {
  type CancelledOrder,
  refundStateOf,
  type SeatAmounts,
  seatAmountsOf,
} from '../refunds/cancelled-seats.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from '../refunds/refunds.rules.ts';
import {
  type ChosenUnits,
  decideUnits,
  type OrderWithAddons,
  type UnitsDecision,
} from './cancelled-units.rules.ts';

/** What a change does. */
export interface ChangeRequest {
  /** By their ids. */
  cancelSeats: readonly string[];
  cancelAddons: readonly CancelledAddon[];
}

/** What a change pays back and costs. */
export type Quote = Omit<OrderQuote, 'id' | 'expiresAt'>;

/** A seat that a change cancels. */
export interface QuotedSeat extends SeatAmounts {
  id: string;
  registrationId: string;
  refundState: 'due' | 'pending' | null;
}

/** Units of an add-on that a change cancels. */
export interface QuotedUnits extends ChosenUnits, SeatAmounts {
  refundState: 'due' | 'pending' | null;
}

/** What a change does, with what is paid back. */
export interface QuotedChange {
  seats: QuotedSeat[];
  units: QuotedUnits[];
}

/** Why an order or a part of it cannot be changed. */
export type ChangeRefusal =
  | { outcome: 'event_archived' }
  | { outcome: 'event_cancelled' }
  | { outcome: 'event_ended' }
  | { outcome: 'not_paid'; status: OrderStatus }
  /** A refund of no particular seat is on its way, or the order itself is being changed. */
  | { outcome: 'busy' }
  /** Indexes of `cancelSeats` that are no seats of the order. */
  | { outcome: 'unknown_seats'; indexes: number[] }
  | { outcome: 'seat_cancelled'; index: number; seatId: string }
  | Exclude<UnitsDecision, { outcome: 'chosen' }>;

export type QuoteDecision = ({ outcome: 'quoted'; quote: Quote } & QuotedChange) | ChangeRefusal;

type ChangedOrder = CancelledOrder &
  OrderState &
  OrderWithAddons & { id: string; currency: string; cancelledSeatIds: readonly string[] };

/** What a quote rests on, beside the order. */
export interface QuoteFacts {
  /** The payment of the order. */
  paid: number;
  refunds: readonly ExistingRefund[];
  event: EventStart & { status: string; endsAt: Date | null; cancelledAt: Date | null };
  now: Date;
}

/** Decides what a change of an order pays back at this moment, or why it is not possible. */
export function decideQuote(
  order: ChangedOrder,
  { cancelSeats, cancelAddons }: ChangeRequest,
  facts: QuoteFacts,
): QuoteDecision {
  const refusal = findRefusal(order, facts);
  if (refusal) return refusal;
  const chosen = chooseSeats(order, cancelSeats);
  if ('outcome' in chosen) return chosen;
  const decided = decideUnits(order, cancelAddons, endingRegistrations(order, chosen));
  if (decided.outcome !== 'chosen') return decided;
  const ids = chosen.map(({ registrationId }) => registrationId);
  const amounts = seatAmountsOf(order, ids, facts);
  const left = leftOf(order, facts.paid, facts.refunds) - sumOf(amounts, 'refundAmount');
  const ofUnits = unitAmountsOf(order, decided.units, { ...facts, left });
  const withState = <Part extends object>(part: Part, paidBack: SeatAmounts) => ({
    ...part,
    ...paidBack,
    refundState: refundStateOf(order, paidBack),
  });
  const seats = chosen.flatMap((seat, n) => (amounts[n] ? withState(seat, amounts[n]) : []));
  const units = decided.units.flatMap((each, n) => (ofUnits[n] ? withState(each, ofUnits[n]) : []));
  const lines = [...seats.map(lineOfSeat), ...units.map(lineOfUnits)];
  const quote = { currency: order.currency, lines, ...totalsOf(lines) };
  return { outcome: 'quoted', quote, seats, units };
}

type ChosenSeat = OrderSeat & { registrationId: string };

/** The seats to cancel, each with its holder: seats of the order that are not cancelled. */
function chooseSeats(order: ChangedOrder, ids: readonly string[]): ChosenSeat[] | ChangeRefusal {
  const all = new Map(orderSeatsOf(order).map((seat) => [seat.id, seat]));
  const unknown = ids.flatMap((id, index) => (all.has(id) ? [] : index));
  if (unknown.length > 0) return { outcome: 'unknown_seats', indexes: unknown };
  const chosen = ids.flatMap((id) => all.get(id) ?? []);
  const index = chosen.findIndex(({ status }) => status === 'cancelled');
  const seatId = ids[index];
  if (seatId !== undefined) return { outcome: 'seat_cancelled', index, seatId };
  return chosen.map((seat) => ({ ...seat, registrationId: holderOf(seat) }));
}

/** The registration of a seat; of an open seat its own id, by which registration knows it. */
export const holderOf = ({ id, registrationId }: OrderSeat): string => registrationId ?? id;

/** The registrations of seats that are cancelled, by this change or before. */
const endingRegistrations = (order: ChangedOrder, chosen: readonly OrderSeat[]): string[] =>
  [...chosen, ...orderSeatsOf(order).filter(({ status }) => status === 'cancelled')].map(holderOf);

/** What the policy pays back for units, by the band of the seat of their receiver, without a fee. */
function unitAmountsOf(
  order: ChangedOrder,
  units: readonly ChosenUnits[],
  { event, now, left }: Pick<QuoteFacts, 'event' | 'now'> & { left: number },
): SeatAmounts[] {
  const seats = orderSeatsOf(order);
  const items = units.map(({ line, receiver, amount }) => {
    const seat = seats.find(({ registrationId }) => registrationId === receiver);
    const ticketTypeId = seat?.ticketTypeId ?? null;
    return { id: `${line} ${receiver}`, kind: 'addon' as const, ticketTypeId, amount };
  });
  return quoteRefund({ items, policy: order.refundPolicy, event, now, left }).items.map(
    ({ amount: paidAmount, refundAmount, keptAmount, feeAmount, band, reason }) => ({
      ...{ paidAmount, refundAmount, keptAmount, feeAmount, band, reason },
    }),
  );
}

function findRefusal(
  order: ChangedOrder,
  { event, now, refunds }: QuoteFacts,
): ChangeRefusal | null {
  // A cancelled event is archived, too.
  if (event.cancelledAt !== null) return { outcome: 'event_cancelled' };
  if (event.status === 'archived') return { outcome: 'event_archived' };
  if (event.endsAt !== null && event.endsAt <= now) return { outcome: 'event_ended' };
  if (order.status !== 'paid') return { outcome: 'not_paid', status: effectiveStatus(order) };
  const hasPendingAmount = refunds.some(
    ({ state, cause, registrationIds }) =>
      state === 'pending' && registrationIds.length === 0 && cause !== refundPolicyCause,
  );
  return hasPendingAmount || order.intent !== null ? { outcome: 'busy' } : null;
}

const lineOfSeat = ({ id, itemIndex, ...amounts }: OrderSeat & SeatAmounts): OrderQuoteLine => ({
  ...{ seatId: id, itemIndex, quantity: 1 },
  ...amountsOfLine(amounts),
});

const lineOfUnits = ({ line, quantity, ...amounts }: QuotedUnits): OrderQuoteLine => ({
  ...{ seatId: null, itemIndex: line, quantity },
  ...amountsOfLine(amounts),
});

const amountsOfLine = ({ paidAmount, refundAmount, feeAmount, band, reason }: SeatAmounts) => ({
  ...{ paid: paidAmount, refund: refundAmount, fee: feeAmount, amountToPay: 0, band, reason },
});

const totalsOf = (lines: readonly OrderQuoteLine[]) => ({
  refund: sumOf(lines, 'refund'),
  fee: sumOf(lines, 'fee'),
  amountToPay: sumOf(lines, 'amountToPay'),
});

const sumOf = <Field extends string>(
  parts: readonly Readonly<Record<Field, number>>[],
  field: Field,
): number => parts.reduce((sum, part) => sum + part[field], 0);

/** The seats and the units of add-ons of an order, with those that a change cancels. */
export const withoutCancelled = (
  order: ChangedOrder,
  { seats, units }: QuotedChange,
): { seats: Seat[]; cancelledAddons: CancelledUnits[] } => {
  const ids = orderSeatsOf(order).map(({ id }) => id);
  const isCancelled = (n: number) => seats.some(({ id }) => id === ids[n]);
  return {
    seats: order.seats.map((seat, n) => (isCancelled(n) ? { ...seat, isCancelled: true } : seat)),
    cancelledAddons: [
      ...order.cancelledAddons,
      ...units.map(({ line, registrationId, quantity, amount }) => ({
        ...{ line, registrationId, quantity, amount },
      })),
    ],
  };
};

/** A quote as it is stored. */
export interface StoredQuote {
  state: 'quoted' | 'executing' | 'done';
  isExpired: boolean;
  request: ChangeRequest;
  quote: Quote;
}

export type ExecutionDecision =
  | ({ outcome: 'execute' } & QuotedChange)
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
    ? { outcome: 'execute', seats: now.seats, units: now.units }
    : { outcome: 'expired' };
}

/** What two quotes are compared by: a stored one has its fields in another order. */
const textOf = ({ currency, lines }: Quote): string =>
  JSON.stringify([
    currency,
    lines.map((line) => [
      ...[line.seatId, line.itemIndex, line.quantity, line.paid, line.refund, line.fee],
      ...[line.amountToPay, line.band, line.reason],
    ]),
  ]);
