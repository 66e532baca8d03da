import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const bundleProjection = defineProjection({
  type: bundleSnapshot,
  table: 'commerce.bundle_copy',
  columns: { name: 'text', price_amount: 'int', items: 'jsonb' },
  row: ({ name, priceAmount, items }) => ({ name, price_amount: priceAmount, items }),
});
