import { redemptionCodeSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const redemptionCodeProjection = defineProjection({
  type: redemptionCodeSnapshot,
  table: 'onsite.redemption_code_copy',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
