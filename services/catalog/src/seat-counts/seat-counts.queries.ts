import type { EventStatus } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { SharedCapacity } from '@event-api/rules/remaining-seats';

/** The projected seats of a ticket type, and whether its sale has ended. */
export interface SeatCounts {
  confirmed: number;
  waitlisted: number;
  offered: number;
  reserved: number;
  saleHasEnded: boolean;
}

/** Their expressions for a ticket type `t` that is joined by `joinSeats`. */
export const selectSeats = `coalesce(s.confirmed, 0) as confirmed, coalesce(s.waitlisted, 0) as waitlisted,
  coalesce(s.offered, 0) as offered, coalesce(s.reserved, 0) as reserved,
  coalesce(t.closes_at <= statement_timestamp(), false) as "saleHasEnded"`;

export const joinSeats = 'left join catalog.seat_count s on s.id = t.id';

/** The event of a record, which decides about its remaining seats. */
export interface StatusOfEvent {
  eventStatus: EventStatus;
}

/** Its expression, in statements whose first two values are the scope. */
export const eventStatusSql =
  '(select e.status from catalog.event e where (e.business_unit_id = $1) is true and e.id = $2)';

const groupsOfEvent = statement<SharedCapacity>(
  'capacity_groups_taken',
  `select g.id, g.capacity, coalesce((
     select sum(m.confirmed + coalesce(m.reserved, 0))
     from catalog.ticket_type u join catalog.seat_count m on m.id = u.id
     where u.capacity_group_id = g.id and (u.event_id = $2) is true and (u.business_unit_id = $1) is true
   ), 0)::int as taken
   from catalog.event e cross join jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int)
   where (e.business_unit_id = $1) is true and e.id = $2`,
);

/**
 * Adds the capacities that rows share with others. In a query of its own: its cost would decide
 * which index the statement of a list uses.
 */
export async function withGroups<Row extends { capacityGroupId: string | null }>(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  rows: readonly Row[],
): Promise<(Row & { group: SharedCapacity | null })[]> {
  const isShared = rows.some(({ capacityGroupId }) => capacityGroupId !== null);
  const groups = isShared ? await db.query(groupsOfEvent, [businessUnitId, eventId]) : [];
  return rows.map((row) => ({
    ...row,
    group: groups.find(({ id }) => id === row.capacityGroupId) ?? null,
  }));
}
