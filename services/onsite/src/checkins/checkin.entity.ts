import type { Actor } from '@event-api/contracts/actor';
import { checkinMethods, subjectTypes } from '@event-api/contracts/http/checkins';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * A registration that has passed a door. The unique index allows one check-in per registration and
 * door that is not undone.
 */
export const Checkin = defineEntity({
  name: 'Checkin',
  tableName: 'checkin',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    registrationId: p.text(),
    subjectType: p.enum(subjectTypes),
    /** For the event's own door, the event's id. So the constraint covers that door, too. */
    subjectId: p.text(),
    method: p.enum(checkinMethods),
    checkedInAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    /**
     * Whether projections decided that were not confirmed to come from the present database of
     * their owner, because it did not respond.
     */
    isUnconfirmed: p.boolean().default(false),
    /** By the clock of the device. Null for a check-in that was decided here. */
    scannedAt: p.datetime(3).nullable(),
    deviceId: p.text().nullable(),
    /**
     * The device, key or operator that has reported it. Null for a check-in of a restored backup.
     */
    source: p.text().nullable(),
    /** The scan that it comes from, if a device has reported it in a batch. */
    scanId: p.text().nullable(),
    /** How far `checkedInAt` may be wrong, beyond the usual tolerance. */
    clockUncertaintyMs: p.integer().default(0),
    /** Whether a device has admitted a badge that the server would have rejected. */
    overruled: p.boolean().default(false),
    /** The hash of the code of the badge that was let in. Null from the previous release. */
    codeHash: p.text().nullable(),
    undoneAt: p.datetime(3).nullable(),
    undoneBy: p.json<Actor>().nullable(),
    undoReason: p.text().nullable(),
    version: versionColumn(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  indexes: [
    {
      name: 'checkin_once',
      expression:
        'create unique index checkin_once on onsite.checkin (registration_id, subject_type, subject_id) where undone_at is null',
    },
    {
      name: 'checkin_undone',
      expression:
        'create index checkin_undone on onsite.checkin (event_id, undone_at, id) where undone_at is not null',
    },
    { name: 'checkin_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
    { name: 'checkin_by_time', properties: ['eventId', 'checkedInAt'] },
    { name: 'checkin_of_registration', properties: ['registrationId', 'subjectType', 'subjectId'] },
    { name: 'checkin_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
    {
      name: 'checkin_of_kind',
      properties: ['businessUnitId', 'eventId', 'subjectType', 'insertionOrder'],
    },
    {
      name: 'checkin_of_subject',
      properties: ['businessUnitId', 'eventId', 'subjectId', 'insertionOrder'],
    },
  ],
  triggers: [
    {
      // A trigger, because several statements write check-ins.
      name: 'count',
      timing: 'after',
      events: ['insert'],
      forEach: 'statement',
      expression:
        'create trigger count after insert on onsite.checkin referencing new table as inserted for each statement execute function onsite.checkin_count_fn()',
    },
  ],
});
