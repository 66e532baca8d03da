import { isSeatId } from '@event-api/contracts/seat-ids';
import { type PricedSeats, seatPricesOf, wholePrice } from '../orders/seat-prices.rules.ts';
import {
  dueIdsOf,
  type ExistingRefund,
  isRetained,
  leftOf,
  refundPolicyCause,
} from './refunds.rules.ts';

/** A refund of the prices of registrations of an order. */
export interface SeatsRequest {
  extent: 'registrationIds';
  registrationIds: readonly string[];
  /** Whether the registrations stay. */
  keeps: boolean;
}

interface SeatOrder extends PricedSeats {
  status: string;
  settlementId: string | null;
}

export type SeatsDecision =
  /** `revokes` are cancelled, also if there is nothing to pay for them. */
  | { outcome: 'refund'; dueIds: string[]; amount: number; revokes: readonly string[] }
  | { outcome: 'seats_refunded'; refundId: string }
  /** Indexes of `registrationIds` that are no registrations of the order. */
  | { outcome: 'unknown_seats'; indexes: number[] }
  | { outcome: 'nothing' };

/**
 * Decides what a refund of registrations pays and cancels. The price of a registration is paid
 * back once; pending refunds count, failed ones do not. Refunds never exceed the payment `paid`, so
 * after earlier refunds of an amount less than the price can be left. Registrations that refunds
 * have kept can be cancelled later, also when the order is fully refunded. An open seat is named by
 * its own id, and always cancelled: nobody could keep it.
 */
export function decideSeatsRefund(
  order: SeatOrder,
  paid: number,
  refunds: readonly ExistingRefund[],
  { registrationIds, keeps }: SeatsRequest,
): SeatsDecision {
  const ids = [...new Set(registrationIds)];
  const prices = refundablePrices(order, paid, refunds);
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
  const amount = Math.min(price, leftOf(order, paid, refunds));
  const before = paidBack.filter((refund) => ids.some((id) => isOf(refund, id)));
  const isRevoked = ids.every((id) =>
    before.some((refund) => refund.revokesSeats && isOf(refund, id)),
  );
  if (amount > 0 || !(keeps || isRevoked)) {
    return { outcome: 'refund', dueIds: dueIdsOf(refunds), amount, revokes: keeps ? [] : ids };
  }
  const [first] = before;
  return first ? { outcome: 'seats_refunded', refundId: first.id } : { outcome: 'nothing' };
}

/**
 * What a refund of each registration of the order pays now, by id: 0 once its price is paid back,
 * the rest of its price after what the refund policy has paid back or made due, and at most what is
 * left of the payment.
 */
export function refundablePrices(
  order: SeatOrder,
  paid: number,
  refunds: readonly ExistingRefund[],
): Map<string, number> {
  const left = leftOf(order, paid, refunds);
  const refunded = new Set(
    refunds
      .filter((refund) => isPaid(refund) && refund.cause !== refundPolicyCause)
      .flatMap(({ registrationIds }) => registrationIds),
  );
  const byPolicy = refunds.filter(
    ({ cause, state }) =>
      cause === refundPolicyCause && state !== 'failed' && state !== 'withdrawn',
  );
  return new Map(
    seatPricesOf(order).flatMap((seat): [string, number][] => {
      const { registrationId, isUnfulfilled } = seat;
      if (registrationId === null || isUnfulfilled) return [];
      const isOpen = !refunded.has(registrationId);
      const promised = byPolicy
        .filter((refund) => isOf(refund, registrationId))
        .reduce((sum, { amount }) => sum + amount, 0);
      const price = Math.max(0, wholePrice(seat) - promised);
      return [[registrationId, isOpen ? Math.min(price, left) : 0]];
    }),
  );
}

const isPaid = ({ state }: ExistingRefund): boolean => state === 'pending' || state === 'done';

const isOf = ({ registrationIds }: ExistingRefund, id: string): boolean =>
  registrationIds.includes(id);
