import type { OrderStatus, SeatStatus } from '@event-api/contracts/http/orders';
import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
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
}

/**
 * The seats of an order, in the order of its items. The id of a seat is made of the id of the order
 * and the place of the seat, which never change.
 */
export const orderSeatsOf = (order: OrderWithSeats): OrderSeat[] =>
  seatPricesOf(order).map(({ line, registrationId, isUnfulfilled, amount }, n) => {
    const hasEnded =
      registrationId === null
        ? hasEndedUnfulfilled(order.status)
        : isUnfulfilled || isEnded(order.registrationStatuses[registrationId]);
    const { ticketTypeId = '', isCancelled = false } = order.seats[n] ?? {};
    return {
      id: `${order.id.replace(/^ord/, 'seat')}_${n + 1}`,
      itemIndex: line,
      ticketTypeId,
      status: hasEnded || isCancelled ? 'cancelled' : 'assigned',
      registrationId,
      amount,
    };
  });

const hasEndedUnfulfilled = (status: OrderStatus): boolean =>
  status !== 'held' && status !== 'awaiting_payment' && status !== 'paid';

const isEnded = (status: RegistrationStatus | undefined): boolean =>
  status === 'cancelled' || status === 'rejected';
