import type { EventScope } from '@event-api/contracts/internal/scope';
import { withTimeout } from '@event-api/platform/core/deadline';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { takenOfGroupSql } from '../seats/taken-of-group.ts';
import { timeouts } from '../timeouts.ts';
import type { Admission } from './queue.ts';

/**
 * Stop after this many attempts that promoted no one: the ledger counts waitlisted registrations
 * that do not exist. The queue logs this.
 */
const maxIdleRounds = 2;

/**
 * Condition on a ledger `l`, its ticket type `t` and its event `e`: registrations can be promoted,
 * or a new version of `t` may allow it.
 */
const canPromoteSql = `l.waitlisted > 0 and e.status <> 'archived' and (
    t.version > l.ticket_type_version
    or (l.waitlisted > l.offered and t.status <> 'archived'
      and (t.price_amount = 0 or t.closes_at is null or t.closes_at > statement_timestamp())
      and (t.capacity is null or t.capacity > l.confirmed + l.reserved)
      and not exists (
        select from jsonb_to_recordset(e.capacity_groups) as g(id text, capacity int)
        where g.id = t.capacity_group_id and g.capacity <= ${takenOfGroupSql}))
  )`;

const isDue = statement<{ due: boolean }>(
  'event_is_due',
  `select exists (
     select from registration.seat_reservation c
     where c.state = 'active' and c.expires_at <= statement_timestamp()
       and c.event_id = $2 and c.business_unit_id = $1
   ) or exists (
     select from registration.event_projection e
     join registration.seat_ledger l on l.event_id = e.id
     join registration.ticket_type_projection t on t.id = l.ticket_type_id
     where e.business_unit_id = $1 and e.id = $2 and ${canPromoteSql}
   ) as due`,
);

// Reads expired reservations and types with a waitlist, never all events: `seat_reservation_due`
// and `seat_ledger_waiting` return few rows of either kind.
const dueEvents = statement<EventScope>(
  'due_events',
  `(select distinct business_unit_id as "businessUnitId", event_id as "eventId"
    from registration.seat_reservation where state = 'active' and expires_at <= statement_timestamp() limit 100)
   union
   (select distinct e.business_unit_id, e.id from registration.seat_ledger l
    join registration.event_projection e on e.id = l.event_id
    join registration.ticket_type_projection t on t.id = l.ticket_type_id
    where ${canPromoteSql} limit 100)`,
);

/**
 * Returns events with an expired reservation or with registrations to promote, at most 100 of each.
 */
export const findDueEvents = (db: Db): Promise<EventScope[]> => db.query(dueEvents);

/**
 * Expires reservations and promotes from the waitlist before an event is read, where this is due.
 * Waits for `timeoutMs` at most. A failed promotion does not fail the read.
 */
export async function expireAndPromoteIfDue(
  { db, admission }: { db: Db; admission: Admission },
  scope: EventScope,
  timeoutMs = timeouts.promotionBeforeReadMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let idle = 0; idle < maxIdleRounds && performance.now() < deadline; ) {
    const [row] = await db.query(isDue, [scope.businessUnitId, scope.eventId]);
    if (!row?.due) return;
    const promotion = admission.submit<'promote'>(scope, { kind: 'promote' }).catch(() => null);
    const promoted = await withTimeout(promotion, Math.max(0, deadline - performance.now()));
    if (promoted.outcome === 'late' || promoted.value === null) return;
    if (promoted.value.rows.size === 0) idle += 1;
  }
}
