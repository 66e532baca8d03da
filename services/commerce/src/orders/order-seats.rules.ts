import type { OrderStatus, SeatStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import { isSeatId, seatIdOf } from '@event-api/contracts/seat-ids';
import { attendeeEmailOf, presentSeat } from './lines.rules.ts';
import { effectiveStatus, type OrderState } from './orders.rules.ts';
import { type PricedSeats, seatPricesOf } from './seat-prices.rules.ts';

/** A seat of an order as the API shows it. */
export interface OrderSeat {
  id: string;
  itemIndex: number;
  ticketTypeId: string;
  status: SeatStatus;
  registrationId: string | null;
  amount: number;
}

interface OrderWithSeats extends PricedSeats {
  id: string;
  /** Its effective status. */
  status: OrderStatus;
  /** The statuses of its registrations, as far as they are known. */
  registrationStatuses: Readonly<Record<string, RegistrationStatus>>;
  /** The open seats that were cancelled alone. */
  cancelledSeatIds: readonly string[];
}

/** The seats of an order, in the order of its items. */
export const orderSeatsOf = (order: OrderWithSeats): OrderSeat[] =>
  seatPricesOf(order).map(({ line, registrationId: holder, isUnfulfilled, amount }, n) => {
    const registrationId = holder !== null && isSeatId(holder) ? null : holder;
    const hasEnded =
      registrationId === null
        ? hasEndedUnfulfilled(order.status) || order.cancelledSeatIds.includes(holder ?? '')
        : isUnfulfilled || isEnded(order.registrationStatuses[registrationId]);
    const seat = order.seats[n];
    const isUnnamed = seat !== undefined && attendeeEmailOf(seat) === null;
    const isOpen = holder === null ? isUnnamed : registrationId === null;
    return {
      id: seatIdOf(order.id, n),
      itemIndex: line,
      ticketTypeId: seat ? presentSeat(seat).ticketTypeId : '',
      status: hasEnded || seat?.isCancelled ? 'cancelled' : isOpen ? 'open' : 'assigned',
      registrationId,
      amount,
    };
  });

/** The seats of an order as it is now, also while a step of it is unfinished. */
export const currentSeatsOf = (order: OrderWithSeats & OrderState): OrderSeat[] =>
  orderSeatsOf({ ...order, status: effectiveStatus(order) });

const hasEndedUnfulfilled = (status: OrderStatus): boolean =>
  status !== 'held' && status !== 'awaiting_payment' && status !== 'paid';

/** Whether a registration is no longer active, as far as its status is known. */
export const isEnded = (status: RegistrationStatus | undefined): boolean =>
  status === 'cancelled' || status === 'rejected';
