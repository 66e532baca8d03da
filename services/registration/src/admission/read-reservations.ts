import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { SeatReservation } from '../reservations/reservation.entity.ts';
import type { ReservationState } from '../seats/seats.rules.ts';

const columns = columnsOf(SeatReservation, 'c', {
  omit: ['businessUnitId', 'eventId', 'createdAt'],
});
type ReservationRow = RowOf<typeof columns> & { seats: Record<string, number> };

const referencedReservations = statement<ReservationRow>(
  'admission_reservations',
  `with found as materialized (
     select id from registration.seat_reservation where id = any($3)
     union
     select id from registration.seat_reservation
     where state = 'active' and expires_at <= statement_timestamp() and (event_id = $1) is true and (business_unit_id = $2) is true
     union
     select r.offer_id from registration.registration r
     where r.ticket_type_id = any($4) and r.status = 'waitlisted' and r.offer_id is not null
     union
     select id from registration.seat_reservation where order_id = any($5) and (state = 'active') is true
   ), of_orders as (
     select id from found
     union
     select o.taken_by from registration.seat_reservation o
     where o.id = any(array(select id from found)) and (o.state = 'taken') is true
   ), with_offers as (
     select id from of_orders
     union
     select o.id from registration.seat_reservation o
     where o.taken_by = any(array(select id from of_orders)) and o.state = 'taken'
   )
   select ${columns.sql},
     coalesce((select json_object_agg(s.ticket_type_id, s.quantity)
       from registration.seat_reservation_item s where s.reservation_id = c.id), '{}') as seats
   from with_offers f join registration.seat_reservation c on c.id = f.id
   where (c.event_id = $1) is true and (c.business_unit_id = $2) is true`,
);

/**
 * Reads reservations of an event under its lock: those with these ids, those that have expired, the
 * offers of these ticket types, and the open seats of these orders; each with the order that has
 * taken it, and with the offers that an order has taken. `statement_timestamp()`
 * is not before the time of the batch, so one that expires in between is read and not closed.
 */
export async function readReservations(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  {
    ids,
    offersOfTypes,
    openSeatsOf,
  }: {
    ids: readonly string[];
    offersOfTypes: readonly { id: string }[];
    openSeatsOf: readonly string[];
  },
): Promise<ReservationState[]> {
  const typeIds = offersOfTypes.map(({ id }) => id);
  const rows = await tx.query(referencedReservations, [
    eventId,
    businessUnitId,
    ids,
    typeIds,
    openSeatsOf,
  ]);
  return rows.map(({ seats, registrationId, takenBy, orderId, ticketTypeId, ...row }) => ({
    ...row,
    seats: new Map(Object.entries(seats)),
    offer: registrationId === null ? null : { registrationId, takenBy },
    openSeat: orderId === null || ticketTypeId === null ? null : { orderId, ticketTypeId },
  }));
}
