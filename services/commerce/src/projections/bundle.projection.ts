import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const bundleProjection = defineProjection({
  type: bundleSnapshot,
  table: 'commerce.bundle_projection',
  columns: { name: 'text', price_amount: 'int', items: 'jsonb' },
  row: ({ name, priceAmount, items }) => ({ name, price_amount: priceAmount, items }),
});

export const BundleProjectionTable = defineEntity({
  name: 'BundleProjection',
  tableName: 'bundle_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    priceAmount: p.integer().nullable(),
    items: p.json(),
  },
});
