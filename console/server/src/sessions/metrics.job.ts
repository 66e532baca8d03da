import type { Logger } from '@event-api/platform/core/log';
import type { Db } from '@event-api/platform/db/database';
import { pollGauges } from '@event-api/platform/telemetry/gauge-poller';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';
import { countSessions } from './sessions.queries.ts';

/** Polls the number of open sessions and publishes it as a gauge. */
export function observeSessions({
  db,
  metrics,
  log,
}: {
  db: Db;
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
}): { stop(): Promise<void> } {
  const { gauge, stop } = pollGauges(() => countSessions(db), {
    intervalMs: timeouts.sessionMetricsIntervalMs,
    log,
  });
  metrics.observe(
    'console.sessions',
    gauge((open) => open),
  );
  return { stop };
}
