import type { Clock } from '@event-api/platform/core/clock';
import type { CountReply, RedisConnection } from '@event-api/platform/redis/connect';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { timeouts } from '../timeouts.ts';
import { createFixedWindow } from './fixed-window.ts';

const timeoutSlices = 5;

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
   * Counts a request of `subject` and returns whether it is within the limit. Loads the hashes of `tokenKeys` in the
   * same call. Never throws, and waits at most 50 ms by default.
   */
  consume(subject: string, limit: number, tokenKeys?: readonly string[]): Promise<RateLimitResult>;
}

/**
 * Creates a fixed window, aligned to its length on Redis's clock and shared by all gateways. While Redis does not
 * respond, each gateway counts alone from the last counts that it received.
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
  let pausedUntil = 0;
  let pendingCalls = 0;
  let pendingSince = 0;

  /**
   * Calls Redis and updates the local count. A response is used even after its timeout: it shows that Redis is
   * available and where the count stands.
   */
  async function callRedis(subject: string, tokenKeys: readonly string[]): Promise<CountReply> {
    if (pendingCalls === 0) pendingSince = performance.now();
    pendingCalls += 1;
    try {
      const keys = [`rate:${subject}`, ...tokenKeys];
      const counted: CountReply = await redis.countAndLoadTokens(keys, windowMs);
      pendingSince = performance.now();
      local.learn(subject, counted[0]);
      return counted;
    } catch (error) {
      pausedUntil = performance.now() + timeouts.redisPauseMs;
      throw error;
    } finally {
      pendingCalls -= 1;
    }
  }

  async function countInRedis(
    subject: string,
    tokenKeys: readonly string[],
  ): Promise<CountReply | null> {
    if (!redis.isReady || performance.now() < pausedUntil) return null;
    const timeout = startTimeout(timeoutMs);
    try {
      const counted = await Promise.race([callRedis(subject, tokenKeys), timeout.elapsed]);
      if (counted) return counted;
      if (performance.now() - pendingSince > timeouts.redisHangsAfterMs)
        pausedUntil = performance.now() + timeouts.redisPauseMs;
      return null;
    } catch {
      return null;
    } finally {
      timeout.stop();
    }
  }

  return {
    async consume(subject, limit, tokenKeys = []) {
      const shared = await countInRedis(subject, tokenKeys);
      if (!shared) countFallback();
      const [count, leftMs, ...readAfterFields] = shared ?? local.consume(subject);
      if (count > limit) countDenied();
      return {
        allowed: count <= limit,
        limit,
        remaining: Math.max(0, limit - count),
        windowSeconds: Math.max(1, Math.round(windowMs / 1000)),
        resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
        resetMs: leftMs,
        readAfterFields,
      };
    },
  };
}

/**
 * Resolves with null after the timeout. It waits in slices, so that a busy event loop that delays reading a response is
 * not taken for a slow Redis: a delay of the loop costs one slice.
 */
function startTimeout(timeoutMs: number): { elapsed: Promise<null>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let slicesLeft = timeoutSlices;
  const elapsed = new Promise<null>((resolve) => {
    const wait = () => {
      slicesLeft -= 1;
      if (slicesLeft < 0) resolve(null);
      else timer = setTimeout(wait, timeoutMs / timeoutSlices);
    };
    wait();
  });
  return { elapsed, stop: () => clearTimeout(timer) };
}
