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
  properties: { ...projectedColumns, status: p.text(), currency: p.text() },
});

export const TicketTypeProjection = defineEntity({
  name: 'TicketTypeCopy',
  tableName: 'ticket_type_copy',
  properties: {
    ...projectedColumns,
    name: p.text(),
    description: p.text().nullable(),
    capacity: p.integer().nullable(),
    allowWaitlist: p.boolean(),
    isPublic: p.boolean(),
    requiresApproval: p.boolean(),
    status: p.text(),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    priceAmount: p.integer(),
    sortOrder: p.integer(),
    createdAt: p.datetime(3),
    perkIds: p.array().columnType('text[]'),
  },
  indexes: [{ name: 'ticket_type_copy_of_event', properties: ['eventId'] }],
});

export const AddonProjection = defineEntity({
  name: 'AddonCopy',
  tableName: 'addon_copy',
  properties: { ...projectedColumns, perkIds: p.array().columnType('text[]') },
  indexes: [{ name: 'addon_copy_of_event', properties: ['eventId'] }],
});

export const PerkProjection = defineEntity({
  name: 'PerkCopy',
  tableName: 'perk_copy',
  properties: { ...projectedColumns, name: p.text(), description: p.text().nullable() },
  indexes: [{ name: 'perk_copy_of_event', properties: ['eventId'] }],
});
