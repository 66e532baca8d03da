import { every } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import type { Job } from '@event-api/platform/service/run-service';
import { timeouts } from '../timeouts.ts';

/** The most attempts that are kept for an endpoint, and that one statement deletes. */
const maxPerEndpoint = 1_000_000;
const partRows = 1000;

const deleteOld = statement<{ count: number }>(
  'delivery_attempts_delete_old',
  `with deleted as (
     delete from changes.webhook_attempt where id = any(array(
       select id from changes.webhook_attempt where attempted_at < clock_timestamp() - $1 * interval '1 ms'
       order by attempted_at limit ${partRows})) returning id
   ) select count(*)::int as count from deleted`,
);

const endpointIds = statement<{ id: string }>(
  'delivery_endpoint_ids',
  `select id from changes.webhook_endpoint where id > $1 order by id limit ${partRows}`,
);

const deleteSurplus = statement<{ count: number }>(
  'delivery_attempts_delete_surplus',
  `with deleted as (
     delete from changes.webhook_attempt where endpoint_id = $1 and id = any(array(
       select id from changes.webhook_attempt where endpoint_id = $1 and id <= (
         select id from changes.webhook_attempt where endpoint_id = $1 order by id desc offset $2 limit 1)
       order by id limit ${partRows})) returning id
   ) select count(*)::int as count from deleted`,
);

/**
 * Deletes attempts that are older than 30 days, and those of an endpoint beyond its newest million,
 * in small parts.
 */
export async function deleteOldAttempts(
  db: Db,
  { retentionMs = timeouts.attemptRetentionMs, perEndpoint = maxPerEndpoint } = {},
): Promise<void> {
  await repeat(() => db.query(deleteOld, [retentionMs]));
  for (let after = ''; ; ) {
    const ids = await db.query(endpointIds, [after]);
    for (const { id } of ids) await repeat(() => db.query(deleteSurplus, [id, perEndpoint]));
    const last = ids.at(-1);
    if (!last || ids.length < partRows) return;
    after = last.id;
  }
}

/** Repeats a deletion until it deletes less than a full part. */
async function repeat(deletePart: () => Promise<{ count: number }[]>): Promise<void> {
  for (let count = partRows; count === partRows; ) {
    const [row] = await deletePart();
    count = row?.count ?? 0;
  }
}

export const startAttemptCleanup = ({ db, log }: { db: Db; log: Pick<Logger, 'warn'> }): Job =>
  every(() => deleteOldAttempts(db), {
    intervalMs: timeouts.attemptCleanupIntervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to delete old webhook attempts, will retry'),
    ),
  });
