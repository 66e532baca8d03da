import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { pollGauges } from '@event-api/platform/telemetry/gauge-poller';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { readReservationStats } from './reservations.queries.ts';

/** Polls the seats reserved for orders every `intervalMs` and exports them as metrics. */
export function observeReservations(options: {
  db: Db;
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
  intervalMs: number;
}): { stop(): Promise<void> } {
  const { db, metrics } = options;
  const { gauge, stop } = pollGauges(() => readReservationStats(db), options);
  metrics.observe(
    'registration.seats.reserved',
    gauge(({ seats }) => seats),
  );
  metrics.observe(
    'registration.reservations.overdue.age',
    gauge(({ overdueSeconds }) => overdueSeconds),
  );
  return { stop };
}
