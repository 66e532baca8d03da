import { secretPattern } from '@event-api/contracts/operator/keys';
import type { Clock } from '@event-api/platform/clock';
import type { Db } from '@event-api/platform/db/database';
import { unavailable } from '@event-api/platform/errors';
import type { Logger } from '@event-api/platform/log';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import { createLookupBudget } from './lookup-budget.ts';
import { findChangedKeys, findKey, findUsableKeys } from './queries.ts';
import { type Authentication, decideKey, type KeyRecord } from './rules.ts';
import { hashSecret } from './secret.ts';

const pollMs = 250;
/** A gap between two looks that a five-second window of changes still covers with room to spare. */
const safeGapMs = 2_500;
const trustWithoutDatabaseMs = 5 * 60_000;
const unknownForMs = 10_000;
const cachedKeys = 50_000;
const limitedLookupsPerSecond = 5;

interface Known {
  key: KeyRecord;
  /** When it was last known to be as the database has it, on the monotonic clock. */
  epoch: number;
  loadedAt: number;
}

export interface KeyDirectory {
  /**
   * Authenticates the `Authorization` header of a request. A revocation takes effect within a second. With
   * `limited`, keys in memory are served as always, and all limited requests share five look-ups per second.
   * Errors: 503 for a key that is not in memory while the database is unavailable.
   */
  authenticate(
    authorization: string | undefined,
    options?: { limited: boolean },
  ): Promise<Authentication>;
  close(): void;
}

/**
 * Keeps keys in memory. It loads the usable ones at startup and after a gap in the polls, and polls for new and changed
 * keys every 250 ms. While the database is unavailable, keys in memory stay valid for five minutes; their expiry
 * still counts.
 */
export function createKeyDirectory({
  db,
  clock,
  log,
  metrics,
}: {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}): KeyDirectory {
  const countLookup = metrics.counter('gateway.key_cache.lookups');
  const known = new LRUCache<string, Known>({ max: cachedKeys });
  const unknown = new LRUCache<string, true>({ max: 50_000, ttl: unknownForMs });
  const asking = new Map<string, Promise<KeyRecord | null>>();
  // Counted up when changes may have been missed: what was known before has to be asked for again.
  let epoch = 0;
  let lastLookAt = Number.NEGATIVE_INFINITY;
  const limitedLookups = createLookupBudget(limitedLookupsPerSecond, () => performance.now());
  let following = true;
  let timer: NodeJS.Timeout | undefined;

  async function follow(): Promise<void> {
    const startedAt = performance.now();
    try {
      const hasGap = startedAt - lastLookAt > safeGapMs;
      const keys = hasGap ? await findUsableKeys(db, cachedKeys) : await findChangedKeys(db);
      if (hasGap) {
        epoch += 1;
        unknown.clear();
      }
      // The most recently changed key last, so that the cache drops it last.
      for (const { secretHash, ...key } of keys.toReversed()) {
        unknown.delete(secretHash);
        known.set(secretHash, { key, epoch, loadedAt: startedAt });
      }
      lastLookAt = startedAt;
    } catch (error) {
      log.warn({ err: error }, 'failed to poll key changes, will retry');
    }
    if (following) timer = setTimeout(follow, pollMs).unref();
  }
  void follow();

  function ask(secretHash: string): Promise<KeyRecord | null> {
    const running = asking.get(secretHash);
    if (running) return running;
    const startedAt = performance.now();
    const startedIn = epoch;
    const answer = findKey(db, secretHash)
      .then((key) => {
        if (key) known.set(secretHash, { key, epoch: startedIn, loadedAt: startedAt });
        else {
          known.delete(secretHash);
          unknown.set(secretHash, true);
        }
        return key;
      })
      .finally(() => asking.delete(secretHash));
    asking.set(secretHash, answer);
    return answer;
  }

  async function lookUp(
    secretHash: string,
    limited: boolean,
  ): Promise<KeyRecord | null | 'throttled'> {
    const seen = known.get(secretHash);
    const confirmedAt =
      seen?.epoch === epoch ? Math.max(seen.loadedAt, lastLookAt) : (seen?.loadedAt ?? 0);
    const inTrust = seen && performance.now() - confirmedAt < trustWithoutDatabaseMs;
    const isFresh = inTrust && seen.epoch === epoch;
    const isHit = isFresh || unknown.has(secretHash);
    countLookup({ result: isHit ? 'hit' : 'miss' });
    if (isHit) return isFresh ? seen.key : null;
    if (limited && !asking.has(secretHash) && !limitedLookups.take()) return 'throttled';
    try {
      return await ask(secretHash);
    } catch (error) {
      if (inTrust) return seen.key;
      throw unavailable(error);
    }
  }

  return {
    async authenticate(authorization, { limited } = { limited: false }) {
      const secret = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (!secret || !secretPattern.test(secret)) return { outcome: 'invalid' };
      const key = await lookUp(hashSecret(secret), limited);
      return key === 'throttled' ? { outcome: 'throttled' } : decideKey(key, clock.now());
    },
    close() {
      following = false;
      clearTimeout(timer);
    },
  };
}
