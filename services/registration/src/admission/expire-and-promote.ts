import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Admission } from './queue.ts';

/** How long a read waits for what is due. */
const readTimeoutMs = 1000;

/** After so many that moved nobody there is nobody: the ledger counts people who do not wait, which is told elsewhere. */
const maxIdleRounds = 2;

/** Of a ledger `l`, its ticket type `t` and its event `e`: whether people can move up, or may since `t` has changed. */
const canPromoteSql = `l.waitlisted > 0 and e.status <> 'archived' and (
    t.version > l.applied_version
    or (t.status <> 'archived' and (t.capacity is null or t.capacity > l.confirmed + l.held))
  )`;

const isDue = statement<{ due: boolean }>(
  'settle_is_due',
  `select exists (
     select from registration.seat_claim c
     where c.state = 'held' and c.expires_at <= statement_timestamp()
       and c.event_id = $2 and c.business_unit_id = $1
   ) or exists (
     select from registration.event_copy e
     join registration.seat_ledger l on l.event_id = e.id
     join registration.ticket_type_copy t on t.id = l.ticket_type_id
     where e.business_unit_id = $1 and e.id = $2 and ${canPromoteSql}
   ) as due`,
);

// Looks at claims that have run out and at types with a waitlist, and never at all events:
// `seat_claim_due` and `seat_ledger_waiting` hold few rows of either kind.
const dueEvents = statement<EventScope>(
  'settle_due_events',
  `(select distinct business_unit_id as "businessUnitId", event_id as "eventId"
    from registration.seat_claim where state = 'held' and expires_at <= statement_timestamp() limit 100)
   union
   (select distinct e.business_unit_id, e.id from registration.seat_ledger l
    join registration.event_copy e on e.id = l.event_id
    join registration.ticket_type_copy t on t.id = l.ticket_type_id
    where ${canPromoteSql} limit 100)`,
);

/** Events in which a claim has run out or people can move up. */
export const findDueEvents = (db: Db): Promise<EventScope[]> => db.query(dueEvents);

/**
 * Has what is due in an event settled before it is read: claims that have run out, and people who can
 * move up because of a changed ticket type. Waits a second at most, or `timeoutMs`, and never fails.
 */
export async function expireAndPromoteIfDue(
  { db, admission }: { db: Db; admission: Admission },
  scope: EventScope,
  timeoutMs = readTimeoutMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let idle = 0; idle < maxIdleRounds && performance.now() < deadline; ) {
    const [row] = await db.query(isDue, [scope.businessUnitId, scope.eventId]);
    if (!row?.due) return;
    const promotion = admission.submit<'settle'>(scope, { kind: 'settle' }).catch(() => null);
    const done = await Promise.race([promotion, after(deadline - performance.now())]);
    if (!done) return;
    if (done.rows.size === 0) idle += 1;
  }
}

const after = (ms: number): Promise<null> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms), null).unref());
