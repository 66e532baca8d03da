import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

export interface AvailabilityRow {
  capacity: number | null;
  confirmed: number;
  waitlisted: number;
  reserved: number;
  canPromote: boolean;
}

// Expired reservations are subtracted, whether or not they have been closed yet. `canPromote` is
// the rule of `seats/seats.rules.ts`.
const availability = statement<AvailabilityRow>(
  'availability',
  `select t.capacity, coalesce(l.confirmed, 0) as confirmed, coalesce(l.waitlisted, 0) as waitlisted,
     (coalesce(l.reserved, 0) - coalesce((
       select sum(s.quantity) from registration.seat_reservation c
       join registration.seat_reservation_item s on s.reservation_id = c.id
       where c.state = 'active' and c.expires_at <= statement_timestamp() and c.event_id = t.event_id
         and s.ticket_type_id = t.id
     ), 0))::int as reserved,
     coalesce(l.waitlisted > l.offered, false) and t.status <> 'archived' and e.status <> 'archived'
       and (t.price_amount = 0 or t.closes_at is null or t.closes_at > statement_timestamp()) as "canPromote"
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
