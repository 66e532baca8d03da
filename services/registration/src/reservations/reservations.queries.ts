import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Registration } from '../registrations/registration.entity.ts';
import type { AttendeeRegistration, LostAttendee } from './check.rules.ts';
import { SeatReservation } from './reservation.entity.ts';

const attendee = columnsOf(Registration, 'r', {
  only: ['normalEmail', 'status', 'ticketTypeId', 'orderId'],
});

const activeOfEmails = statement<RowOf<typeof attendee>>(
  'reservation_attendees_registered',
  `select ${attendee.sql} from registration.registration r
   where r.event_id = $2 and r.business_unit_id = $1 and r.active_email = any($3)`,
);

/** The active registrations of these normalized emails. */
export const findActiveOfEmails = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  emails: readonly string[],
): Promise<AttendeeRegistration[]> => db.query(activeOfEmails, [businessUnitId, eventId, emails]);

const lostAttendees = statement<LostAttendee>(
  'reservation_attendees_lost',
  `select c.id as "reservationId", r.normal_email as "normalEmail"
   from registration.seat_reservation c cross join lateral unnest(c.offered_to) o(id)
   join registration.registration r on r.id = o.id
   where c.id = any($3) and (c.event_id = $2) is true and (c.business_unit_id = $1) is true
     and (r.business_unit_id = $1) is true and (r.active_email is null) is true`,
);

/** The registrations that have ended of those whose offers these reservations have taken. */
export const findLostAttendees = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  reservationIds: readonly string[],
): Promise<LostAttendee[]> => db.query(lostAttendees, [businessUnitId, eventId, reservationIds]);

/** An active registration that a fulfilled order lists and another order has. */
export interface HandedOverRegistration {
  registrationId: string;
  orderId: string;
  ticketTypeId: string | null;
}

const handedOver = statement<HandedOverRegistration>(
  'reservation_handed_over',
  `select r.id as "registrationId", r.order_id as "orderId", r.ticket_type_id as "ticketTypeId"
   from registration.seat_reservation c cross join jsonb_array_elements(c.fulfilment->'seats') s
   join registration.registration r on r.id = s->>'registrationId'
   where c.id = $3 and (c.event_id = $2) is true and (c.business_unit_id = $1) is true and (r.business_unit_id = $1) is true
     and r.order_id <> c.id and r.active_email is not null`,
);

/** The registrations in the fulfilment of an order that belong to another order now. */
export const findHandedOver = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  orderId: string,
): Promise<HandedOverRegistration[]> => db.query(handedOver, [businessUnitId, eventId, orderId]);

const scope = columnsOf(SeatReservation, 'c', { only: ['businessUnitId', 'eventId'] });

/**
 * A fulfilled reservation of an order, with the active registrations of the order and its open
 * seats.
 */
export interface FulfilledReservation extends RowOf<typeof scope> {
  orderId: string;
  registrationIds: string[];
  /** The units of add-ons that these registrations have from the order. */
  units: { registrationId: string; addonId: string; quantity: number }[];
  /** Its changes of ticket types that have happened. */
  typeChanges: string[];
}

const fulfilled = statement<FulfilledReservation>(
  'reservations_fulfilled',
  `select c.id as "orderId", ${scope.sql}, array(
     select r.id from registration.registration r
     where r.order_id = c.id and (r.business_unit_id = c.business_unit_id) is true and r.active_email is not null
     union all
     select s.id from registration.seat_reservation s
     where s.order_id = c.id and (s.business_unit_id = c.business_unit_id) is true and (s.state = 'active') is true
     order by 1
   ) as "registrationIds", (
     select coalesce(jsonb_agg(jsonb_build_object('registrationId', r.id, 'addonId', a.addon_id, 'quantity', a.quantity)
       order by r.id, a.addon_id), '[]')
     from registration.registration r join registration.registration_addon a on a.registration_id = r.id
     where r.order_id = c.id and (r.business_unit_id = c.business_unit_id) is true and r.active_email is not null
       and a.order_id = c.id and (a.business_unit_id = c.business_unit_id) is true
   ) as units, array(
     select t.key from jsonb_each_text(c.fulfilment->'typeChanges') t where t.value = 'changed' order by 1
   ) as "typeChanges"
   from registration.seat_reservation c
   where c.id > $2 and c.state = 'fulfilled' and c.registration_id is null and c.order_id is null and ($1::text is null or c.business_unit_id = $1)
   order by c.id limit $3`,
);

/** The fulfilled reservations of orders after an id, of one business unit, or of all with null. */
export const findFulfilledReservations = (
  db: Db,
  businessUnitId: string | null,
  { after, limit }: { after: string; limit: number },
): Promise<FulfilledReservation[]> => db.query(fulfilled, [businessUnitId, after, limit]);

export interface ReservationStats {
  seats: number;
  /** How long ago the oldest active reservation expired; 0 if none has expired. */
  overdueSeconds: number;
}

// Served by `seat_reservation_due`, oldest first. The limit is above what a sale has at once and
// bounds the query's time.
const reservationStats = statement<ReservationStats>(
  'reservation_stats',
  `with active as (
     select id, expires_at from registration.seat_reservation where state = 'active' and order_id is null
     order by expires_at limit 20000
   )
   select coalesce(sum((
       select sum(s.quantity) from registration.seat_reservation_item s
       where s.reservation_id = active.id and s.ticket_type_id not like 'addon\\_%')), 0)::int as seats,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(expires_at)), 0))::float8 as "overdueSeconds"
   from active`,
);

/** Returns the reserved seats of the oldest 20,000 active reservations. */
export async function readReservationStats(db: Db): Promise<ReservationStats> {
  const [row] = await db.query(reservationStats);
  return row ?? { seats: 0, overdueSeconds: 0 };
}
