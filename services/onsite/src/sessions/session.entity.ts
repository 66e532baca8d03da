import { defineEntity, p } from '@mikro-orm/core';

/** An entry of the agenda. */
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
    /** The event's count of date moves when this was made: once the event counts higher, it is cleared. */
    agendaEpoch: p.integer(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
  },
  indexes: [
    {
      name: 'session_in_time_order',
      properties: ['businessUnitId', 'eventId', 'startsAt', 'id'],
    },
  ],
});
