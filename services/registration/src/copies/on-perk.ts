import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const perkCopy = defineCopy({
  type: perkSnapshot,
  table: 'registration.perk_copy',
  columns: { name: 'text', description: 'text' },
  row: ({ name, description }) => ({ name, description }),
});
