import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const addonCopy = defineCopy({
  type: addonSnapshot,
  table: 'registration.addon_copy',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
