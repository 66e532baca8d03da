import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const EventProjection = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectedColumns,
    /** Null until the projection was rebuilt with this column. */
    name: p.text().nullable(),
    status: p.text(),
    currency: p.text(),
    /** The questions of the event; null if it has none. */
    form: p.json().nullable(),
  },
});

export const eventProjection = defineProjection({
  // Only the projected fields are required: an older or newer release of the owner may send others.
  type: {
    ...eventSnapshot,
    data: eventSnapshot.data.pick({ name: true, status: true, currency: true, form: true }),
  },
  table: 'registration.event_projection',
  columns: { name: 'text', status: 'text', currency: 'text', form: 'jsonb' },
  row: ({ name, status, currency, form }) => ({ name, status, currency, form }),
});
