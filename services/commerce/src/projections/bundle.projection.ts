import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const BundleProjectionTable = defineEntity({
  name: 'BundleProjection',
  tableName: 'bundle_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    /** The default is for bundles from before bundles had a status. */
    status: p.text().default('open'),
    priceAmount: p.integer().nullable(),
    items: p.json(),
  },
});

export const bundleProjection = defineProjection({
  type: bundleSnapshot,
  schema: 'commerce',
  entity: BundleProjectionTable,
});
