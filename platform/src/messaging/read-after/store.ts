import { origins } from '@event-api/contracts/messages/snapshot';
import { boundedCache } from '../../core/bounded-cache.ts';
import { withTimeout } from '../../core/deadline.ts';
import { readAfterTimeouts } from '../../core/timeouts.ts';
import type { RedisConnection } from '../../redis/connect.ts';
import { mergeReadAfter, type ReadAfterToken } from './token.ts';

const { ttlMs } = readAfterTimeouts;

/** The scope of a token: an event or, without one, the business unit. */
export interface TokenScope {
  businessUnitId: string;
  eventId: string | null;
}

/** Stores the read-after tokens of clients for a minute, shared through Redis by all gateways. */
export interface ReadAfterStore {
  /**
   * Saves a token. It runs before the response, because the next request may arrive at another
   * gateway. Never fails.
   */
  save(scope: TokenScope, token: ReadAfterToken): Promise<void>;
  /** The Redis keys of the tokens that apply to a scope. */
  keysOf(scope: TokenScope): string[];
  /** Merges the tokens of the event and of the business unit, from memory and from Redis. */
  merge(scope: TokenScope, fromRedis: readonly string[][]): ReadAfterToken | null;
  /**
   * Loads and merges the tokens of a scope, for callers without their own Redis call. Never fails;
   * waits at most 50 ms.
   */
  load(scope: TokenScope): Promise<ReadAfterToken | null>;
}

/** `timeoutMs` limits each wait for Redis. */
export function createReadAfterStore(
  redis: RedisConnection,
  timeoutMs = readAfterTimeouts.redisMs,
): ReadAfterStore {
  const memory = boundedCache<string, ReadAfterToken>(50_000, { ttl: ttlMs });

  async function saveShared(
    key: string,
    { streamCreatedAt, sequences }: ReadAfterToken,
  ): Promise<void> {
    if (!redis.isReady) return;
    const pairs = Object.entries(sequences).flatMap(([origin, sequence]) => [
      origin,
      String(sequence),
    ]);
    const saved = redis.saveToken(key, [String(ttlMs), streamCreatedAt, ...pairs]);
    await withTimeout(saved, timeoutMs).catch(() => {});
  }

  async function read(keys: readonly string[]): Promise<string[][]> {
    if (!redis.isReady) return [];
    const hashes = await Promise.all(keys.map((key) => redis.hGetAll(key)));
    return hashes.map((hash) => Object.entries(hash).flat());
  }

  function merge(scope: TokenScope, fromRedis: readonly string[][]): ReadAfterToken | null {
    const cached = keysOf(scope).map((key) => memory.get(key) ?? null);
    return [...cached, ...fromRedis.map(tokenOf)].reduce(mergeReadAfter, null);
  }

  return {
    async save(scope, token) {
      const key = scope.eventId === null ? unitKey(scope) : eventKey(scope, scope.eventId);
      const latest = mergeReadAfter(memory.get(key) ?? null, token);
      if (latest) memory.set(key, latest);
      await saveShared(key, token);
    },
    keysOf,
    merge,
    async load(scope) {
      const stored = read(keysOf(scope)).catch(() => []);
      const loaded = await withTimeout(stored, timeoutMs);
      return merge(scope, loaded.outcome === 'done' ? loaded.value : []);
    },
  };
}

const unitKey = ({ businessUnitId }: TokenScope): string => `read-after:${businessUnitId}`;

const eventKey = ({ businessUnitId }: TokenScope, eventId: string): string =>
  `read-after:${businessUnitId}:${eventId}`;

function keysOf(scope: TokenScope): string[] {
  return scope.eventId === null
    ? [unitKey(scope)]
    : [unitKey(scope), eventKey(scope, scope.eventId)];
}

function tokenOf(fields: readonly string[]): ReadAfterToken | null {
  if (fields.length === 0) return null;
  const pairs = new Map<string, string>();
  for (let i = 0; i + 1 < fields.length; i += 2) pairs.set(fields[i] ?? '', fields[i + 1] ?? '');
  const streamCreatedAt = pairs.get('stream_created_at');
  if (!streamCreatedAt) return null;
  const sequences: ReadAfterToken['sequences'] = {};
  for (const origin of origins) {
    const sequence = Number(pairs.get(origin));
    if (sequence > 0) sequences[origin] = sequence;
  }
  return { streamCreatedAt, sequences };
}
