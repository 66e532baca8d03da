import { every, type Loop, pause } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../../timeouts.ts';

/** Deleting this many rows takes some milliseconds. */
const batchRows = 1000;
/** The limit of one turn, far above the scans of one hour. */
const maxBatches = 1000;

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

/**
 * Deletes the scans whose results are no longer kept, in batches. After each batch it pauses for as
 * long as the batch took, so that requests get at least half of the database's time. The next turn
 * continues after the last batch of this one.
 */
export async function deleteOldScans(db: Db, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < maxBatches && !signal.aborted; batch++) {
    const startedAt = performance.now();
    const [row] = await db.query(deleteOld, [timeouts.scanRetentionMs, batchRows]);
    if (!row || row.count < batchRows) return;
    await pause(performance.now() - startedAt, signal);
  }
}

/** The job that deletes old scans. A failure is logged; the next turn tries again. */
export const startScanCleanup = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Loop =>
  every((signal) => deleteOldScans(db, signal), {
    intervalMs: timeouts.scanCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete old scans, will retry'),
    ),
  });
