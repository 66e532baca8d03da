import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { projectionColumns } from './columns.ts';

/**
 * Whether and when it is on sale is registration's to judge: that is not kept here. Nor need be whether it asks for
 * approval, which only the release before this one reads.
 */
export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  table: 'commerce.ticket_type_copy',
  columns: { name: 'text', price_amount: 'int', requires_approval: 'boolean' },
  row: ({ name, priceAmount, requiresApproval }) => ({
    name,
    price_amount: priceAmount,
    requires_approval: requiresApproval,
  }),
});

export const TicketTypeProjectionTable = defineEntity({
  name: 'TicketTypeProjection',
  tableName: 'ticket_type_copy',
  properties: {
    ...projectionColumns,
    name: p.text(),
    priceAmount: p.integer(),
    requiresApproval: p.boolean(),
  },
});
