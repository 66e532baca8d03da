import type { Clock } from '@event-api/platform/core/clock';
import { createFixedWindow } from '@event-api/platform/core/fixed-window';
import type { RedisConnection } from '@event-api/platform/redis/connect';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';
import { createSharedCounts } from './shared-counts.ts';

export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  windowSeconds: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
  /** The read-after fields loaded by the same call; empty while Redis is unavailable. */
  readAfterFields: string[][];
}

export interface RateLimiter {
  /**
   * Counts a request of `subject` and returns whether it is within the limit. Loads the hashes of
   * `tokenKeys` in the same call. Never throws, and waits at most 50 ms by default.
   */
  consume(subject: string, limit: number, tokenKeys?: readonly string[]): Promise<RateLimitResult>;
  /**
   * Returns whether this gateway knows that `subject` has reached the limit. Counts nothing. A
   * count that Redis has not returned yet is not known.
   */
  isUsedUp(subject: string, limit: number): boolean;
}

/**
 * Creates a fixed window, aligned to its length on Redis's clock and shared by all gateways. While
 * Redis does not respond, each gateway counts alone from the last counts that it received.
 */
export function createRateLimiter(options: {
  redis: RedisConnection;
  windowMs: number;
  clock: Clock;
  metrics: Metrics;
  /** Timeout of a call to Redis, 50 ms by default. */
  timeoutMs?: number;
}): RateLimiter {
  const { redis, windowMs, clock, metrics, timeoutMs = timeouts.rateLimitMs } = options;
  const countDenied = metrics.counter('gateway.rate_limit.denied');
  const countFallback = metrics.counter('gateway.rate_limit.fallback');
  const local = createFixedWindow(windowMs, clock);
  const shared = createSharedCounts({ redis, windowMs, timeoutMs, learn: local.learn });

  return {
    isUsedUp: (subject, limit) => local.countOf(subject) >= limit,
    async consume(subject, limit, tokenKeys = []) {
      const counted = await shared.count(subject, tokenKeys);
      if (!counted) countFallback();
      const { count, leftMs, tokens } = counted ?? { ...local.consume(subject), tokens: [] };
      if (count > limit) countDenied();
      return {
        allowed: count <= limit,
        limit,
        remaining: Math.max(0, limit - count),
        windowSeconds: Math.max(1, Math.round(windowMs / 1000)),
        resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
        resetMs: leftMs,
        readAfterFields: tokens,
      };
    },
  };
}
