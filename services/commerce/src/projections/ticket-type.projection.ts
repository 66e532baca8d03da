import type { AppliedTaxRate } from '@event-api/contracts/http/tax-rates';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

/** Registration decides whether a ticket type is on sale, so its sale state is not stored here. */
export const TicketTypeProjectionTable = defineEntity({
  name: 'TicketTypeProjection',
  tableName: 'ticket_type_projection',
  properties: {
    ...projectionColumns,
    name: p.text(),
    priceAmount: p.integer(),
    /** Null also from a release that does not publish it. */
    taxRate: p.json<AppliedTaxRate>().nullable(),
  },
});

export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  schema: 'commerce',
  entity: TicketTypeProjectionTable,
});
