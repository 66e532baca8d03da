import {
  attendanceModes,
  type CapacityGroup,
  cancellationRefunds,
  eventStatuses,
} from '@event-api/contracts/http/events';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const Event = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    publicId: p.text().unique('event_public_id_unique'),
    name: p.text(),
    status: p.enum(eventStatuses).default('draft'),
    startsAt: p.datetime(3).nullable(),
    endsAt: p.datetime(3).nullable(),
    admissionOpensAt: p.datetime(3).nullable(),
    admissionClosesAt: p.datetime(3).nullable(),
    timezone: p.text(),
    currency: p.character().length(3),
    attendanceMode: p.enum(attendanceModes).default('in_person'),
    country: p.text().nullable(),
    currencyLocked: p.boolean().default(false),
    /** Number of times that the start has moved to another date. */
    agendaVersion: p.integer().default(0).check('agenda_version >= 0'),
    features: p.array().columnType('text[]').defaultRaw("'{}'"),
    /** In the order of the last update. */
    capacityGroups: p.json<CapacityGroup[]>().defaultRaw("'[]'"),
    publishedAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
    /** What the cancellation pays back; null for an event that takes place. */
    cancellationRefund: p.enum(cancellationRefunds).nullable(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
  },
  indexes: [
    { name: 'event_newest_first', properties: ['businessUnitId', 'createdAt', 'id'] },
    { name: 'event_by_status', properties: ['businessUnitId', 'status', 'createdAt', 'id'] },
    { name: 'event_changes', properties: ['businessUnitId', 'version', 'id'] },
  ],
});

export type Event = InferEntity<typeof Event>;
