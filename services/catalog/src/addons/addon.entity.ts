import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const Addon = defineEntity({
  name: 'Addon',
  tableName: 'addon',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    status: p.enum(saleStatuses).default('draft'),
    capacity: p.integer().nullable().check('capacity > 0'),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    priceAmount: p.integer().check('price_amount >= 0'),
    taxRateId: p.text().nullable(),
    minPerOrder: p.integer().nullable().check('min_per_order > 0'),
    maxPerOrder: p.integer().nullable().check('max_per_order >= coalesce(min_per_order, 1)'),
    sortOrder: p.integer(),
    createdAt: p.datetime(3).defaultRaw('clock_timestamp()'),
    version: versionColumn(),
  },
  indexes: [
    {
      name: 'addon_in_order',
      properties: ['businessUnitId', 'eventId', 'sortOrder', 'createdAt', 'id'],
    },
    {
      name: 'addon_by_status',
      properties: ['businessUnitId', 'eventId', 'status', 'sortOrder', 'createdAt', 'id'],
    },
    { name: 'addon_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
  ],
});

export type Addon = InferEntity<typeof Addon>;
