import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';
import { rememberDeleted } from '../program/deleted-door.entity.ts';

/** A venue. Its gate opens for any of its perks; a venue without perks has no gate. */
export const Venue = defineEntity({
  name: 'Venue',
  tableName: 'venue',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    perkIds: p.array().columnType('text[]'),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  triggers: [rememberDeleted('venue')],
  indexes: [
    { name: 'venue_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
  ],
});
