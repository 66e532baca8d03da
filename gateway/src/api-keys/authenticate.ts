import type { Cell } from '@event-api/contracts/cells';
import { boundedCache } from '@event-api/platform/core/bounded-cache';
import type { Clock } from '@event-api/platform/core/clock';
import { hashSecret } from '@event-api/platform/core/credentials';
import { unavailable } from '@event-api/platform/core/errors';
import { every } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { Db } from '@event-api/platform/db/database';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { createRequestBudget } from '../rate-limit/request-budget.ts';
import { timeouts } from '../timeouts.ts';
import { findChangedKeys, findKey, findUsableKeys } from './api-keys.queries.ts';
import { type ApiKeyRecord, type Authentication, decideKey } from './api-keys.rules.ts';
import { cellOf } from './secret.ts';

const maxCachedKeys = 50_000;
const limitedLookupsPerSecond = 5;

interface CachedKey {
  key: ApiKeyRecord;
  /** The generation in which the key was read. */
  generation: number;
  loadedAt: number;
}

export interface ApiKeyCache {
  /**
   * Authenticates the `Authorization` header of a request; without a promise if memory has the
   * result. A revocation takes effect within a second. With `limited`, cached keys are served as
   * usual, and all limited requests share five look-ups per second. Errors: 503 for a key that is
   * not cached while the database is unavailable.
   */
  authenticate(
    authorization: string | undefined,
    options?: { limited: boolean },
  ): Authentication | Promise<Authentication>;
  /** Stops the polls. Resolves when the running one has ended. */
  close(): Promise<void>;
}

/**
 * Caches keys in memory. It loads the usable ones at startup and after a gap in the polls, and
 * polls for new and changed keys every 500 ms. While the database is unavailable, cached keys stay
 * valid for five minutes; their expiry still applies.
 */
export function createApiKeyCache({
  db,
  clock,
  log,
  metrics,
  cell: ownCell,
}: {
  db: Db;
  clock: Clock;
  /** The cell of this gateway. The credentials of others are not looked up. */
  cell: Cell;
  log: Logger;
  metrics: Metrics;
}): ApiKeyCache {
  const lookups = { hit: 0, miss: 0 };
  metrics.observe('gateway.key_cache.lookups', () => [
    [lookups.hit, { result: 'hit' }],
    [lookups.miss, { result: 'miss' }],
  ]);
  const cache = boundedCache<string, CachedKey>(maxCachedKeys);
  const unknown = boundedCache<string, true>(50_000, { ttl: timeouts.unknownKeyTtlMs });
  const inFlight = new Map<string, Promise<ApiKeyRecord | null>>();
  // Incremented when changes may have been missed. Keys of an earlier generation are read again.
  let generation = 0;
  let lastPollAt = Number.NEGATIVE_INFINITY;
  const limitedLookups = createRequestBudget(limitedLookupsPerSecond, () => performance.now());

  async function pollChanges(): Promise<void> {
    const startedAt = performance.now();
    const hasGap = startedAt - lastPollAt > timeouts.keySafeGapMs;
    const keys = hasGap ? await findUsableKeys(db, maxCachedKeys) : await findChangedKeys(db);
    if (hasGap) {
      generation += 1;
      unknown.clear();
    }
    // The most recently changed key last, so that the cache drops it last.
    for (const { secretHash, ...key } of keys.toReversed()) {
      unknown.delete(secretHash);
      cache.set(secretHash, { key, generation, loadedAt: startedAt });
    }
    lastPollAt = startedAt;
  }
  const polling = every(pollChanges, {
    intervalMs: timeouts.keyPollIntervalMs,
    immediately: true,
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to poll key changes, will retry'),
    ),
  });

  function fetchKey(secretHash: string): Promise<ApiKeyRecord | null> {
    const running = inFlight.get(secretHash);
    if (running) return running;
    const startedAt = performance.now();
    const startGeneration = generation;
    const request = findKey(db, secretHash)
      .then((key) => {
        if (key) cache.set(secretHash, { key, generation: startGeneration, loadedAt: startedAt });
        else {
          cache.delete(secretHash);
          unknown.set(secretHash, true);
        }
        return key;
      })
      .finally(() => inFlight.delete(secretHash));
    inFlight.set(secretHash, request);
    return request;
  }

  function lookup(
    secretHash: string,
    limited: boolean,
  ): ApiKeyRecord | null | 'throttled' | Promise<ApiKeyRecord | null> {
    const cached = cache.get(secretHash);
    const confirmedAt =
      cached?.generation === generation
        ? Math.max(cached.loadedAt, lastPollAt)
        : (cached?.loadedAt ?? 0);
    const inTrust = cached && performance.now() - confirmedAt < timeouts.keyTrustWithoutDatabaseMs;
    const isFresh = inTrust && cached.generation === generation;
    const isHit = isFresh || unknown.has(secretHash);
    lookups[isHit ? 'hit' : 'miss'] += 1;
    if (isHit) return isFresh ? cached.key : null;
    if (limited && !inFlight.has(secretHash) && !limitedLookups.take()) return 'throttled';
    return fetchKey(secretHash).catch((error: unknown) => {
      if (inTrust) return cached.key;
      throw unavailable(error);
    });
  }

  const decide = (key: ApiKeyRecord | null) => decideKey(key, clock.now());

  return {
    authenticate(authorization, { limited } = { limited: false }) {
      const secret = bearerSecret(authorization);
      const cell = secret && cellOf(secret);
      if (!secret || cell === undefined) return { outcome: 'invalid' };
      if (cell !== ownCell) return { outcome: 'other_cell', cell };
      const key = lookup(hashSecret(secret), limited);
      if (key instanceof Promise) return key.then(decide);
      return key === 'throttled' ? { outcome: 'throttled', resetSeconds: 1 } : decide(key);
    },
    close: polling.stop,
  };
}

/** The secret of an `Authorization` header. */
export const bearerSecret = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
