import type { CapacityGroup, EventStatus } from '@event-api/contracts/http/events';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const EventProjection = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectedColumns,
    name: p.text(),
    status: p.text().$type<EventStatus>(),
    /** Null also until the projection is rebuilt after the release that added it. */
    endsAt: p.datetime(3).nullable(),
    currency: p.text(),
    /** The questions of the event; null if it has none. */
    form: p.json().nullable(),
    /** Null until the projection is rebuilt after the release that added them. */
    capacityGroups: p.json<CapacityGroup[]>().nullable(),
    cancelledAt: p.datetime(3).nullable(),
  },
});

export const eventProjection = defineProjection({
  type: eventSnapshot,
  schema: 'registration',
  entity: EventProjection,
});
