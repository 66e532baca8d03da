import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
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
    capacityGroupId: p.text().nullable(),
    allowWaitlist: p.boolean(),
    isPublic: p.boolean(),
    requiresApproval: p.boolean(),
    status: p.text().$type<SaleStatus>(),
    opensAt: p.datetime(3).nullable(),
    closesAt: p.datetime(3).nullable(),
    admissionOpensAt: p.datetime(3).nullable(),
    admissionClosesAt: p.datetime(3).nullable(),
    priceAmount: p.integer(),
    /** Null also while the owner runs a release that does not publish it. */
    taxRateId: p.text().nullable(),
    taxRate: p.json<AppliedTaxRate>().nullable(),
    minPerOrder: p.integer().nullable(),
    maxPerOrder: p.integer().nullable(),
    sortOrder: p.integer(),
    createdAt: p.datetime(3),
    perkIds: p.array().columnType('text[]'),
  },
  indexes: [{ name: 'ticket_type_projection_of_event', properties: ['eventId'] }],
});

export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  schema: 'registration',
  entity: TicketTypeProjection,
});
