import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity } from '@mikro-orm/core';
import { perkIdsColumn, perkSourcesOfEvent, projectedColumns } from './projected-columns.ts';

export const ProjectedAddon = defineEntity({
  name: 'ProjectedAddon',
  tableName: 'addon_projection',
  properties: { ...projectedColumns, perkIds: perkIdsColumn() },
  indexes: [perkSourcesOfEvent('addon_projection')],
});

export const addonProjection = defineProjection({
  type: addonSnapshot,
  schema: 'onsite',
  entity: ProjectedAddon,
});
