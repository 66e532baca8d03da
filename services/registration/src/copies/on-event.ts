import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const eventCopy = defineCopy({
  type: eventSnapshot,
  table: 'registration.event_copy',
  columns: { status: 'text', currency: 'text' },
  row: ({ status, currency }) => ({ status, currency }),
});
