import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';

/** A speaker of an event. */
export const Speaker = defineEntity({
  name: 'Speaker',
  tableName: 'speaker',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    title: p.text().nullable(),
    bio: p.text().nullable(),
    registrationId: p.text().nullable(),
    /** As sent. Responses leave out sessions that are no longer on the agenda. */
    sessionIds: p.array().columnType('text[]'),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  indexes: [
    { name: 'speaker_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
  ],
});
