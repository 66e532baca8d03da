/** What a gateway knows of a key. */
export interface KeyRecord {
  id: string;
  businessUnitId: string;
  defaultCurrency: string;
  version: string;
  rateLimitPerMinute: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export type KeyDecision = { outcome: 'valid'; key: KeyRecord } | { outcome: 'invalid' };

/** Whether a key opens the door now. Why it does not is nobody's business but its owner's. */
export function decideKey(key: KeyRecord | null, now: Date): KeyDecision {
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now))
    return { outcome: 'invalid' };
  return { outcome: 'valid', key };
}
