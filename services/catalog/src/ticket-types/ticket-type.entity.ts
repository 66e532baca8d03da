import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { versionColumn } from '@event-api/platform/db/row-version';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const TicketType = defineEntity({
  name: 'TicketType',
  tableName: 'ticket_type',
  properties: {
    id: p.text().primary(),
    businessUnitId: p.text(),
    eventId: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    capacity: p.integer().nullable().check('capacity > 0'),
    /** A capacity group of the event. */
    capacityGroupId: p.text().nullable().index('ticket_type_of_group'),
    allowWaitlist: p.boolean(),
    isPublic: p.boolean(),
    requiresApproval: p.boolean(),
    status: p.enum(saleStatuses).default('draft'),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    admissionOpensAt: p.datetime(3).nullable(),
    admissionClosesAt: p.datetime(3).nullable(),
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
      name: 'ticket_type_in_order',
      properties: ['businessUnitId', 'eventId', 'sortOrder', 'createdAt', 'id'],
    },
    {
      name: 'ticket_type_by_status',
      properties: ['businessUnitId', 'eventId', 'status', 'sortOrder', 'createdAt', 'id'],
    },
    { name: 'ticket_type_changes', properties: ['businessUnitId', 'eventId', 'version', 'id'] },
  ],
});

export type TicketType = InferEntity<typeof TicketType>;
