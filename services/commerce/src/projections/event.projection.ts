import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const eventProjection = defineProjection({
  type: eventSnapshot,
  table: 'commerce.event_projection',
  columns: {
    name: 'text',
    status: 'text',
    currency: 'text',
    currency_locked: 'boolean',
    form: 'jsonb',
  },
  row: ({ name, status, currency, currencyLocked, form }) => ({
    name,
    status,
    currency,
    currency_locked: currencyLocked,
    form,
  }),
});

export const EventProjectionTable = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    status: p.text(),
    currency: p.text(),
    currencyLocked: p.boolean(),
    form: p.json().nullable(),
  },
});
