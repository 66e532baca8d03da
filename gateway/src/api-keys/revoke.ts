import { notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { LockMode, raw } from '@mikro-orm/core';
import { ApiKey } from './api-key.entity.ts';

/** Ends a key for good. A key that is revoked already stays as it is. Errors: 404. Locks: the key's row. */
export async function revokeKey(db: Database, keyId: string): Promise<ApiKey> {
  return db.transaction(async ({ em }) => {
    const key = await em.findOne(ApiKey, { id: keyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('key');
    if (key.revokedAt) return key;
    key.revokedAt = raw('clock_timestamp()') as unknown as Date;
    key.changedAt = raw('clock_timestamp()') as unknown as Date;
    await em.flush();
    return key;
  });
}
