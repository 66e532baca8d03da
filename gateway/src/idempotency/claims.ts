import { createHash } from 'node:crypto';
import type { Owner } from '@event-api/contracts/operation';
import { withTimeout } from '@event-api/platform/core/deadline';
import { idempotencyTimeouts } from '@event-api/platform/core/timeouts';
import type { RedisConnection } from '@event-api/platform/redis/connect';
import { timeouts } from '../timeouts.ts';

/** A key of a client, which is unique among those of its business unit and of its device. */
export interface ClaimedKey {
  businessUnitId: string;
  deviceId: string | null;
  key: string;
}

export type Claim =
  /** No request has used the key. */
  | { outcome: 'claimed' }
  | { outcome: 'repeated' }
  | { outcome: 'used_elsewhere' }
  /** Redis did not respond. The service still recognizes the key. */
  | { outcome: 'unknown' };

/**
 * Which service has received the first request with an `Idempotency-Key`, for as long as services
 * store it, shared by all gateways. A service recognizes its own keys; only the gateway sees a key
 * that a client sends to two of them.
 */
export interface KeyClaims {
  /** Never fails, and waits at most 50 ms for each of two calls. */
  claim(key: ClaimedKey, owner: Owner): Promise<Claim>;
  /** Frees a key whose first request was rejected, and so has changed nothing. Never fails. */
  release(key: ClaimedKey): void;
}

export function createKeyClaims(
  redis: RedisConnection,
  timeoutMs: number = timeouts.rateLimitMs,
): KeyClaims {
  const inTime = async <Value>(call: Promise<Value>): Promise<Value | undefined> => {
    const result = await withTimeout(call, timeoutMs).catch(() => null);
    return result?.outcome === 'done' ? result.value : undefined;
  };

  return {
    async claim(key, owner) {
      if (!redis.isReady) return { outcome: 'unknown' };
      const name = nameOf(key);
      const options = {
        condition: 'NX',
        expiration: { type: 'PX', value: idempotencyTimeouts.retentionMs },
      } as const;
      const stored = await inTime(redis.set(name, owner, options));
      if (stored === undefined) return { outcome: 'unknown' };
      if (stored !== null) return { outcome: 'claimed' };
      const first = await inTime(redis.get(name));
      // Released between the two calls.
      if (first === undefined || first === null) return { outcome: 'unknown' };
      return { outcome: first === owner ? 'repeated' : 'used_elsewhere' };
    },
    release(key) {
      if (redis.isReady) void redis.del(nameOf(key)).catch(() => {});
    },
  };
}

/** The key itself has any characters, and up to 255 of them. */
const nameOf = ({ businessUnitId, deviceId, key }: ClaimedKey): string =>
  `idempotency:${businessUnitId}:${createHash('sha256')
    .update(`${deviceId ?? ''}\n${key}`)
    .digest('base64url')}`;
