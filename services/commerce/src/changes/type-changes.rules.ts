import type { ChangedType } from '@event-api/contracts/http/order-changes';
import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { seatIdOf } from '@event-api/contracts/seat-ids';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { quoteRefund } from '@event-api/rules/refund-quote';
import { amountsOfSeats } from '../orders/line-taxes.rules.ts';
import {
  isSeatRefunded,
  type QuotedAmounts,
  settledAmounts,
} from '../refunds/cancelled-seats.rules.ts';
import type { ExistingRefund } from '../refunds/refunds.rules.ts';
import {
  type ChangedOrder,
  type ChosenSeat,
  chooseSeats,
  type SeatRefusal,
} from './seats.rules.ts';

/** A seat that gets another ticket type. */
export interface ChosenType extends Pick<ChosenSeat, 'id' | 'itemIndex' | 'registrationId'> {
  /** The present ticket type of the seat. */
  formerTypeId: string;
  /** What is paid for the seat. */
  amount: number;
  ticketTypeId: string;
  /** What the new ticket type costs, with tax. */
  price: number;
  /** What it costs less than what is paid, and dearer types of the change do not take. */
  difference: number;
  /** What it costs more than what is paid, and cheaper types of the change do not give. */
  amountToPay: number;
}

/** The ticket types of the event and their prices, as the catalog has them. */
interface PresentPrices {
  prices: ReadonlyMap<string, number>;
  taxRates?: ReadonlyMap<string, AppliedTaxRate | null>;
}

type PricedType = Omit<ChosenType, 'difference' | 'amountToPay'>;

export type TypesRefusal =
  | SeatRefusal
  /** Entries of `changeTypes` that name no seat of the order, or no ticket type of the event. */
  | { outcome: 'unknown_types'; seats: number[]; types: number[] }
  | { outcome: 'same_type'; index: number }
  | { outcome: 'price_higher'; index: number; seatId: string };

/**
 * Decides which seats get which ticket types. What one costs more than what was paid for its seat is
 * taken from what others of the change cost less, and the rest is to be paid. A free order cannot pay:
 * all that it has created ends with its cancellation.
 */
export function decideTypes(
  order: ChangedOrder,
  requested: readonly ChangedType[],
  facts: PresentPrices & { refunds: readonly ExistingRefund[] },
): ChosenType[] | TypesRefusal {
  const seatIds = requested.map(({ seatId }) => seatId);
  const seats = chooseSeats(order, seatIds, 'changeTypes');
  const unknown = requested.flatMap(({ ticketTypeId }, n) =>
    facts.prices.has(ticketTypeId) ? [] : n,
  );
  if ('outcome' in seats) {
    const isUnknown = seats.outcome === 'unknown_seats' && unknown.length > 0;
    return isUnknown ? { outcome: 'unknown_types', seats: seats.indexes, types: unknown } : seats;
  }
  if (unknown.length > 0) return { outcome: 'unknown_types', seats: [], types: unknown };
  const types = seats.map(({ id, itemIndex, registrationId, amount, ticketTypeId }, n) => {
    const to = requested[n]?.ticketTypeId ?? '';
    return {
      ...{ id, itemIndex, registrationId, amount, formerTypeId: ticketTypeId },
      ...{ ticketTypeId: to, price: priceOf(order, { id, itemIndex }, to, facts) },
    };
  });
  const same = types.findIndex(({ formerTypeId, ticketTypeId }) => formerTypeId === ticketTypeId);
  if (same >= 0) return { outcome: 'same_type', index: same };
  return payDearer(types, { refunds: facts.refunds, isFree: order.totalAmount === 0 });
}

/** What a ticket type costs for a seat: what the seat would have cost if its line had been sold so. */
function priceOf(
  { id: orderId, lines, isReverseCharge = false }: ChangedOrder,
  { id, itemIndex }: Pick<ChosenSeat, 'id' | 'itemIndex'>,
  ticketTypeId: string,
  { prices, taxRates }: PresentPrices,
): number {
  const { firstSeat = 0, seatCount = 0 } = lines[itemIndex] ?? {};
  const price = {
    priceAmount: prices.get(ticketTypeId) ?? 0,
    taxRate: taxRates?.get(ticketTypeId) ?? null,
  };
  const amounts = amountsOfSeats(price, seatCount, { isReverseCharge });
  return amounts.find((_, n) => seatIdOf(orderId, firstSeat + n) === id) ?? 0;
}

/**
 * Takes what dearer types cost from the differences of cheaper ones, the first ones first on both sides.
 * The money of a seat whose price is paid back is decided: it pays for nothing, and nothing more is paid
 * for it.
 */
function payDearer(
  types: readonly PricedType[],
  { refunds, isFree }: { refunds: readonly ExistingRefund[]; isFree: boolean },
): ChosenType[] | TypesRefusal {
  const isSettled = ({ registrationId }: PricedType) => isSeatRefunded(refunds, registrationId);
  const saved = types
    .filter((type) => !isSettled(type))
    .reduce((sum, { amount, price }) => sum + Math.max(0, amount - price), 0);
  const dearer = types.map(({ amount, price }) => Math.max(0, price - amount));
  let cost = 0;
  for (const [index, type] of types.entries()) {
    const more = dearer[index] ?? 0;
    cost += more;
    if (more > 0 && ((isFree && cost > saved) || isSettled(type))) {
      return { outcome: 'price_higher', index, seatId: type.id };
    }
  }
  let given = Math.min(cost, saved);
  let taken = given;
  return types.map((type, n) => {
    const more = dearer[n] ?? 0;
    const paidByOthers = Math.min(more, given);
    given -= paidByOthers;
    const own = isSettled(type) ? 0 : Math.max(0, type.amount - type.price);
    const takenOfOwn = Math.min(own, taken);
    taken -= takenOfOwn;
    return { ...type, difference: own - takenOfOwn, amountToPay: more - paidByOthers };
  });
}

/**
 * What the policy of an order pays back of the differences that no dearer type takes: the percentage of
 * the band of the present ticket type, without a fee. Nothing of a seat whose price is paid back already.
 */
export function typeAmountsOf(
  order: Pick<ChangedOrder, 'refundPolicy'>,
  types: readonly ChosenType[],
  facts: { event: EventStart; now: Date; refunds: readonly ExistingRefund[]; left: number },
): QuotedAmounts[] {
  const { event, now, refunds, left } = facts;
  const isSettled = ({ registrationId }: ChosenType) => isSeatRefunded(refunds, registrationId);
  const items = types
    .filter((type) => !isSettled(type))
    .map(({ id, formerTypeId, difference: amount }) => ({
      ...{ id, kind: 'addon' as const, ticketTypeId: formerTypeId, amount },
    }));
  const quote = quoteRefund({ items, policy: order.refundPolicy, event, now, left });
  return types.map(({ id, amount, price }): QuotedAmounts => {
    const item = quote.items.find((each) => each.id === id);
    if (!item) return settledAmounts(amount - price, amount - price);
    const { amount: paidAmount, refundAmount, keptAmount, feeAmount, band, reason } = item;
    const { isLimited } = item;
    return { paidAmount, refundAmount, keptAmount, feeAmount, band, reason, isLimited };
  });
}
