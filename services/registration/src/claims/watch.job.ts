import type { Db } from '@event-api/platform/db/database';
import { keepLooking } from '@event-api/platform/telemetry/keep-looking';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { readHolds } from './queries.ts';

/** Looks every few seconds what is set aside for orders, and tells it as metrics. */
export function watchHolds(options: { db: Db; metrics: Metrics; everyMs: number }): {
  stop(): Promise<void>;
} {
  const { db, metrics, everyMs } = options;
  const { tell, stop } = keepLooking(() => readHolds(db), everyMs);
  metrics.observe(
    'registration.seats.held',
    tell(({ seats }) => seats),
  );
  metrics.observe(
    'registration.holds.overdue.age',
    tell(({ overdueSeconds }) => overdueSeconds),
  );
  return { stop };
}
