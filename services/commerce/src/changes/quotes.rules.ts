import type { OrderQuoteLine } from '@event-api/contracts/http/order-changes';
import type { OrderStatus } from '@event-api/contracts/http/orders';
import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { quoteRefund } from '@event-api/rules/refund-quote';
import { type OrderSeat, orderSeatsOf } from '../orders/order-seats.rules.ts';
import { effectiveStatus } from '../orders/orders.rules.ts';
import { type QuotedAmounts, seatAmountsOf } from '../refunds/cancelled-seats.rules.ts';
import { type ExistingRefund, leftOf, refundPolicyCause } from '../refunds/refunds.rules.ts';
import { type ChosenUnits, decideUnits, type UnitsDecision } from './cancelled-units.rules.ts';
import {
  type ChangeRequest,
  effectOf,
  holdersOf,
  type Quote,
  type QuotedChange,
  type QuotedRequest,
} from './effect.rules.ts';
import {
  type ChangedOrder,
  type ChosenSeat,
  chooseSeats,
  holderOf,
  type SeatRefusal,
} from './seats.rules.ts';
import { decideTypes, type TypesRefusal, typeAmountsOf } from './type-changes.rules.ts';

/** Why an order cannot be changed, whatever the change. */
export type OrderRefusal =
  | { outcome: 'event_archived' }
  | { outcome: 'event_cancelled' }
  | { outcome: 'event_ended' }
  | { outcome: 'not_paid'; status: OrderStatus }
  /** A refund of no particular seat is on its way, or a step of the order is unfinished. */
  | { outcome: 'busy' };

/** Why an order or a part of it cannot be changed. */
export type ChangeRefusal =
  | OrderRefusal
  | SeatRefusal
  | TypesRefusal
  | Exclude<UnitsDecision, { outcome: 'chosen' }>;

export type QuoteDecision = { outcome: 'quoted'; quote: Quote } | ChangeRefusal;

/** What a quote rests on, beside the order. */
export interface QuoteFacts {
  refunds: readonly ExistingRefund[];
  event: EventStart & { status: string; endsAt: Date | null; cancelledAt: Date | null };
  /** The present prices of the requested ticket types of the event. */
  prices: ReadonlyMap<string, number>;
  /** Their tax rates. Missing without tax. */
  taxRates?: ReadonlyMap<string, AppliedTaxRate | null>;
  now: Date;
}

/** Decides what a change of an order pays back at this moment, or why it is not possible. */
export function decideQuote(
  order: ChangedOrder,
  { cancelSeats, cancelAddons, changeTypes = [] }: ChangeRequest,
  facts: QuoteFacts,
): QuoteDecision {
  const refusal = findRefusal(order, facts);
  if (refusal) return refusal;
  const seats = chooseSeats(order, cancelSeats, 'cancelSeats');
  if ('outcome' in seats) return seats;
  const types = decideTypes(order, changeTypes, facts);
  if ('outcome' in types) return types;
  const cancels = cancelSeats.length + cancelAddons.length > 0;
  const costly = types.findIndex(({ amountToPay }) => amountToPay > 0);
  const costlySeat = types[costly];
  // What it cancels would wait for the payment, and its refund could change meanwhile.
  if (cancels && costlySeat) {
    return { outcome: 'price_higher', index: costly, seatId: costlySeat.id };
  }
  const decided = decideUnits(order, cancelAddons, endingRegistrations(order, seats));
  if (decided.outcome !== 'chosen') return decided;
  const ids = seats.map(({ registrationId }) => registrationId);
  const ofSeats = seatAmountsOf(order, ids, facts);
  const before = leftOf(order, facts.refunds) - sumOf(ofSeats, 'refundAmount');
  const ofTypes = typeAmountsOf(order, types, { ...facts, left: before });
  const left = before - sumOf(ofTypes, 'refundAmount');
  const ofUnits = unitAmountsOf(order, decided.units, { ...facts, left });
  const lines = [
    ...seats.flatMap((seat, n) => lineOf(ofSeats[n], partOfSeat(seat))),
    ...types.flatMap((type, n) => {
      const { ticketTypeId, price, amount: paid, amountToPay } = type;
      return lineOf(ofTypes[n], { ...partOfSeat(type), ticketTypeId, price, paid, amountToPay });
    }),
    ...decided.units.flatMap(({ line: itemIndex, quantity }, n) =>
      lineOf(ofUnits[n], { ...cancelled, seatId: null, itemIndex, quantity }),
    ),
  ];
  return { outcome: 'quoted', quote: { currency: order.currency, lines, ...totalsOf(lines) } };
}

/** The registrations of seats that are cancelled, by this change or before. */
const endingRegistrations = (order: ChangedOrder, chosen: readonly ChosenSeat[]): string[] =>
  [...chosen, ...orderSeatsOf(order).filter(({ status }) => status === 'cancelled')].map(holderOf);

