import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const AddonProjection = defineEntity({
  name: 'AddonProjection',
  tableName: 'addon_projection',
  properties: {
    ...projectedColumns,
    capacity: p.integer().nullable(),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    minPerOrder: p.integer().nullable(),
    maxPerOrder: p.integer().nullable(),
    perkIds: p.array().columnType('text[]'),
  },
  indexes: [{ name: 'addon_projection_of_event', properties: ['eventId'] }],
});

export const addonProjection = defineProjection({
  type: addonSnapshot,
  schema: 'registration',
  entity: AddonProjection,
});
