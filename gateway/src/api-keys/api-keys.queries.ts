import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { BusinessUnit } from '../business-units/business-unit.entity.ts';
import { timeouts } from '../timeouts.ts';
import { ApiKey } from './api-key.entity.ts';
import { type ApiKeyRecord, accessOf } from './api-keys.rules.ts';

const columns = columnsOf(ApiKey, 'k', {
  omit: ['name', 'displayPrefix', 'installationId', 'pairedUntil', 'createdAt', 'changedAt'],
});
const unitColumns = columnsOf(BusinessUnit, 'u', { only: ['defaultCurrency'] });
type KeyRow = RowOf<typeof columns> & RowOf<typeof unitColumns>;

/** A key with the hash of its secret. */
export interface HashedKey extends ApiKeyRecord {
  secretHash: string;
}

const cachedKey = ({ kind, groups, eventIds, doors, showNames, ...row }: KeyRow): HashedKey => ({
  ...row,
  kind: kind ?? 'key',
  access: accessOf({ kind, groups, eventIds, doors, showNames }),
});

const keyWithUnit = `select ${columns.sql}, ${unitColumns.sql}
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

const activeKeys = statement<{ count: number }>(
  'active_keys_of_unit',
  `select count(*)::int as count from gateway.api_key k
   where k.business_unit_id = $1 and coalesce(k.kind, 'key') in ('key', 'restricted')
     and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)`,
);

/** Returns how many keys of a business unit, without devices, are neither revoked nor expired. */
export async function countActiveKeys(db: Db, businessUnitId: string, now: Date): Promise<number> {
  const [row] = await db.query(activeKeys, [businessUnitId, now]);
  return row?.count ?? 0;
}

export const listedColumns = columnsOf(ApiKey, 'k', {
  omit: ['kind', 'doors', 'deviceId', 'installationId', 'showNames', 'secretHash', 'changedAt'],
});
type ListedKeyRow = RowOf<typeof listedColumns>;

const keysOfUnit = statement<ListedKeyRow>(
  'keys_of_unit',
  `select ${listedColumns.sql} from gateway.api_key k
   where k.business_unit_id = $1 and coalesce(k.kind, 'key') in ('key', 'restricted') order by k.created_at, k.id`,
);

/** Returns the keys of a business unit as operators read them, oldest first, without devices. */
export const listKeys = (db: Db, businessUnitId: string): Promise<ListedKeyRow[]> =>
  db.query(keysOfUnit, [businessUnitId]);
