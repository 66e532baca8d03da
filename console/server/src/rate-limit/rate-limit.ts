import type { Clock } from '@event-api/platform/core/clock';
import { withTimeout } from '@event-api/platform/core/deadline';
import { createFixedWindow, type WindowCount } from '@event-api/platform/core/fixed-window';
import type { CountReply, RedisConnection } from '@event-api/platform/redis/connect';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { tooManyRequests } from '../errors.ts';
import { timeouts } from '../timeouts.ts';

const windowMs = timeouts.rateLimitWindowMs;

export interface RateLimit {
  /** Counts a request of `subject`. Errors: 429 above `limit` requests in the current minute. */
  count(subject: string, limit: number): Promise<void>;
}

/**
 * Counts requests in fixed windows that all processes share. While Redis does not respond, each
 * process counts alone from the last counts that it received.
 */
export function createRateLimit({
  redis,
  clock,
  metrics,
}: {
  redis: RedisConnection;
  clock: Clock;
  metrics: Metrics;
}): RateLimit {
  const countDenied = metrics.counter('console.rate_limit.denied');
  const local = createFixedWindow(windowMs, clock);

  async function countShared(subject: string): Promise<WindowCount | null> {
    if (!redis.isReady) return null;
    const counters = new Map([[`console:${subject}`, 1]]);
    const counting: Promise<CountReply> = redis.countAndLoadTokens(counters, [], windowMs);
    const counted = await withTimeout(counting, timeouts.rateLimitMs).catch(() => null);
    if (counted?.outcome !== 'done') return null;
    const [leftMs, [count = 0]] = counted.value;
    local.learn(subject, count);
    return { count, leftMs };
  }

  return {
    async count(subject, limit) {
      const { count, leftMs } = (await countShared(subject)) ?? local.consume(subject);
      if (count <= limit) return;
      countDenied();
      throw tooManyRequests(Math.max(1, Math.ceil(leftMs / 1000)));
    },
  };
}
