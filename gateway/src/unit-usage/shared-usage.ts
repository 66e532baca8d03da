import { withTimeout } from '@event-api/platform/core/deadline';
import { unavailable } from '@event-api/platform/core/errors';
import type { RedisConnection } from '@event-api/platform/redis/connect';
import { timeouts } from '../timeouts.ts';
import { summarize, type UsageSummary } from './unit-usage.rules.ts';

/** The usage that all gateways have reported to Redis, by minute. */
export interface SharedUsage {
  /** Adds a report to a minute. Errors: those of Redis. */
  add(minute: number, fields: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Adds up the reports of the minutes from `first` to `last`. Errors: 503 without Redis.
   */
  read(first: number, last: number): Promise<UsageSummary>;
}

const keyOf = (minute: number): string => `usage:${minute}`;

export function createSharedUsage(
  redis: RedisConnection,
  timeoutMs: number = timeouts.usageRedisMs,
): SharedUsage {
  return {
    async add(minute, fields) {
      const key = keyOf(minute);
      const call = redis.multi();
      for (const [field, amount] of fields) call.hIncrBy(key, field, amount);
      call.pExpire(key, timeouts.usageRetentionMs);
      await call.exec();
    },
    async read(first, last) {
      const minutes = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      const reading = Promise.all(minutes.map((minute) => redis.hGetAll(keyOf(minute))));
      const result = await withTimeout(reading, timeoutMs).catch((error: unknown) => {
        throw unavailable(error);
      });
      if (result.outcome !== 'done') throw unavailable(new Error('Redis did not respond in time'));
      return summarize(result.value);
    },
  };
}
