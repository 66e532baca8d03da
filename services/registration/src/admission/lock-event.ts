import type { EventStatus } from '@event-api/contracts/http/events';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

const lockRow = statement<{ now: Date; status: EventStatus }>(
  'admission_lock',
  `with locked as materialized (
     select event_id from registration.admission where event_id = $1 and business_unit_id = $2 for update
   )
   select clock_timestamp() as now, e.status
   from locked join registration.event_copy e on e.id = locked.event_id`,
);

const readRow = statement<{ now: Date; status: EventStatus }>(
  'admission_unlocked',
  `select clock_timestamp() as now, e.status
   from registration.admission a join registration.event_copy e on e.id = a.event_id
   where a.event_id = $1 and a.business_unit_id = $2`,
);

const makeRow = statement(
  'admission_make',
  `insert into registration.admission (event_id, business_unit_id)
   select id, business_unit_id from registration.event_copy where id = $1 and business_unit_id = $2
   on conflict do nothing`,
);

/**
 * Locks the event, the only lock that admission takes, and answers the database's time from then on.
 * Null for an event that is not known here. Tests prove with `unlocked` that they would notice.
 */
export async function lockEvent(
  tx: Tx,
  { eventId, businessUnitId }: EventScope,
  unlocked: boolean,
): Promise<{ now: Date; status: EventStatus } | null> {
  const take = unlocked ? readRow : lockRow;
  const [locked] = await tx.query(take, [eventId, businessUnitId]);
  if (locked) return locked;
  await tx.query(makeRow, [eventId, businessUnitId]);
  const [made] = await tx.query(take, [eventId, businessUnitId]);
  return made ?? null;
}
