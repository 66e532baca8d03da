import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../timeouts.ts';
import { type ApiKeyRecord, accessOf, type StoredAccess } from './api-keys.rules.ts';

interface KeyRow extends Omit<ApiKeyRecord, 'access' | 'kind'>, StoredAccess {
  secretHash: string;
}

/** A key with the hash of its secret. */
export interface HashedKey extends ApiKeyRecord {
  secretHash: string;
}

const cachedKey = ({ kind, groups, eventIds, doors, showNames, ...row }: KeyRow): HashedKey => ({
  ...row,
  kind: kind ?? 'key',
  access: accessOf({ kind, groups, eventIds, doors, showNames }),
});

const keyWithUnit = `select k.id, k.kind, k.groups, k.event_ids as "eventIds", k.doors, k.show_names as "showNames", k.device_id as "deviceId", k.secret_hash as "secretHash", k.business_unit_id as "businessUnitId",
    u.default_currency as "defaultCurrency", k.version, k.rate_limit_per_minute as "rateLimitPerMinute",
    k.checkin_rate_limit_per_minute as "checkinRateLimitPerMinute",
    k.expires_at as "expiresAt", k.revoked_at as "revokedAt"
  from gateway.api_key k join gateway.business_unit u on u.id = k.business_unit_id`;

const keyByHash = statement<KeyRow>('key_by_hash', `${keyWithUnit} where k.secret_hash = $1`);

/** Returns the key with this secret's hash, including revoked and expired ones, or null. */
export async function findKey(db: Db, secretHash: string): Promise<ApiKeyRecord | null> {
  const [row] = await db.query(keyByHash, [secretHash]);
  return row ? cachedKey(row) : null;
}

const pairingByShortCode = statement<KeyRow>(
  'pairing_by_short_code',
  `${keyWithUnit} where k.short_code_hash = $1`,
);

/** Returns the pairing code with this short code's hash, also a used or expired one, or null. */
export async function findPairingByShortCode(
  db: Db,
  shortCodeHash: string,
): Promise<ApiKeyRecord | null> {
  const [row] = await db.query(pairingByShortCode, [shortCodeHash]);
  return row ? cachedKey(row) : null;
}

// `changed_at` is set before the commit, so each poll covers more than the interval between two
// polls.
const changedKeys = statement<KeyRow>(
  'changed_keys',
  `${keyWithUnit} where k.changed_at > clock_timestamp() - interval '${timeouts.keyChangeWindowSeconds} s'`,
);

/** Returns keys that were created or changed in the last five seconds of the database's clock. */
export const findChangedKeys = async (db: Db): Promise<HashedKey[]> =>
  (await db.query(changedKeys)).map(cachedKey);

const usableKeys = statement<KeyRow>(
  'usable_keys',
  `${keyWithUnit} where k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())
   order by k.changed_at desc limit $1`,
);

/**
 * Returns up to `limit` keys that are neither revoked nor expired, the most recently changed first.
 */
export const findUsableKeys = async (db: Db, limit: number): Promise<HashedKey[]> =>
  (await db.query(usableKeys, [limit])).map(cachedKey);

interface ListedKeyRow {
  id: string;
  businessUnitId: string;
  name: string;
  groups: string[] | null;
  eventIds: string[] | null;
  displayPrefix: string;
  version: string;
  rateLimitPerMinute: number | null;
  checkinRateLimitPerMinute: number | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

const keysOfUnit = statement<ListedKeyRow>(
  'keys_of_unit',
  `select id, business_unit_id as "businessUnitId", name, groups, event_ids as "eventIds", display_prefix as "displayPrefix", version,
     rate_limit_per_minute as "rateLimitPerMinute",
     checkin_rate_limit_per_minute as "checkinRateLimitPerMinute", expires_at as "expiresAt",
     revoked_at as "revokedAt", created_at as "createdAt"
   from gateway.api_key where business_unit_id = $1 and coalesce(kind, 'key') in ('key', 'restricted') order by created_at, id`,
);

/** Returns the keys of a business unit as operators read them, oldest first, without devices. */
export const listKeys = (db: Db, businessUnitId: string): Promise<ListedKeyRow[]> =>
  db.query(keysOfUnit, [businessUnitId]);
