import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const eventProjection = defineProjection({
  // Only what is kept is asked for: an older or a newer owner may tell less or more.
  type: { ...eventSnapshot, data: eventSnapshot.data.pick({ status: true, currency: true }) },
  table: 'registration.event_copy',
  columns: { status: 'text', currency: 'text' },
  row: ({ status, currency }) => ({ status, currency }),
});
