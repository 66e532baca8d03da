import type { Clock } from '@event-api/platform/core/clock';
import type { CountReply, RedisConnection } from '@event-api/platform/redis/connect';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { createFixedWindow } from './fixed-window.ts';

const defaultTimeoutMs = 50;
const timeoutSlices = 5;
/** Redis is taken to hang once it has owed an answer for this long. One slow answer alone does not show that. */
const hangsAfterMs = 250;
/** Then it is left alone for this long, so that its absence costs one budget now and then, not one per request. */
const pauseMs = 1000;

export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  windowSeconds: number;
  /** Until the window ends, rounded up. */
  resetSeconds: number;
  /** The same, not rounded. */
  resetMs: number;
  /** The fields of the tokens that were asked for along the way; none while Redis is away. */
  readAfterFields: string[][];
}

export interface RateLimiter {
  /**
   * Counts a request of `subject` and says whether it is one too many; reads the hashes of
   * `tokenKeys` in the same call. Never fails, and waits 50 ms at most by default.
   */
  consume(subject: string, limit: number, tokenKeys?: readonly string[]): Promise<RateLimitResult>;
}

/**
 * A fixed window, aligned to its own length on Redis's clock and shared by all gateways. Where Redis
 * does not answer, each gateway goes on by itself from the counts it has last heard.
 */
export function createRateLimiter(options: {
  redis: RedisConnection;
  windowMs: number;
  clock: Clock;
  metrics: Metrics;
  /** How long a count waits for Redis, 50 ms by default. */
  timeoutMs?: number;
}): RateLimiter {
  const { redis, windowMs, clock, metrics, timeoutMs = defaultTimeoutMs } = options;
  const countDenied = metrics.counter('gateway.rate_limit.denied');
  const countFallback = metrics.counter('gateway.rate_limit.fallback');
  const local = createFixedWindow(windowMs, clock);
  let pausedUntil = 0;
  let pendingCalls = 0;
  let pendingSince = 0;

  /** Also when nobody waits for it any more, an answer says that Redis is there and where the count stands. */
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
      pausedUntil = performance.now() + pauseMs;
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
      if (performance.now() - pendingSince > hangsAfterMs)
        pausedUntil = performance.now() + pauseMs;
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
 * Answers null once the budget is spent. It is waited for slice by slice, so that a process too busy
 * to read an answer that is there does not take its own lag for Redis's: a lag costs one slice.
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
