import { redemptionCodeSnapshot } from '@event-api/contracts/messages/registration';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity } from '@mikro-orm/core';
import { perkIdsColumn, perkSourcesOfEvent, projectedColumns } from './projected-columns.ts';

export const ProjectedRedemptionCode = defineEntity({
  name: 'ProjectedRedemptionCode',
  tableName: 'redemption_code_projection',
  properties: { ...projectedColumns, perkIds: perkIdsColumn() },
  indexes: [perkSourcesOfEvent('redemption_code_projection')],
});

export const redemptionCodeProjection = defineProjection({
  type: redemptionCodeSnapshot,
  schema: 'onsite',
  entity: ProjectedRedemptionCode,
});
