/** A key as the gateway caches it. */
export interface ApiKeyRecord {
  id: string;
  businessUnitId: string;
  defaultCurrency: string;
  version: string;
  rateLimitPerMinute: number | null;
  checkinRateLimitPerMinute: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export type KeyDecision = { outcome: 'valid'; key: ApiKeyRecord } | { outcome: 'invalid' };

/** `throttled` when the key is not cached and the limit of look-ups is reached. */
export type Authentication = KeyDecision | { outcome: 'throttled' };

/** Returns whether a key may have this expiry. Null means that it never expires. */
export const isValidExpiry = (expiresAt: Date | null | undefined, now: Date): boolean =>
  !expiresAt || expiresAt > now;

/**
 * Decides whether a key is valid now. The decision does not tell unknown, revoked and expired keys apart, so responses
 * cannot reveal it.
 */
export function decideKey(key: ApiKeyRecord | null, now: Date): KeyDecision {
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now))
    return { outcome: 'invalid' };
  return { outcome: 'valid', key };
}
