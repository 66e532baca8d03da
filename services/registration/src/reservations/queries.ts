import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { AttendeeRegistration } from './check/rules.ts';

const activeOfEmails = statement<AttendeeRegistration>(
  'reservation_attendees_registered',
  `select normal_email as "normalEmail", status, ticket_type_id as "ticketTypeId", order_id as "orderId" from registration.registration
   where event_id = $2 and business_unit_id = $1 and active_email = any($3)`,
);

/** The active registrations of these normalized emails. */
export const findActiveOfEmails = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
  emails: readonly string[],
): Promise<AttendeeRegistration[]> => db.query(activeOfEmails, [businessUnitId, eventId, emails]);

export interface ReservationStats {
  seats: number;
  /** How long ago the oldest active reservation expired; 0 if none has expired. */
  overdueSeconds: number;
}

// Served by `seat_reservation_due`, oldest first. The limit is above what a sale has at once and bounds
// the query's time.
const reservationStats = statement<ReservationStats>(
  'reservation_stats',
  `with active as (
     select id, expires_at from registration.seat_reservation where state = 'active' order by expires_at limit 20000
   )
   select coalesce(sum((
       select sum(s.quantity) from registration.seat_reservation_item s where s.reservation_id = active.id)), 0)::int as seats,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(expires_at)), 0))::float8 as "overdueSeconds"
   from active`,
);

/** Returns the reserved seats of the oldest 20,000 active reservations. */
export async function readReservationStats(db: Db): Promise<ReservationStats> {
  const [row] = await db.query(reservationStats);
  return row ?? { seats: 0, overdueSeconds: 0 };
}
