import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import { bundleSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import type { z } from 'zod';
import { projectionColumns } from './columns.ts';

export const BundleProjectionTable = defineEntity({
  name: 'BundleProjection',
  tableName: 'bundle_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    /** The default is for bundles from before bundles had a status. */
    status: p.text().$type<SaleStatus>().default('open'),
    priceAmount: p.integer().nullable(),
    /** Null also from a release that does not publish it. */
    taxRate: p.json<AppliedTaxRate>().nullable(),
    items: p.json<z.infer<typeof bundleSnapshot.data>['items']>(),
  },
});

export const bundleProjection = defineProjection({
  type: bundleSnapshot,
  schema: 'commerce',
  entity: BundleProjectionTable,
});
