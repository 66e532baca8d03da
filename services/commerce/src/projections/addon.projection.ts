import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import { addonSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

export const AddonProjectionTable = defineEntity({
  name: 'AddonProjection',
  tableName: 'addon_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    priceAmount: p.integer(),
    /** Null also from a release that does not publish it. */
    taxRate: p.json<AppliedTaxRate>().nullable(),
    status: p.text().$type<SaleStatus>(),
  },
});

export const addonProjection = defineProjection({
  type: addonSnapshot,
  schema: 'commerce',
  entity: AddonProjectionTable,
});
