import { isSeatId } from '@event-api/contracts/seat-ids';
import { seatPricesOf, wholePrice } from '../orders/seat-prices.rules.ts';
import {
  type CancelledOrder,
  isOfEvent,
  isPaidByEvent,
  paidBackOf,
  type SeatEvent,
} from './cancelled-seats.rules.ts';
import { dueIdsOf, type ExistingRefund, isRetained, leftOf } from './refunds.rules.ts';

/** A refund of the prices of registrations of an order. */
export interface SeatsRequest {
  extent: 'registrationIds';
  registrationIds: readonly string[];
  /** Whether the registrations stay. */
  keeps: boolean;
}

type SeatOrder = Omit<CancelledOrder, 'status' | 'eventCancelledAt' | 'isMoving'> & {
  status: string;
};

export type SeatsDecision =
  /** `revokes` are cancelled, also if there is nothing to pay for them. */
  | { outcome: 'refund'; dueIds: string[]; amount: number; revokes: readonly string[] }
  | { outcome: 'seats_refunded'; refundId: string }
  /** Indexes of `registrationIds` that are no registrations of the order. */
  | { outcome: 'unknown_seats'; indexes: number[] }
  | { outcome: 'nothing' };

/**
 * Decides what a refund of registrations pays and cancels. The price of a registration is paid
 * back once; pending refunds count, failed ones do not. Refunds never exceed the payments, so
 * after earlier refunds of an amount less than the price can be left. Registrations that refunds
 * have kept can be cancelled later, also when the order is fully refunded. An open seat is named by
 * its own id, and always cancelled: nobody could keep it.
 */
export function decideSeatsRefund(
  order: SeatOrder,
  refunds: readonly ExistingRefund[],
  event: SeatEvent | null,
  { registrationIds, keeps }: SeatsRequest,
): SeatsDecision {
  const ids = [...new Set(registrationIds)];
  const prices = refundablePrices(order, refunds, event);
  const indexes = registrationIds.flatMap((id, index) =>
    prices.has(id) && !(keeps && isSeatId(id)) ? [] : index,
  );
  if (indexes.length > 0) return { outcome: 'unknown_seats', indexes };
  const paidBack = refunds.filter(isPaid);
  const areRetained = ids.every((id) => isRetained(paidBack, id));
  if (order.status !== 'paid' && !(order.status === 'refunded' && areRetained)) {
    return { outcome: 'nothing' };
  }
  const price = ids.reduce((sum, id) => sum + (prices.get(id) ?? 0), 0);
  const amount = Math.min(price, leftOf(order, refunds));
  const isOf = (refund: ExistingRefund, id: string): boolean =>
    refund.registrationIds.includes(id) || (isOfEvent(refund) && isPaidByEvent(order, id, refunds));
  const before = paidBack.filter((refund) => ids.some((id) => isOf(refund, id)));
  const isRevoked = ids.every((id) =>
    before.some((refund) => (refund.revokesSeats || isOfEvent(refund)) && isOf(refund, id)),
  );
  if (amount > 0 || !(keeps || isRevoked)) {
    return { outcome: 'refund', dueIds: dueIdsOf(refunds), amount, revokes: keeps ? [] : ids };
  }
  const [first] = before;
  return first ? { outcome: 'seats_refunded', refundId: first.id } : { outcome: 'nothing' };
}

/**
 * What a refund of each registration of the order pays now, by id: 0 once its price is paid back,
 * the rest of its price after what the refund policy or the cancellation of the event has paid back
 * or made due, and at most what is left of the payments.
 */
export function refundablePrices(
  order: SeatOrder,
  refunds: readonly ExistingRefund[],
  event: SeatEvent | null,
): Map<string, number> {
  const left = leftOf(order, refunds);
  return new Map(
    seatPricesOf(order).flatMap((seat): [string, number][] => {
      const { registrationId: id, isUnfulfilled } = seat;
      if (id === null || isUnfulfilled) return [];
      const price = Math.max(0, wholePrice(seat) - paidBackOf(order, id, refunds, event));
      return [[id, Math.min(price, left)]];
    }),
  );
}

const isPaid = ({ state }: ExistingRefund): boolean => state === 'pending' || state === 'done';
