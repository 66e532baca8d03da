import type { FormQuestion } from '@event-api/contracts/http/forms';
import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const EventProjectionTable = defineEntity({
  name: 'EventProjection',
  tableName: 'event_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    status: p.text(),
    currency: p.text(),
    currencyLocked: p.boolean(),
    form: p.json<FormQuestion[]>().nullable(),
  },
});

export const eventProjection = defineProjection({
  type: eventSnapshot,
  schema: 'commerce',
  entity: EventProjectionTable,
});
