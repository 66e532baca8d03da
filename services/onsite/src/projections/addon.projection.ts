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
  // Only stored fields are parsed: another release of catalog may publish fewer or more fields.
  type: { ...addonSnapshot, data: addonSnapshot.data.pick({ perkIds: true }) },
  table: 'onsite.addon_projection',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
