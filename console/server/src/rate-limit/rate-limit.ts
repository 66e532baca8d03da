import type { Clock } from '@event-api/platform/core/clock';
import { withTimeout } from '@event-api/platform/core/deadline';
import type { CountReply, RedisConnection } from '@event-api/platform/redis/connect';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../errors.ts';
import { timeouts } from '../timeouts.ts';

const windowMs = timeouts.rateLimitWindowMs;

export interface RateLimit {
  /** Counts a request of `subject`. Errors: 429 above `limit` requests in the current minute. */
  count(subject: string, limit: number): Promise<void>;
}

/** Counts requests in fixed windows that all processes share. While Redis does not respond, each process counts alone. */
export function createRateLimit({
  redis,
  clock,
}: {
  redis: RedisConnection;
  clock: Clock;
}): RateLimit {
  const local = new LRUCache<string, { count: number }>({ max: 50_000, ttl: windowMs });

  async function countShared(subject: string): Promise<[count: number, leftMs: number] | null> {
    if (!redis.isReady) return null;
    const counters = new Map([[`console:${subject}`, 1]]);
    const counting: Promise<CountReply> = redis.countAndLoadTokens(counters, [], windowMs);
    const counted = await withTimeout(counting, timeouts.rateLimitMs).catch(() => null);
    if (counted?.outcome !== 'done') return null;
    const [leftMs, [count = 0]] = counted.value;
    return [count, leftMs];
  }

  function countLocally(subject: string): [count: number, leftMs: number] {
    const now = clock.now().getTime();
    const key = `${Math.floor(now / windowMs)} ${subject}`;
    const counter = local.get(key) ?? { count: 0 };
    counter.count += 1;
    local.set(key, counter);
    return [counter.count, windowMs - (now % windowMs)];
  }

  return {
    async count(subject, limit) {
      const [count, leftMs] = (await countShared(subject)) ?? countLocally(subject);
      if (count > limit) throw tooManyRequests(Math.max(1, Math.ceil(leftMs / 1000)));
    },
  };
}
