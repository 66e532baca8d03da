import type { ChangedType } from '@event-api/contracts/http/order-changes';
import type { EventStart } from '@event-api/rules/refund-deadline';
import { quoteRefund } from '@event-api/rules/refund-quote';
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
  /** What the new ticket type costs. */
  price: number;
}

export type TypesRefusal =
  | SeatRefusal
  /** Entries of `changeTypes` that name no seat of the order, or no ticket type of the event. */
  | { outcome: 'unknown_types'; seats: number[]; types: number[] }
  | { outcome: 'same_type'; index: number }
  | { outcome: 'price_higher'; index: number; seatId: string };

/** Decides which seats get which ticket types: none that costs more than what was paid for the seat. */
export function decideTypes(
  order: ChangedOrder,
  requested: readonly ChangedType[],
  prices: ReadonlyMap<string, number>,
): ChosenType[] | TypesRefusal {
  const seatIds = requested.map(({ seatId }) => seatId);
  const seats = chooseSeats(order, seatIds, 'changeTypes');
  const unknown = requested.flatMap(({ ticketTypeId }, n) => (prices.has(ticketTypeId) ? [] : n));
  if ('outcome' in seats) {
    const isUnknown = seats.outcome === 'unknown_seats' && unknown.length > 0;
    return isUnknown ? { outcome: 'unknown_types', seats: seats.indexes, types: unknown } : seats;
  }
  if (unknown.length > 0) return { outcome: 'unknown_types', seats: [], types: unknown };
  const types = seats.map(({ id, itemIndex, registrationId, amount, ticketTypeId }, n) => {
    const to = requested[n]?.ticketTypeId ?? '';
    return {
      ...{ id, itemIndex, registrationId, amount, formerTypeId: ticketTypeId },
      ...{ ticketTypeId: to, price: prices.get(to) ?? 0 },
    };
  });
  const same = types.findIndex(({ formerTypeId, ticketTypeId }) => formerTypeId === ticketTypeId);
  if (same >= 0) return { outcome: 'same_type', index: same };
  const index = types.findIndex(({ price, amount }) => price > amount);
  const dearer = types[index];
  return dearer ? { outcome: 'price_higher', index, seatId: dearer.id } : types;
}

/**
 * What the policy of an order pays back of the differences: the percentage of the band of the
 * present ticket type, without a fee. Nothing of a seat whose price is paid back already.
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
    .map(({ id, formerTypeId, amount, price }) => ({
      ...{ id, kind: 'addon' as const, ticketTypeId: formerTypeId, amount: amount - price },
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
