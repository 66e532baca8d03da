import { defineEntity, p } from '@mikro-orm/core';
import type { Fulfilment } from '../seats/seats.rules.ts';

/** `taken`: an offer whose seat an order has reserved. */
export const reservationStates = ['active', 'taken', 'fulfilled', 'released', 'expired'] as const;

/**
 * Seats reserved for an order, the seat that is offered to a waitlisted registration, or a sold seat
 * that is open.
 */
export const SeatReservation = defineEntity({
  name: 'SeatReservation',
  tableName: 'seat_reservation',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    state: p.enum(reservationStates),
    expiresAt: p.datetime(3).nullable(),
    /** Normalized; null if only the release of the reservation has arrived. */
    buyerEmail: p.text().nullable(),
    /** All of its seats, including those that require approval and so are not reserved. */
    seatCount: p.integer().default(0),
    redemptionCodeId: p.text().nullable(),
    codeUses: p.integer().default(0),
    /** The result of the fulfilment, which a repeated call returns. */
    fulfilment: p.json<Fulfilment>().nullable(),
    /** The registrations whose offers the order has taken; it delivers these seats to no others. */
    offeredTo: p.array().columnType('text[]').default([]),
    /** The registration that the seat is offered to; null for the reservation of an order. */
    registrationId: p.text().nullable(),
    /** The order that has reserved the seat of the offer. */
    takenBy: p.text().nullable(),
    /** The order that has paid for the open seat, and the type of the seat; null for all others. */
    orderId: p.text().nullable(),
    ticketTypeId: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    {
      name: 'seat_reservation_taken',
      expression:
        "create index seat_reservation_taken on registration.seat_reservation (taken_by) where state = 'taken'",
    },
    {
      name: 'seat_reservation_of_order',
      expression:
        'create index seat_reservation_of_order on registration.seat_reservation (order_id) where order_id is not null',
    },
    { name: 'seat_reservation_due', properties: ['state', 'expiresAt'] },
    { name: 'seat_reservation_of_buyer', properties: ['eventId', 'buyerEmail', 'state'] },
  ],
});

/** How many seats of a type, or units of an add-on, a reservation has. */
export const SeatReservationItem = defineEntity({
  name: 'SeatReservationItem',
  tableName: 'seat_reservation_item',
  properties: {
    reservationId: p.text().primary(),
    /** The id of the ticket type or add-on. */
    ticketTypeId: p.text().primary(),
    quantity: p.integer().check('quantity > 0'),
  },
});
