import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const ProjectedEvent = defineEntity({
  name: 'ProjectedEvent',
  tableName: 'event_projection',
  properties: {
    ...projectedColumns,
    /** Number of date moves. Sessions with a lower number are cleared. */
    agendaVersion: p.integer(),
    startsAt: p.datetime(3).nullable(),
    endsAt: p.datetime(3).nullable(),
  },
});

export const eventProjection = defineProjection({
  // Only what is stored is parsed: another release of catalog may publish fewer or more fields.
  type: {
    ...eventSnapshot,
    data: eventSnapshot.data.pick({ agendaVersion: true, startsAt: true, endsAt: true }),
  },
  table: 'onsite.event_projection',
  columns: { agenda_version: 'int', starts_at: 'timestamptz', ends_at: 'timestamptz' },
  row: ({ agendaVersion, startsAt, endsAt }) => ({
    agenda_version: agendaVersion,
    starts_at: startsAt,
    ends_at: endsAt,
  }),
});
