import type { Cell } from '@event-api/contracts/cells';
import {
  type createKey as createKeyOperation,
  maxKeys,
  type updateKey as updateKeyOperation,
} from '@event-api/contracts/operator/keys';
import { currentVersion } from '@event-api/contracts/version';
import { recordAudit } from '@event-api/platform/audit/write';
import type { Clock } from '@event-api/platform/core/clock';
import { hashSecret } from '@event-api/platform/core/credentials';
import { alreadyExists, notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import { sqlValue } from '@event-api/platform/db/sql-value';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { BusinessUnit } from '../business-units/business-unit.entity.ts';
import { expiryInPast, notRestricted, secretOfOtherCell, tooManyKeys } from '../errors.ts';
import { ApiKey } from './api-key.entity.ts';
import { countActiveKeys } from './api-keys.queries.ts';
import { isExpired, isValidExpiry } from './api-keys.rules.ts';
import { cellOf, displayPrefix, generateSecret } from './secret.ts';

export interface KeyDeps {
  db: Database;
  clock: Clock;
  /** The cell of new keys. */
  cell: Cell;
}

/**
 * Creates a key for a business unit, pinned to the current version unless the input names another
 * one. With groups it is a restricted key. The secret is in the result and nowhere else: a retry
 * that finds the key returns null instead.
 *
 * Errors: 400 for an expiry in the past, and for a secret of another cell; 404 for an unknown unit;
 * 409 for a secret in use; 412 `TOO_MANY_KEYS`. Locks: the business unit, so that two calls cannot
 * both take the last place.
 */
export async function createKey(
  { db, clock, cell }: KeyDeps,
  input: z.output<typeof createKeyOperation.schema.body>,
): Promise<{ key: ApiKey; secret: string | null }> {
  const { businessUnitId, groups, eventIds, expiresAt, version = currentVersion } = input;
  if (!isValidExpiry(expiresAt, clock.now())) throw expiryInPast();
  const kind = groups ? 'restricted' : 'key';
  const secret = input.secret ?? generateSecret(kind, cell);
  if (cellOf(secret) !== cell) throw secretOfOtherCell(cell);
  const id = newId('key');
  try {
    return await db.transaction(async (tx) => {
      const { em } = tx;
      await lockUnit(tx, businessUnitId);
      const created = isRetry() && (await em.findOne(ApiKey, { id, businessUnitId }));
      if (created) return { key: created, secret: null };
      await requirePlace(tx, businessUnitId, clock.now());
      const key = em.create(ApiKey, {
        id,
        businessUnitId,
        name: input.name,
        kind,
        groups,
        eventIds,
        version,
        rateLimitPerMinute: input.rateLimitPerMinute,
        checkinRateLimitPerMinute: input.checkinRateLimitPerMinute,
        expiresAt,
        secretHash: hashSecret(secret),
        displayPrefix: displayPrefix(secret),
      });
      await em.flush();
      recordAudit(tx, { records: [id] });
      return { key, secret };
    });
  } catch (error) {
    if (violatedUniqueConstraint(error) === 'api_key_secret_hash_unique') {
      throw alreadyExists('A key with this secret already exists');
    }
    throw error;
  }
}

/** Locks a business unit, so that two transactions cannot both take its last key. Errors: 404. */
async function lockUnit({ em }: Tx, id: string): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  if (!(await em.findOne(BusinessUnit, { id }, { lockMode }))) throw notFound('businessUnit');
}

/** Errors: 412 `TOO_MANY_KEYS` if the locked business unit has as many keys as it may have. */
async function requirePlace(tx: Tx, businessUnitId: string, now: Date): Promise<void> {
  if ((await countActiveKeys(tx, businessUnitId, now)) >= maxKeys) throw tooManyKeys();
}

/** A key as a command names it. The command line may leave out its business unit. */
interface KeyRef {
  id: string;
  businessUnitId?: string | undefined;
}

/** Locks and returns a key, but no device. Errors: 404. */
async function lockKey(em: Tx['em'], { id, businessUnitId }: KeyRef): Promise<ApiKey> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const filter = businessUnitId === undefined ? { id } : { id, businessUnitId };
  const key = await em.findOne(ApiKey, filter, { lockMode });
  if (!key || key.deviceId || key.kind === 'pairing') throw notFound('key');
  return key;
}

/**
 * Changes a key; fields left out stay. Every gateway reads the change within a second, as it reads
 * a revocation.
 * Errors: 400 for an expiry in the past, and for permissions of an unrestricted key; 404; 412
 * `TOO_MANY_KEYS` when an expired key becomes valid again. Locks: the key's row, then in this case
 * the business unit.
 */
export async function updateKey(
  { db, clock }: Pick<KeyDeps, 'db' | 'clock'>,
  input: z.output<typeof updateKeyOperation.schema.body>,
): Promise<ApiKey> {
  const { name, groups, eventIds, expiresAt } = input;
  const { rateLimitPerMinute, checkinRateLimitPerMinute } = input;
  if (!isValidExpiry(expiresAt, clock.now())) throw expiryInPast();
  return db.transaction(async (tx) => {
    const { em } = tx;
    const key = await lockKey(em, input);
    const restrictions = Object.entries({ groups, eventIds }).filter(
      ([, value]) => value !== undefined,
    );
    if (key.kind !== 'restricted' && restrictions.length > 0) {
      throw notRestricted(restrictions.map(([field]) => field));
    }
    if (name !== undefined) key.name = name;
    if (groups !== undefined) key.groups = groups;
    if (eventIds !== undefined) key.eventIds = eventIds;
    if (rateLimitPerMinute !== undefined) key.rateLimitPerMinute = rateLimitPerMinute;
    if (checkinRateLimitPerMinute !== undefined)
      key.checkinRateLimitPerMinute = checkinRateLimitPerMinute;
    if (expiresAt !== undefined) {
      if (isExpired(key, clock.now())) {
        await lockUnit(tx, key.businessUnitId);
        await requirePlace(tx, key.businessUnitId, clock.now());
      }
      key.expiresAt = expiresAt;
    }
    key.changedAt = sqlValue<Date>('clock_timestamp()');
    await em.flush();
    recordAudit(tx, { businessUnitId: key.businessUnitId });
    return key;
  });
}

/** Revokes a key permanently. A revoked key stays unchanged. Errors: 404. Locks: the key's row. */
export async function revokeKey(db: Database, ref: KeyRef): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const { em } = tx;
    const key = await lockKey(em, ref);
    if (key.revokedAt) return key;
    key.revokedAt = sqlValue<Date>('clock_timestamp()');
    key.changedAt = sqlValue<Date>('clock_timestamp()');
    await em.flush();
    recordAudit(tx, { businessUnitId: key.businessUnitId });
    return key;
  });
}
