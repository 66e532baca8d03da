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
  properties: { ...copied, status: p.text(), currency: p.text() },
});

export const TicketTypeCopy = defineEntity({
  name: 'TicketTypeCopy',
  tableName: 'ticket_type_copy',
  properties: {
    ...copied,
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

export const AddonCopy = defineEntity({
  name: 'AddonCopy',
  tableName: 'addon_copy',
  properties: { ...copied, perkIds: p.array().columnType('text[]') },
  indexes: [{ name: 'addon_copy_of_event', properties: ['eventId'] }],
});

export const PerkCopy = defineEntity({
  name: 'PerkCopy',
  tableName: 'perk_copy',
  properties: { ...copied, name: p.text(), description: p.text().nullable() },
  indexes: [{ name: 'perk_copy_of_event', properties: ['eventId'] }],
});
