import { defineEntity, p } from '@mikro-orm/core';

const copied = {
  id: p.text().primary(),
  businessUnitId: p.text(),
  eventId: p.text(),
  version: p.bigint('number'),
};

export const EventCopy = defineEntity({
  name: 'EventCopy',
  tableName: 'event_copy',
  properties: {
    ...copied,
    name: p.text(),
    status: p.text(),
    currency: p.text(),
    currencyLocked: p.boolean(),
    form: p.json().nullable(),
  },
});

export const TicketTypeCopy = defineEntity({
  name: 'TicketTypeCopy',
  tableName: 'ticket_type_copy',
  properties: {
    ...copied,
    name: p.text(),
    priceAmount: p.integer(),
    requiresApproval: p.boolean(),
  },
});

export const AddonCopy = defineEntity({
  name: 'AddonCopy',
  tableName: 'addon_copy',
  properties: { ...copied, name: p.text(), priceAmount: p.integer(), status: p.text() },
});

export const BundleCopy = defineEntity({
  name: 'BundleCopy',
  tableName: 'bundle_copy',
  properties: {
    ...copied,
    name: p.text(),
    priceAmount: p.integer().nullable(),
    items: p.json(),
  },
});
