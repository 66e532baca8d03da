import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const AddonProjection = defineEntity({
  name: 'AddonProjection',
  tableName: 'addon_projection',
  properties: { ...projectedColumns, perkIds: p.array().columnType('text[]') },
  indexes: [{ name: 'addon_projection_of_event', properties: ['eventId'] }],
});

export const addonProjection = defineProjection({
  // Only the projected fields are required: an older or newer release of the owner may send others.
  type: { ...addonSnapshot, data: addonSnapshot.data.pick({ perkIds: true }) },
  table: 'registration.addon_projection',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
