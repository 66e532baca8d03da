import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { ApiKey } from '../api-keys/api-key.entity.ts';
import { timeouts } from '../timeouts.ts';

const columns = columnsOf(ApiKey, 'k', {
  only: [
    'deviceId',
    'kind',
    'businessUnitId',
    'eventIds',
    'name',
    'doors',
    'showNames',
    'expiresAt',
    'revokedAt',
    'createdAt',
  ],
});
type Credential = RowOf<typeof columns>;

/**
 * The newest credential of a device: its token, or the pairing code that no scanner has used. It
 * has all that other credentials may lack.
 */
export type DeviceRow = Pick<Credential, 'revokedAt'> & {
  [Name in Exclude<keyof Credential, 'revokedAt'>]: NonNullable<Credential[Name]>;
};

const newest = (condition: string) =>
  `(select distinct on (k.device_id) ${columns.sql} from gateway.api_key k
    where k.business_unit_id = $1 and k.device_id is not null and ${condition}
    order by k.device_id, k.created_at desc) d`;

// A device can move to another event: its newest credential decides.
const devicesOfUnit = statement<DeviceRow>(
  'devices_of_unit',
  `select d.* from ${newest('true')}
   where ($2::text is null or $2 = any(d."eventIds"))
     and (d.kind = 'device' or d."revokedAt" is not null or d."expiresAt" > clock_timestamp())
   order by d."createdAt" desc, d."deviceId"`,
);

/**
 * Returns the devices of a business unit, or of one of its events, newest first. A pairing code
 * that has expired unused is none.
 */
export const listDevices = (
  db: Db,
  businessUnitId: string,
  eventId: string | null,
): Promise<DeviceRow[]> => db.query(devicesOfUnit, [businessUnitId, eventId]);

const deviceById = statement<DeviceRow>(
  'device_by_id',
  `select d.* from ${newest('k.device_id = $2')}`,
);

/** Returns a device of a business unit, or null. */
export async function findDevice(
  db: Db,
  businessUnitId: string,
  deviceId: string,
): Promise<DeviceRow | null> {
  const [row] = await db.query(deviceById, [businessUnitId, deviceId]);
  return row ?? null;
}

const credentialById = statement<DeviceRow>(
  'device_credential',
  `select ${columns.sql} from gateway.api_key k
   where (k.business_unit_id = $1) is true and k.id = $2 and k.device_id is not null`,
);

/** Returns the device as one of its credentials describes it, or null. */
export async function findCredential(
  db: Db,
  businessUnitId: string,
  credentialId: string,
): Promise<DeviceRow | null> {
  const [row] = await db.query(credentialById, [businessUnitId, credentialId]);
  return row ?? null;
}

const lockCredentials = statement<{ id: string }>(
  'device_lock',
  `select id from gateway.api_key where business_unit_id = $1 and device_id = $2 order by id for update`,
);

const revokeCredentials = statement<{ id: string }>(
  'device_revoke',
  `update gateway.api_key set revoked_at = clock_timestamp(), changed_at = clock_timestamp()
   where business_unit_id = $1 and device_id = $2 and revoked_at is null returning id`,
);

/**
 * Revokes all credentials of a device. Returns whether one was valid, and null for an unknown
 * device. Locks: their rows. A pairing at the same time has locked one of them, and the second
 * statement sees what it has written.
 */
export async function revokeCredentialsOf(
  tx: Db,
  businessUnitId: string,
  deviceId: string,
): Promise<boolean | null> {
  const locked = await tx.query(lockCredentials, [businessUnitId, deviceId]);
  if (locked.length === 0) return null;
  return (await tx.query(revokeCredentials, [businessUnitId, deviceId])).length > 0;
}

const deleteOld = statement<{ id: string }>(
  'devices_delete_old',
  `delete from gateway.api_key where id = any(array(
     select id from gateway.api_key where kind in ('device', 'pairing')
       and expires_at < clock_timestamp() - interval '${timeouts.deviceRetentionSeconds} s'
     order by expires_at limit 1000 for update skip locked)) returning id`,
);

/**
 * Deletes up to 1,000 credentials of devices that have expired long ago. Replicas skip each other's
 * rows.
 */
export const deleteOldDevices = (db: Db): Promise<{ id: string }[]> => db.query(deleteOld);
