import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectedColumns } from './projected-columns.ts';

export const TicketTypeProjection = defineEntity({
  name: 'TicketTypeProjection',
  tableName: 'ticket_type_projection',
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
  indexes: [{ name: 'ticket_type_projection_of_event', properties: ['eventId'] }],
});

export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  table: 'registration.ticket_type_projection',
  columns: {
    name: 'text',
    description: 'text',
    capacity: 'int',
    allow_waitlist: 'boolean',
    is_public: 'boolean',
    requires_approval: 'boolean',
    status: 'text',
    opens_at: 'timestamptz',
    closes_at: 'timestamptz',
    price_amount: 'int',
    sort_order: 'int',
    created_at: 'timestamptz',
    perk_ids: 'text[]',
  },
  row: (data) => ({
    name: data.name,
    description: data.description,
    capacity: data.capacity,
    allow_waitlist: data.allowWaitlist,
    is_public: data.isPublic,
    requires_approval: data.requiresApproval,
    status: data.status,
    opens_at: data.opensAt,
    closes_at: data.closesAt,
    price_amount: data.priceAmount,
    sort_order: data.sortOrder,
    created_at: data.createdAt,
    perk_ids: data.perkIds,
  }),
});
