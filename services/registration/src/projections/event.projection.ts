import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const EventProjection = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectedColumns,
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
    data: eventSnapshot.data.pick({ status: true, currency: true, form: true }),
  },
  table: 'registration.event_projection',
  columns: { status: 'text', currency: 'text', form: 'jsonb' },
  row: ({ status, currency, form }) => ({ status, currency, form }),
});
