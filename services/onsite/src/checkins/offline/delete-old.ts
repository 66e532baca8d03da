import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../../timeouts.ts';

/** Deleting this many rows takes some milliseconds. */
const batchRows = 1000;

// Replicas skip each other's rows.
const deleteOld = statement<{ count: number }>(
  'scans_delete_old',
  `with old as (
     select ctid as row from onsite.scan where created_at < clock_timestamp() - $1 * interval '1 millisecond'
     order by created_at limit $2 for update skip locked
   ), deleted as (
     delete from onsite.scan where ctid = any(array(select row from old)) returning 1
   ) select count(*)::int as count from deleted`,
);

/** Deletes the scans whose results are no longer kept, in batches. */
export async function deleteOldScans(db: Db): Promise<void> {
  for (let deleted = batchRows; deleted === batchRows; ) {
    const [row] = await db.query(deleteOld, [timeouts.scanRetentionMs, batchRows]);
    deleted = row?.count ?? 0;
  }
}

/** The job that deletes old scans. A failure is logged; the next turn tries again. */
export const startScanCleanup = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Loop =>
  every(() => deleteOldScans(db), {
    intervalMs: timeouts.scanCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete old scans, will retry'),
    ),
  });
