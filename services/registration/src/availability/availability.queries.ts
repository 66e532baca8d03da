import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { SaleMoment, Seats } from '@event-api/rules/remaining-seats';
import { takenOfGroupSql } from '../seats/taken-of-group.ts';

export type AvailabilityRow = Seats & SaleMoment;

// Expired reservations are subtracted, whether or not they have been closed yet.
const availability = statement<AvailabilityRow>(
  'availability',
  `select t.status, t.capacity, t.price_amount as "priceAmount", e.status as "eventStatus",
     coalesce(t.closes_at <= statement_timestamp(), false) as "saleHasEnded", coalesce(l.confirmed, 0) as confirmed,
     coalesce(l.waitlisted, 0) as waitlisted, coalesce(l.offered, 0) as offered,
     (coalesce(l.reserved, 0) - coalesce((
       select sum(s.quantity) from registration.seat_reservation c
       join registration.seat_reservation_item s on s.reservation_id = c.id
       where c.state = 'active' and c.expires_at <= statement_timestamp() and c.event_id = t.event_id
         and s.ticket_type_id = t.id
     ), 0))::int as reserved,
     case when t.capacity_group_id is not null then (
       select jsonb_build_object('id', g.id, 'capacity', g.capacity, 'taken', ${takenOfGroupSql})
       from jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int) where g.id = t.capacity_group_id
     ) end as "group"
   from registration.ticket_type_projection t
   join registration.event_projection e on e.id = t.event_id
   left join registration.seat_ledger l on l.ticket_type_id = t.id
   where (t.business_unit_id = $1) is true and (t.event_id = $2) is true and t.id = $3`,
);

/** The seats of a ticket type, or null if the projection has no such type. */
export async function findAvailability(
  db: Db,
  businessUnitId: string,
  eventId: string,
  typeId: string,
): Promise<AvailabilityRow | null> {
  const [row] = await db.query(availability, [businessUnitId, eventId, typeId]);
  return row ?? null;
}
