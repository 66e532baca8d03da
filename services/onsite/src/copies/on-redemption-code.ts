import { redemptionCodeSnapshot } from '@event-api/contracts/messages/registration';
import { defineCopy } from '@event-api/platform/projections/copy';

export const redemptionCodeCopy = defineCopy({
  type: redemptionCodeSnapshot,
  table: 'onsite.redemption_code_copy',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
