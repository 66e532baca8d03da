import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';

/**
 * Records decisions at doors that rest on projections alone because registration is unavailable.
 */
export interface Fallbacks {
  record(error: unknown): void;
}

/**
 * Counts every decision, and logs one line per interval: a storm of scans must not fill the log.
 */
export function createFallbacks(options: {
  metrics: Metrics;
  log: { warn(fields: object, message: string): void };
  now?: () => number;
}): Fallbacks {
  const { metrics, log, now = () => performance.now() } = options;
  const count = metrics.counter('onsite.checkins.without_registration');
  let loggedAt = Number.NEGATIVE_INFINITY;
  let decisions = 0;
  return {
    record(error) {
      count();
      decisions += 1;
      if (now() - loggedAt < timeouts.fallbackLogIntervalMs) return;
      log.warn({ err: error, decisions }, 'check-ins are decided without registration');
      loggedAt = now();
      decisions = 0;
    },
  };
}
