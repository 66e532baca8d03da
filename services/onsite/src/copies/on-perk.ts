import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { defineCopy } from '@event-api/platform/projections/copy';

export const perkCopy = defineCopy({
  // That it is there is all that is kept.
  type: { ...perkSnapshot, data: perkSnapshot.data.pick({}) },
  table: 'onsite.perk_copy',
  columns: {},
  row: () => ({}),
});
