import { secretPattern } from '@event-api/contracts/operator/keys';
import type { Clock } from '@event-api/platform/clock';
import type { Db } from '@event-api/platform/db/database';
import { unavailable } from '@event-api/platform/errors';
import type { Logger } from '@event-api/platform/log';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import { findChangedKeys, findKey } from './queries.ts';
import { decideKey, type KeyRecord } from './rules.ts';
import { hashSecret } from './secret.ts';

const pollMs = 250;
/** A gap between two looks that a five-second window of changes still covers with room to spare. */
const safeGapMs = 2_500;
const trustWithoutDatabaseMs = 5 * 60_000;
const unknownForMs = 10_000;

interface Known {
  key: KeyRecord;
  /** When it was last known to be as the database has it, on the monotonic clock. */
  epoch: number;
  loadedAt: number;
}

export interface KeyDirectory {
  /**
   * The key of an `Authorization` header, or null for anything that is not a valid one.
   * A revocation shows within a second. Errors: 503 for a key not seen before while the database is away.
   */
  authenticate(authorization: string | undefined): Promise<KeyRecord | null>;
  close(): void;
}

/**
 * Keeps the keys in use in memory and follows their changes by looking for them every 250 ms.
 * While the database is away, keys seen before stay good for five minutes; their expiry still counts.
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
  const known = new LRUCache<string, Known>({ max: 50_000 });
  const unknown = new LRUCache<string, true>({ max: 50_000, ttl: unknownForMs });
  const asking = new Map<string, Promise<KeyRecord | null>>();
  // Counted up when changes may have been missed: what was known before has to be asked for again.
  let epoch = 0;
  let lastLookAt = performance.now();
  let following = true;
  let timer: NodeJS.Timeout | undefined;

  async function follow(): Promise<void> {
    const startedAt = performance.now();
    try {
      const changes = await findChangedKeys(db);
      if (startedAt - lastLookAt > safeGapMs) {
        epoch += 1;
        unknown.clear();
      }
      for (const { secretHash, ...key } of changes) {
        unknown.delete(secretHash);
        if (known.has(secretHash)) known.set(secretHash, { key, epoch, loadedAt: startedAt });
      }
      lastLookAt = startedAt;
    } catch (error) {
      log.warn({ err: error }, 'cannot follow key changes');
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

  async function lookUp(secretHash: string): Promise<KeyRecord | null> {
    const seen = known.get(secretHash);
    const confirmedAt =
      seen?.epoch === epoch ? Math.max(seen.loadedAt, lastLookAt) : (seen?.loadedAt ?? 0);
    const inTrust = seen && performance.now() - confirmedAt < trustWithoutDatabaseMs;
    const isFresh = inTrust && seen.epoch === epoch;
    const isHit = isFresh || unknown.has(secretHash);
    countLookup({ result: isHit ? 'hit' : 'miss' });
    if (isHit) return isFresh ? seen.key : null;
    try {
      return await ask(secretHash);
    } catch (error) {
      if (inTrust) return seen.key;
      throw unavailable(error);
    }
  }

  return {
    async authenticate(authorization) {
      const secret = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      if (!secret || !secretPattern.test(secret)) return null;
      const decision = decideKey(await lookUp(hashSecret(secret)), clock.now());
      return decision.outcome === 'valid' ? decision.key : null;
    },
    close() {
      following = false;
      clearTimeout(timer);
    },
  };
}
