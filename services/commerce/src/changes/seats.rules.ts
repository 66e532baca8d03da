import { type OrderSeat, orderSeatsOf } from '../orders/order-seats.rules.ts';
import type { OrderState } from '../orders/orders.rules.ts';
import type { CancelledOrder } from '../refunds/cancelled-seats.rules.ts';
import type { OrderWithAddons } from './cancelled-units.rules.ts';

/** An order as far as its changes depend on it. */
export type ChangedOrder = CancelledOrder &
  OrderState &
  OrderWithAddons & {
    id: string;
    currency: string;
    cancelledSeatIds: readonly string[];
    /** Missing without. */
    isReverseCharge?: boolean;
  };

/** The seat of an order with its holder. */
export type ChosenSeat = OrderSeat & { registrationId: string };

/** The field of a request that names seats. */
type SeatList = 'cancelSeats' | 'changeTypes';

export type SeatRefusal =
  /** These entries of the list name no seats of the order. */
  | { outcome: 'unknown_seats'; list: SeatList; indexes: number[] }
  | { outcome: 'seat_cancelled'; list: SeatList; index: number; seatId: string };

/** The seats with these ids, each with its holder: seats of the order that are not cancelled. */
export function chooseSeats(
  order: ChangedOrder,
  ids: readonly string[],
  list: SeatList,
): ChosenSeat[] | SeatRefusal {
  const all = new Map(orderSeatsOf(order).map((seat) => [seat.id, seat]));
  const unknown = ids.flatMap((id, index) => (all.has(id) ? [] : index));
  if (unknown.length > 0) return { outcome: 'unknown_seats', list, indexes: unknown };
  const chosen = ids.flatMap((id) => all.get(id) ?? []);
  const index = chosen.findIndex(({ status }) => status === 'cancelled');
  const seatId = ids[index];
  if (seatId !== undefined) return { outcome: 'seat_cancelled', list, index, seatId };
  return chosen.map((seat) => ({ ...seat, registrationId: holderOf(seat) }));
}

/** The registration of a seat; of an open seat its own id, by which registration knows it. */
export const holderOf = ({ id, registrationId }: Pick<OrderSeat, 'id' | 'registrationId'>) =>
  registrationId ?? id;
