import type { RedisConnection } from '@event-api/platform/redis/connect';
import { timeouts } from '../timeouts.ts';
import {
  addToBatch,
  type BatchPlace,
  type CountBatch,
  countsOf,
  createCountBatch,
  type SharedCount,
  splitReply,
} from './batch.ts';

const timeoutSlices = 5;

/** Counters in Redis. */
export interface SharedCounts {
  /**
   * Counts a request of `subject`, and loads the hashes of `tokenKeys` in the same call. Resolves
   * with null if Redis is unavailable or does not respond in time. Never rejects.
   */
  count(subject: string, tokenKeys: readonly string[]): Promise<SharedCount | null>;
}

interface Waiting {
  place: BatchPlace;
  resolve(counted: SharedCount | null): void;
}

/**
 * Counts all requests of one turn of the event loop in one call to Redis: a call of its own would
 * cost a request as much as the rest of its checks. `learn` gets each count that Redis returns.
 */
export function createSharedCounts(options: {
  redis: RedisConnection;
  windowMs: number;
  /** How long a batch waits for Redis. */
  timeoutMs: number;
  learn: (subject: string, count: number) => void;
}): SharedCounts {
  const { redis, windowMs, timeoutMs, learn } = options;
  let batch = createCountBatch();
  let waiting: Waiting[] = [];
  let pausedUntil = 0;
  let pendingCalls = 0;
  let pendingSince = 0;

  function pause(): void {
    pausedUntil = performance.now() + timeouts.redisPauseMs;
  }

  function send(): void {
    const sent = { batch, waiting };
    batch = createCountBatch();
    waiting = [];
    const stopTimeout = startTimeout(timeoutMs, () => {
      if (performance.now() - pendingSince > timeouts.redisHangsAfterMs) pause();
      for (const { resolve } of sent.waiting) resolve(null);
    });
    callRedis(sent.batch)
      .then((countOf) => {
        for (const { place, resolve } of sent.waiting) resolve(countOf(place));
      })
      .catch(() => {
        pause();
        for (const { resolve } of sent.waiting) resolve(null);
      })
      .finally(stopTimeout);
  }

  /**
   * A response is used even after its timeout: it shows that Redis is available and where the
   * counts stand.
   */
  async function callRedis(sent: CountBatch): Promise<(place: BatchPlace) => SharedCount> {
    if (pendingCalls === 0) pendingSince = performance.now();
    pendingCalls += 1;
    try {
      const counters = new Map<string, number>();
      for (const [subject, requests] of sent.requestsOf) counters.set(`rate:${subject}`, requests);
      const reply = await redis.countAndLoadTokens(counters, [...sent.tokenKeys], windowMs);
      pendingSince = performance.now();
      for (const [subject, count] of countsOf(sent, reply)) learn(subject, count);
      return splitReply(sent, reply);
    } finally {
      pendingCalls -= 1;
    }
  }

  return {
    async count(subject, tokenKeys) {
      if (!redis.isReady || performance.now() < pausedUntil) return null;
      if (waiting.length === 0) setImmediate(send);
      const place = addToBatch(batch, subject, tokenKeys);
      return new Promise((resolve) => waiting.push({ place, resolve }));
    },
  };
}

/**
 * Calls `onTimeout` after the timeout. It waits in slices, so that a busy event loop that delays
 * reading a response is not taken for a slow Redis: a delay of the loop costs one slice. Returns
 * the function that stops it.
 */
function startTimeout(timeoutMs: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let slicesLeft = timeoutSlices;
  const wait = () => {
    slicesLeft -= 1;
    if (slicesLeft < 0) onTimeout();
    else timer = setTimeout(wait, timeoutMs / timeoutSlices);
  };
  wait();
  return () => clearTimeout(timer);
}
