import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const ticketTypeCopy = defineCopy({
  // Only what is kept is asked for: an older or a newer owner may tell less or more.
  type: { ...ticketTypeSnapshot, data: ticketTypeSnapshot.data.pick({ perkIds: true }) },
  table: 'onsite.ticket_type_copy',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
