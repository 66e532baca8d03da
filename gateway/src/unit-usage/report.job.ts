import type { Clock } from '@event-api/platform/core/clock';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { SharedUsage } from './shared-usage.ts';
import {
  createUsageCounts,
  lastCompleteMinute,
  minuteOf,
  ranksOf,
  reportFields,
  type UsageCounter,
} from './unit-usage.rules.ts';

interface Deps {
  usage: SharedUsage;
  counter: UsageCounter;
  clock: Clock;
  metrics: Metrics;
  log: Pick<Logger, 'warn'>;
  intervalMs: number;
}

/**
 * Reports what this gateway has counted every few seconds, and observes the last minute of all
 * gateways. What cannot be reported is not counted.
 */
export function startReportingUsage(deps: Deps): Loop {
  const { usage, counter, clock, metrics, log, intervalMs } = deps;
  let latest: { minute: number; ranks: ReturnType<typeof ranksOf> } | null = null;
  metrics.observe('gateway.heaviest_unit.requests', () => {
    const isOld = latest === null || minuteOf(clock.now()) - latest.minute > maxAgeMinutes;
    if (latest === null || isOld) return [];
    return latest.ranks.map(({ rank, requests }) => [requests, { rank }] as const);
  });

  async function report(): Promise<void> {
    const { current } = counter;
    counter.current = createUsageCounts();
    const now = clock.now();
    if (current.all.requests > 0) await usage.add(minuteOf(now), reportFields(current));
    const minute = lastCompleteMinute(now, 2 * intervalMs);
    if (latest?.minute === minute) return;
    latest = { minute, ranks: ranksOf(await usage.read(minute, minute)) };
  }

  return every(report, {
    intervalMs,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to report the usage of business units'),
    ),
  });
}

/** An older minute is not shown as the present. */
const maxAgeMinutes = 3;
