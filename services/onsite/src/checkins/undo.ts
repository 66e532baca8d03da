import type { EventScope } from '@event-api/contracts/internal/scope';
import { currentActor } from '@event-api/platform/core/actor';
import type { Database } from '@event-api/platform/db/database';
import { lockRecord } from '@event-api/platform/db/record';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import { checkinUndone } from '../changes/record-changes.ts';
import { Checkin } from './checkin.entity.ts';
import { type CheckinRow, readCheckin } from './checkins.queries.ts';

const markUndone = statement<{ version: number }>(
  'checkin_undo',
  `update onsite.checkin set undone_at = clock_timestamp(), undone_by = $4, undo_reason = $5, version = ${nextVersionSql}
   where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3 returning version`,
);

// In the part of this connection, as the trigger of `checkin` counts. A part may be negative; only
// the sum has a meaning.
const uncount = statement<{ part: number }>(
  'checkin_uncount',
  `insert into onsite.checkin_count as k (event_id, subject_type, subject_id, part, business_unit_id, checked_in, overruled,
     last_checkin_at)
   select event_id, subject_type, subject_id, pg_backend_pid() % 16, business_unit_id, -1, -overruled::int, checked_in_at
   from onsite.checkin where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3
   on conflict (event_id, subject_type, subject_id, part) do update set checked_in = k.checked_in - 1,
     overruled = k.overruled + excluded.overruled
   where k.business_unit_id = $1
   returning part`,
);

/**
 * Undoes a check-in, so that its registration can pass the door again as for the first time. A
 * repeat changes nothing, and the first reason stays. Allowed in archived events, too. Errors: 404.
 * Locks: the check-in. Reports: `checkin.undone`.
 */
export const undoCheckin = (
  { db }: { db: Database },
  scope: EventScope,
  checkinId: string,
  reason: string,
): Promise<CheckinRow> =>
  db.transaction(async (tx) => {
    const { undoneAt } = await lockRecord(tx, Checkin, scope, checkinId);
    if (undoneAt === null) {
      const key = [scope.businessUnitId, scope.eventId, checkinId];
      const actor = JSON.stringify(currentActor());
      const [undone] = await tx.query(markUndone, [...key, actor, reason]);
      const [counted] = await tx.query(uncount, key);
      if (!undone || !counted) throw new Error(`check-in ${checkinId} changed without its count`);
      writeChanges(tx, [checkinUndone({ ...scope, id: checkinId, version: undone.version })]);
    }
    return readCheckin(tx, scope, checkinId);
  });
