import type { ApiKey as ApiKeyContract } from '@event-api/contracts/operator/keys';
import type { z } from 'zod';
import type { ApiKey } from './api-key.entity.ts';

/** The columns of a key that operators can read. */
type VisibleKey = Omit<ApiKey, 'secretHash' | 'changedAt'>;

/** The response body of a key. It contains neither the secret nor its hash. */
export function keyView(key: VisibleKey): z.input<typeof ApiKeyContract> {
  return {
    id: key.id,
    businessUnitId: key.businessUnitId,
    name: key.name,
    displayPrefix: key.displayPrefix,
    version: key.version,
    rateLimitPerMinute: key.rateLimitPerMinute ?? null,
    checkinRateLimitPerMinute: key.checkinRateLimitPerMinute ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
