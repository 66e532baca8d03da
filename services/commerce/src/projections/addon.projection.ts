import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';

export const addonProjection = defineProjection({
  type: addonSnapshot,
  table: 'commerce.addon_copy',
  columns: { name: 'text', price_amount: 'int', status: 'text' },
  row: ({ name, priceAmount, status }) => ({ name, price_amount: priceAmount, status }),
});
