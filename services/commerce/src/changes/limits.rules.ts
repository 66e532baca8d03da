import { type OrderSeat, orderSeatsOf } from '../orders/order-seats.rules.ts';
import type { ChangeRequest } from './effect.rules.ts';
import type { ChangedOrder } from './seats.rules.ts';

/** How many seats of a ticket type an order has before and after a change. */
interface ChangedCount {
  ticketTypeId: string;
  before: number;
  after: number;
  /** Whether bundles have all of them after the change. */
  isBundled: boolean;
}

/**
 * Counts the seats of an order by each ticket type that seats of a change leave or get, which
 * registration compares with the limits per order. Seats that are cancelled, by the change or before,
 * count neither before nor after: cancelling breaks no limit, and makes room.
 */
export function countsOf(
  order: ChangedOrder,
  { cancelSeats, changeTypes = [] }: Pick<ChangeRequest, 'cancelSeats' | 'changeTypes'>,
): ChangedCount[] {
  const seats = orderSeatsOf(order).flatMap((seat, n) => {
    const isGone = seat.status === 'cancelled' || cancelSeats.includes(seat.id);
    return isGone ? [] : [after(seat, order.seats[n], changeTypes)];
  });
  const moved = seats.filter(({ from, to }) => from !== to);
  return [...new Set(moved.flatMap(({ from, to }) => [from, to]))].map((ticketTypeId) => {
    const ofType = seats.filter(({ to }) => to === ticketTypeId);
    return {
      ticketTypeId,
      before: seats.filter(({ from }) => from === ticketTypeId).length,
      after: ofType.length,
      isBundled: ofType.every(({ isBundled }) => isBundled),
    };
  });
}

/** A seat with another type than its bundle has sold is a seat by itself. */
function after(
  { id, ticketTypeId: from }: OrderSeat,
  sold: ChangedOrder['seats'][number] | undefined,
  changeTypes: NonNullable<ChangeRequest['changeTypes']>,
) {
  const to = changeTypes.find(({ seatId }) => seatId === id)?.ticketTypeId ?? from;
  return { from, to, isBundled: sold?.inBundle === true && sold.ticketTypeId === to };
}