/** What the policy pays back for units, by the band of the seat of their receiver, without a fee. */
function unitAmountsOf(
  order: ChangedOrder,
  units: readonly ChosenUnits[],
  { event, now, left }: Pick<QuoteFacts, 'event' | 'now'> & { left: number },
): QuotedAmounts[] {
  const seats = orderSeatsOf(order);
  const items = units.map(({ line, receiver, amount }) => {
    const seat = seats.find(({ registrationId }) => registrationId === receiver);
    const ticketTypeId = seat?.ticketTypeId ?? null;
    return { id: `${line} ${receiver}`, kind: 'addon' as const, ticketTypeId, amount };
  });
  return quoteRefund({ items, policy: order.refundPolicy, event, now, left }).items.map(
    ({ amount: paidAmount, refundAmount, keptAmount, feeAmount, band, reason, isLimited }) => ({
      ...{ paidAmount, refundAmount, keptAmount, feeAmount, band, reason, isLimited },
    }),
  );
}

function findRefusal(
  order: ChangedOrder,
  { event, now, refunds }: QuoteFacts,
): OrderRefusal | null {
  // A cancelled event is archived, too.
  if (event.cancelledAt !== null) return { outcome: 'event_cancelled' };
  if (event.status === 'archived') return { outcome: 'event_archived' };
  if (event.endsAt !== null && event.endsAt <= now) return { outcome: 'event_ended' };
  if (order.status !== 'paid') return { outcome: 'not_paid', status: effectiveStatus(order) };
  const hasPendingAmount = refunds.some(
    ({ state, cause, registrationIds }) =>
      state === 'pending' && registrationIds.length === 0 && cause !== refundPolicyCause,
  );
  const isBusy = hasPendingAmount || order.intent !== null || order.isMoving;
  return isBusy ? { outcome: 'busy' } : null;
}

const cancelled = { ticketTypeId: null, price: null };

const partOfSeat = ({ id, itemIndex }: Pick<OrderSeat, 'id' | 'itemIndex'>) => ({
  ...{ seatId: id, itemIndex, quantity: 1, ...cancelled },
});

/** A line of a quote; none without amounts. */
const lineOf = (
  amounts: QuotedAmounts | undefined,
  part: Pick<OrderQuoteLine, 'seatId' | 'itemIndex' | 'quantity' | 'ticketTypeId' | 'price'> & {
    paid?: number;
    amountToPay?: number;
  },
): OrderQuoteLine[] => {
  if (!amounts) return [];
  const { paidAmount: paid, refundAmount: refund, feeAmount: fee, band, reason } = amounts;
  const { isLimited } = amounts;
  return [{ paid, refund, fee, amountToPay: 0, band, reason, isLimited, ...part }];
};

const totalsOf = (lines: readonly OrderQuoteLine[]) => ({
  refund: sumOf(lines, 'refund'),
  fee: sumOf(lines, 'fee'),
  amountToPay: sumOf(lines, 'amountToPay'),
});

const sumOf = <Field extends string>(
  parts: readonly Readonly<Record<Field, number>>[],
  field: Field,
): number => parts.reduce((sum, part) => sum + part[field], 0);

/** A quote as it is stored. */
export interface StoredQuote {
  state: 'quoted' | 'awaiting_payment' | 'moving' | 'executing' | 'done';
  isExpired: boolean;
  request: QuotedRequest;
  quote: Quote;
}

export type ExecutionDecision =
  | ({ outcome: 'execute' } & QuotedChange)
  /** It was executed before. */
  | { outcome: 'executed' }
  /** A new quote can be had. */
  | { outcome: 'expired' }
  /** No quote can be had. */
  | { outcome: 'refused'; refusal: OrderRefusal };

/**
 * Decides whether a quote is executed: if the same change of seats of the same persons is quoted now
 * with the same amounts. So whatever it rests on may change (the order, its refunds, the start of
 * the event, the time), as long as the amounts stay. What was quoted happens, or nothing does.
 */
export function decideExecution(
  order: ChangedOrder,
  { state, isExpired, request, quote }: StoredQuote,
  facts: QuoteFacts,
): ExecutionDecision {
  if (state !== 'quoted') return { outcome: 'executed' };
  const refusal = findRefusal(order, facts);
  if (refusal) return { outcome: 'refused', refusal };
  const { holders = holdersOf(order, request) } = request;
  const isTaken = holdersOf(order, request).some((holder, n) => holder !== holders[n]);
  if (isExpired || isTaken) return { outcome: 'expired' };
  const now = decideQuote(order, request, facts);
  return now.outcome === 'quoted' && textOf(now.quote) === textOf(quote)
    ? { outcome: 'execute', ...effectOf(order, { request, quote }) }
    : { outcome: 'expired' };
}

/** What two quotes are compared by: a stored one has its fields in another order. */
const textOf = ({ currency, lines }: Quote): string =>
  JSON.stringify([
    currency,
    lines.map((line) => [
      ...[line.seatId, line.itemIndex, line.quantity, line.paid, line.refund, line.fee],
      ...[line.amountToPay, line.band, line.reason, line.ticketTypeId ?? null, line.price ?? null],
    ]),
  ]);
