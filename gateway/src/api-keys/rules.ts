/** What a gateway knows of a key. */
export interface ApiKeyRecord {
  id: string;
  businessUnitId: string;
  defaultCurrency: string;
  version: string;
  rateLimitPerMinute: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export type KeyDecision = { outcome: 'valid'; key: ApiKeyRecord } | { outcome: 'invalid' };

/** `throttled` when only a look-up could tell, and none is allowed now. */
export type Authentication = KeyDecision | { outcome: 'throttled' };

/** Whether a key may be given this expiry; null means that it never expires. */
export const isValidExpiry = (expiresAt: Date | null | undefined, now: Date): boolean =>
  !expiresAt || expiresAt > now;

/** Whether a key opens the door now. Why it does not is nobody's business but its owner's. */
export function decideKey(key: ApiKeyRecord | null, now: Date): KeyDecision {
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now))
    return { outcome: 'invalid' };
  return { outcome: 'valid', key };
}
