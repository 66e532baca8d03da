import type { ApiKey as ApiKeyContract } from '@event-api/contracts/operator/keys';
import type { z } from 'zod';
import type { ApiKey } from './api-key.entity.ts';

/** The columns of a key that operators can read. */
type VisibleKey = Pick<
  ApiKey,
  | 'id'
  | 'businessUnitId'
  | 'name'
  | 'displayPrefix'
  | 'version'
  | 'rateLimitPerMinute'
  | 'checkinRateLimitPerMinute'
  | 'expiresAt'
  | 'revokedAt'
  | 'createdAt'
> & { groups?: string[] | null; eventIds?: string[] | null };

/** The response body of a key. It contains neither the secret nor its hash. */
export function keyView(key: VisibleKey): z.input<typeof ApiKeyContract> {
  return {
    id: key.id,
    businessUnitId: key.businessUnitId,
    name: key.name,
    groups: key.groups ?? null,
    eventIds: key.eventIds ?? null,
    displayPrefix: key.displayPrefix,
    version: key.version,
    rateLimitPerMinute: key.rateLimitPerMinute ?? null,
    checkinRateLimitPerMinute: key.checkinRateLimitPerMinute ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  };
}
