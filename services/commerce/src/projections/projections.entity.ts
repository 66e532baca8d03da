import { defineEntity, p } from '@mikro-orm/core';

const projectedColumns = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};

export const EventProjection = defineEntity({
  name: 'EventCopy',
  tableName: 'event_copy',
  properties: {
    ...projectedColumns,
    name: p.text(),
    status: p.text(),
    currency: p.text(),
    currencyLocked: p.boolean(),
    form: p.json().nullable(),
  },
});

export const TicketTypeProjection = defineEntity({
  name: 'TicketTypeCopy',
  tableName: 'ticket_type_copy',
  properties: {
    ...projectedColumns,
    name: p.text(),
    priceAmount: p.integer(),
    requiresApproval: p.boolean(),
  },
});

export const AddonProjection = defineEntity({
  name: 'AddonCopy',
  tableName: 'addon_copy',
  properties: { ...projectedColumns, name: p.text(), priceAmount: p.integer(), status: p.text() },
});

export const BundleProjection = defineEntity({
  name: 'BundleCopy',
  tableName: 'bundle_copy',
  properties: {
    ...projectedColumns,
    name: p.text(),
    priceAmount: p.integer().nullable(),
    items: p.json(),
  },
});
