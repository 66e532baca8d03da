import { defineEntity, p } from '@mikro-orm/core';

export const reservationStates = ['active', 'fulfilled', 'released', 'expired'] as const;

/** Seats reserved for an order. */
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
    fulfilment: p.json().nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    { name: 'seat_reservation_due', properties: ['state', 'expiresAt'] },
    { name: 'seat_reservation_of_buyer', properties: ['eventId', 'buyerEmail', 'state'] },
  ],
});

/** How many seats of a type a reservation has. */
export const SeatReservationItem = defineEntity({
  name: 'SeatReservationItem',
  tableName: 'seat_reservation_item',
  properties: {
    reservationId: p.text().primary(),
    ticketTypeId: p.text().primary(),
    quantity: p.integer().check('quantity > 0'),
  },
});
