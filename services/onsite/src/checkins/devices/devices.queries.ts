import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Device } from './device.entity.ts';

const columns = columnsOf(Device, 'd', { omit: ['businessUnitId', 'eventId'] });

/** A device at the doors of an event. */
export type DeviceRow = RowOf<typeof columns>;

/** The last request of a device. */
export interface Sighting extends EventScope {
  deviceId: string;
  seenAt: Date;
}

// In the order of the ids, so that the processes do not deadlock. A device can be paired with
// another event.
const markSeen = statement(
  'devices_seen',
  `insert into onsite.device as d (id, business_unit_id, event_id, last_seen_at)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) order by 1
   on conflict (id) do update set event_id = excluded.event_id, last_seen_at = excluded.last_seen_at
   where d.business_unit_id = excluded.business_unit_id and d.last_seen_at < excluded.last_seen_at`,
);

/**
 * Stores the last requests of devices, each device once. An older sighting than the stored one
 * changes nothing.
 */
export async function storeSightings(db: Db, sightings: readonly Sighting[]): Promise<void> {
  await db.query(markSeen, [
    sightings.map(({ deviceId }) => deviceId),
    sightings.map(({ businessUnitId }) => businessUnitId),
    sightings.map(({ eventId }) => eventId),
    sightings.map(({ seenAt }) => seenAt.toISOString()),
  ]);
}

/** What a device reports about itself. */
export interface ReportedState {
  unsentScans: number;
  rosterReadAt: Date | null;
}

const report = statement(
  'device_report',
  `insert into onsite.device as d (id, business_unit_id, event_id, last_seen_at, unsent_scans, roster_read_at, reported_at)
   values ($1, $2, $3, $4, $5, $6, $4)
   on conflict (id) do update set event_id = excluded.event_id,
     last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at), unsent_scans = excluded.unsent_scans,
     roster_read_at = excluded.roster_read_at, reported_at = excluded.reported_at
   where d.business_unit_id = excluded.business_unit_id`,
);

/** Stores what a device has reported. */
export async function storeReport(
  db: Db,
  { deviceId, businessUnitId, eventId, seenAt }: Sighting,
  { unsentScans, rosterReadAt }: ReportedState,
): Promise<void> {
  const key = [deviceId, businessUnitId, eventId, seenAt];
  await db.query(report, [...key, unsentScans, rosterReadAt]);
}

const ofEvent = statement<DeviceRow>(
  'devices_of_event',
  `select ${columns.sql} from onsite.device d
   where d.business_unit_id = $1 and d.event_id = $2 order by d.last_seen_at desc, d.id`,
);

/** Returns the devices that were seen at the doors of an event, the last one first. */
export const listSeenDevices = (
  db: Db,
  { businessUnitId, eventId }: EventScope,
): Promise<DeviceRow[]> => db.query(ofEvent, [businessUnitId, eventId]);

// Replicas skip each other's rows.
const deleteUnseen = statement(
  'devices_delete_unseen',
  `delete from onsite.device where id = any(array(
     select id from onsite.device where last_seen_at < clock_timestamp() - $1 * interval '1 millisecond'
     order by last_seen_at limit 1000 for update skip locked))`,
);

/** Deletes up to 1,000 devices that were not seen for this time. */
export async function deleteUnseenDevices(db: Db, ms: number): Promise<void> {
  await db.query(deleteUnseen, [ms]);
}
