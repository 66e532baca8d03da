import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const close = statement(
  'event_lock_close',
  `update registration.event_lock set cancelled_at = coalesce(cancelled_at, clock_timestamp())
   where event_id = $1 and business_unit_id = $2`,
);

/** Marks a locked event as cancelled. */
export const writeClosed = (tx: Tx, { eventId, businessUnitId }: EventScope) =>
  tx.query(close, [eventId, businessUnitId]);

const closed = statement<{ isClosed: boolean }>(
  'event_lock_is_closed',
  `select cancelled_at is not null as "isClosed" from registration.event_lock
   where event_id = $1 and business_unit_id = $2`,
);

/** Whether an event is marked as cancelled, which is never undone. */
export async function isClosed(db: Db, { eventId, businessUnitId }: EventScope): Promise<boolean> {
  const [row] = await db.query(closed, [eventId, businessUnitId]);
  return row?.isClosed ?? false;
}

// Three reads of `registration_by_status`.
const activeRegistrations = statement<{ id: string }>(
  'event_active_registrations',
  `select r.id from unnest(array['confirmed', 'pending', 'waitlisted']) s(status) cross join lateral (
     select r.id from registration.registration r
     where r.business_unit_id = $2 and r.event_id = $1 and r.status = s.status
     order by r.insertion_order limit $3
   ) r limit $3`,
);

export async function findActiveRegistrations(
  db: Db,
  { eventId, businessUnitId }: EventScope,
  limit: number,
): Promise<string[]> {
  const rows = await db.query(activeRegistrations, [eventId, businessUnitId, limit]);
  return rows.map(({ id }) => id);
}

// The offer of a registration ends with it.
const activeReservations = statement<{ id: string }>(
  'event_active_reservations',
  `select c.id from registration.seat_reservation c
   where c.event_id = $1 and c.business_unit_id = $2 and c.state = 'active' and c.registration_id is null
   order by c.id limit $3`,
);

export async function findActiveReservations(
  db: Db,
  { eventId, businessUnitId }: EventScope,
  limit: number,
): Promise<string[]> {
  const rows = await db.query(activeReservations, [eventId, businessUnitId, limit]);
  return rows.map(({ id }) => id);
}

export interface ActiveCounts {
  confirmed: number;
  pending: number;
  waitlisted: number;
  reservations: number;
}

const active = statement<ActiveCounts>(
  'event_active_counts',
  `select coalesce(sum(n) filter (where status = 'confirmed'), 0)::int as confirmed,
     coalesce(sum(n) filter (where status = 'pending'), 0)::int as pending,
     coalesce(sum(n) filter (where status = 'waitlisted'), 0)::int as waitlisted,
     (select count(*)::int from registration.seat_reservation c
      where c.event_id = $1 and c.business_unit_id = $2 and c.state = 'active' and c.registration_id is null) as reservations
   from (
     select r.status, count(*) as n from registration.registration r
     where r.business_unit_id = $2 and r.event_id = $1 and r.status in ('confirmed', 'pending', 'waitlisted') group by 1
   ) counted`,
);

/** Counts the active registrations and the open reservations of orders. */
export async function countActive(
  db: Db,
  { eventId, businessUnitId }: EventScope,
): Promise<ActiveCounts> {
  const [row] = await db.query(active, [eventId, businessUnitId]);
  return row ?? { confirmed: 0, pending: 0, waitlisted: 0, reservations: 0 };
}
