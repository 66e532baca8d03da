import type { FastifyInstance } from 'fastify';
import { every, pause } from '../../core/every.ts';
import type { Logger } from '../../core/log.ts';
import { reportRepeated } from '../../core/repeated-failures.ts';
import { idempotencyTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { idempotencyQueries } from './idempotency.queries.ts';

/** Deleting this many rows takes some milliseconds. */
const batchRows = 1000;
/** The limit of one cleanup, far above the keys of one day. The next cleanup continues. */
const maxBatches = 10_000;

/**
 * Deletes expired idempotency keys every `intervalMs` until `app` closes. Each time it deletes all
 * of them, in batches, and after each batch pauses for as long as the batch took, so that requests
 * get at least half of the database's time. Replicas skip each other's rows. A failure is logged
 * and counted; the next cleanup tries again.
 */
export function deleteExpiredKeys(
  app: FastifyInstance,
  options: { db: Database; schema: string; log: Logger; metrics: Metrics; intervalMs?: number },
): void {
  const { db, schema, log, metrics, intervalMs = idempotencyTimeouts.cleanupIntervalMs } = options;
  const queries = idempotencyQueries(schema);
  const countFailure = metrics.counter('idempotency.cleanup.failures');

  async function cleanUp(signal: AbortSignal): Promise<void> {
    for (let batch = 0; batch < maxBatches && !signal.aborted; batch++) {
      const startedAt = performance.now();
      const deleted = await queries.deleteExpired(db, idempotencyTimeouts.retentionMs, batchRows);
      if (deleted < batchRows) return;
      const tookMs = performance.now() - startedAt;
      await pause(Math.max(idempotencyTimeouts.cleanupMinPauseMs, tookMs), signal);
    }
  }

  const report = reportRepeated((error, suppressed) =>
    log.warn({ err: error, suppressed }, 'failed to delete expired idempotency keys, will retry'),
  );
  const cleanups = every(cleanUp, {
    intervalMs,
    onError(error) {
      countFailure();
      report(error);
    },
  });
  app.addHook('onClose', cleanups.stop);
}
