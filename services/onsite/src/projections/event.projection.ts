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
    /** Null, as the following ones, until the projection is rebuilt. */
    status: p.text().nullable(),
    timezone: p.text().nullable(),
    admissionOpensAt: p.datetime(3).nullable(),
    admissionClosesAt: p.datetime(3).nullable(),
    cancelledAt: p.datetime(3).nullable(),
  },
});

export const eventProjection = defineProjection({
  type: eventSnapshot,
  schema: 'onsite',
  entity: ProjectedEvent,
});
