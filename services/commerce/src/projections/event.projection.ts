import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const eventProjection = defineProjection({
  type: eventSnapshot,
  table: 'commerce.event_copy',
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
