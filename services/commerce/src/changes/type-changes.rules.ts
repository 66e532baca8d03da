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
}

/** The ticket types of the event and their prices, as the catalog has them. */
interface PresentPrices {
  prices: ReadonlyMap<string, number>;
  taxRates?: ReadonlyMap<string, AppliedTaxRate | null>;
}

type PricedType = Omit<ChosenType, 'difference'>;

export type TypesRefusal =
  | SeatRefusal
  /** Entries of `changeTypes` that name no seat of the order, or no ticket type of the event. */
  | { outcome: 'unknown_types'; seats: number[]; types: number[] }
  | { outcome: 'same_type'; index: number }
  | { outcome: 'price_higher'; index: number; seatId: string };

/**
 * Decides which seats get which ticket types. One may cost more than what was paid for its seat, if
 * others of the change cost as much less.
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
  return payDearer(types, facts.refunds);
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
 * Takes what dearer types cost from the differences of cheaper ones, the first ones first. The money
 * of a seat whose price is paid back is decided: it pays for nothing, and nothing more is paid for it.
 */
function payDearer(
  types: readonly PricedType[],
  refunds: readonly ExistingRefund[],
): ChosenType[] | TypesRefusal {
  const isSettled = ({ registrationId }: PricedType) => isSeatRefunded(refunds, registrationId);
  const saved = types
    .filter((type) => !isSettled(type))
    .reduce((sum, { amount, price }) => sum + Math.max(0, amount - price), 0);
  let cost = 0;
  for (const [index, type] of types.entries()) {
    const { id: seatId, amount, price } = type;
    cost += Math.max(0, price - amount);
    if (price > amount && (cost > saved || isSettled(type))) {
      return { outcome: 'price_higher', index, seatId };
    }
  }
  return types.map((type) => {
    const own = isSettled(type) ? 0 : Math.max(0, type.amount - type.price);
    const taken = Math.min(own, cost);
    cost -= taken;
    return { ...type, difference: own - taken };
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
