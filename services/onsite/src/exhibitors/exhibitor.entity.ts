import { exhibitorStatuses } from '@event-api/contracts/http/exhibitors';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, p } from '@mikro-orm/core';

/** A company that exhibits at an event. */
export const Exhibitor = defineEntity({
  name: 'Exhibitor',
  tableName: 'exhibitor',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    website: p.text().nullable(),
    status: p.enum(exhibitorStatuses).default('pending'),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  indexes: [
    { name: 'exhibitor_newest_first', properties: ['businessUnitId', 'eventId', 'insertionOrder'] },
  ],
});

/** A registration that staffs an exhibitor. Each registration staffs at most one exhibitor. */
export const ExhibitorMember = defineEntity({
  name: 'ExhibitorMember',
  tableName: 'exhibitor_member',
  properties: {
    registrationId: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    exhibitorId: p.text().index('exhibitor_member_of'),
    role: p.text(),
    insertionOrder: p.bigint('number').autoincrement(),
  },
});

/** A booth of an exhibitor. */
export const Booth = defineEntity({
  name: 'Booth',
  tableName: 'booth',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    exhibitorId: p.text().index('booth_of'),
    number: p.text(),
    type: p.text(),
    venueId: p.text().nullable().index('booth_in_venue'),
    insertionOrder: p.bigint('number').autoincrement(),
  },
  uniques: [{ name: 'booth_number_unique', properties: ['eventId', 'number'] }],
});
