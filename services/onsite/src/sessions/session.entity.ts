import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { rememberDeleted } from '../program/deleted-door.entity.ts';

/** A session of the agenda. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    title: p.text(),
    description: p.text().nullable(),
    startsAt: p.datetime(3),
    endsAt: p.datetime(3).check('ends_at > starts_at'),
    venueId: p.text().nullable().index('session_in_venue'),
    perkIds: p.array().columnType('text[]'),
    /**
     * The event's number of date moves when the session was created. The session is cleared once
     * the event's number is higher.
     */
    agendaVersion: p.integer(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
  },
  triggers: [rememberDeleted('session')],
  indexes: [
    {
      name: 'session_in_time_order',
      properties: ['businessUnitId', 'eventId', 'startsAt', 'id'],
    },
  ],
});

export type Session = InferEntity<typeof Session>;
