import { bundleItemTypes } from '@event-api/contracts/http/bundles';
import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const Bundle = defineEntity({
  name: 'Bundle',
  tableName: 'bundle',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    /** The default is for bundles from before bundles had a status. */
    status: p.enum(saleStatuses).default('open'),
    /** Null means the sum of the prices of its items. */
    priceAmount: p.integer().nullable().check('price_amount >= 0'),
    taxRateId: p.text().nullable(),
    sortOrder: p.integer(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
  },
  indexes: [
    {
      name: 'bundle_in_order',
      properties: ['businessUnitId', 'eventId', 'sortOrder', 'createdAt', 'id'],
    },
    { name: 'bundle_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
  ],
});

export type Bundle = InferEntity<typeof Bundle>;

/** An item of a bundle. `position` keeps the order of the request. */
export const BundleItem = defineEntity({
  name: 'BundleItem',
  tableName: 'bundle_item',
  properties: {
    bundleId: p.text().primary(),
    position: p.integer().primary(),
    businessUnitId: p.text(),
    itemType: p.enum(bundleItemTypes),
    itemId: p.text(),
    quantity: p.integer().check('(quantity >= 1) AND (quantity <= 100)'),
  },
  uniques: [{ name: 'bundle_item_once', properties: ['bundleId', 'itemType', 'itemId'] }],
});

export type BundleItem = InferEntity<typeof BundleItem>;
