import { every } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Job } from '@event-api/platform/service/run-service';
import { timeouts } from '../timeouts.ts';

const partRows = 1000;

// The floor rises with the deletion, so that a cursor below it is refused instead of continued with
// a gap.
const deleteOld = statement<{ count: number }>(
  'feed_delete_old',
  `with deleted as (
     delete from changes.feed_change where ctid = any(array(
       select ctid from changes.feed_change
       where occurred_at < clock_timestamp() - $1 * interval '1 ms' order by occurred_at limit ${partRows}
     )) returning business_unit_id, sequence
   ), raised as (
     update changes.feed_head h set floor = greatest(h.floor, d.sequence)
     from (select business_unit_id, max(sequence) as sequence from deleted group by business_unit_id) d
     where h.business_unit_id = d.business_unit_id
   ) select count(*)::int as count from deleted`,
);

/** Deletes the changes that are older than the retention. */
export async function deleteOldChanges(db: Db, retentionMs = timeouts.retentionMs): Promise<void> {
  for (let count = partRows; count === partRows; ) {
    const [row] = await db.query(deleteOld, [retentionMs]);
    count = row?.count ?? 0;
  }
}

export const startCleanup = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Job =>
  every(() => deleteOldChanges(db), {
    intervalMs: timeouts.cleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete old changes, will retry'),
    ),
  });
