import type { updateKey as updateKeyOperation } from '@event-api/contracts/operator/keys';
import { notFound } from '@event-api/platform/core/errors';
import { LockMode, raw } from '@mikro-orm/core';
import type { z } from 'zod';
import { expiryInPast } from '../errors.ts';
import { ApiKey } from './api-key.entity.ts';
import type { KeyDeps } from './commands.ts';
import { isValidExpiry } from './rules.ts';

/**
 * Changes a key; fields left out stay. Every gateway reads the change within a second, as it reads a revocation.
 * Errors: 400 for an expiry in the past; 404. Locks: the key's row.
 */
export async function updateKey(
  { db, clock }: KeyDeps,
  input: z.output<typeof updateKeyOperation.schema.body>,
): Promise<ApiKey> {
  const { id, name, rateLimitPerMinute, expiresAt } = input;
  if (!isValidExpiry(expiresAt, clock.now())) throw expiryInPast();
  return db.transaction(async ({ em }) => {
    const key = await em.findOne(ApiKey, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!key) throw notFound('key');
    if (name !== undefined) key.name = name;
    if (rateLimitPerMinute !== undefined) key.rateLimitPerMinute = rateLimitPerMinute;
    if (expiresAt !== undefined) key.expiresAt = expiresAt;
    key.changedAt = raw('clock_timestamp()') as unknown as Date;
    await em.flush();
    return key;
  });
}
