import type {
  fulfilReservation,
  ReservationInput,
} from '@event-api/contracts/internal/reservations';
import type { z } from 'zod';
import { attendeeEmailOf, recipientsOf, unitsOf } from '../orders/lines.rules.ts';
import type { OrderRow } from '../orders/orders.queries.ts';
import type { ReservedOrder } from './checkout.queries.ts';

/** The reservation of an order at registration. */
export const keyOf = ({
  businessUnitId,
  eventId,
  id: reservationId,
}: Pick<OrderRow, 'id' | 'businessUnitId' | 'eventId'>) => ({
  businessUnitId,
  eventId,
  reservationId,
});

/** The reservation with everything that registration needs to fulfil or check it. */
export const reservationOf = (order: ReservedOrder): ReservationInput => ({
  ...keyOf(order),
  buyer: { email: order.orderedEmail ?? order.email, name: order.name },
  seats: order.seats.map((seat) => ({
    // As sold: these are the seats that registration has reserved.
    ticketTypeId: seat.ticketTypeId,
    amount: seat.amount,
    email: attendeeEmailOf(seat),
    name: seat.name,
    inBundle: seat.inBundle,
  })),
  addonIds: order.addonIds,
  addons: recipientsOf(order.addons),
  addonUnits: unitsOf(order.addons),
  redemptionCode: order.redemptionCode,
});

/** The request that turns the reservation into registrations, which get the answers of the order. */
export const fulfilmentOf = (
  order: OrderRow,
  { reacquire }: { reacquire: boolean },
): z.input<typeof fulfilReservation.schema.body> => ({
  ...reservationOf(order),
  reacquire,
  responses: order.responses,
});
