import { eventSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const eventCopy = defineCopy({
  // Only what is kept is asked for: an older or a newer owner may tell less or more.
  type: { ...eventSnapshot, data: eventSnapshot.data.pick({ agendaEpoch: true }) },
  table: 'onsite.event_copy',
  columns: { agenda_epoch: 'int' },
  row: ({ agendaEpoch }) => ({ agenda_epoch: agendaEpoch }),
});
