import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity, p } from '@mikro-orm/core';
import { perkIdsColumn, projectedColumns } from './projected-columns.ts';

export const ProjectedTicketType = defineEntity({
  name: 'ProjectedTicketType',
  tableName: 'ticket_type_projection',
  properties: {
    ...projectedColumns,
    perkIds: perkIdsColumn(),
    admissionOpensAt: p.datetime(3).nullable(),
    admissionClosesAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'ticket_type_projection_of_event', properties: ['eventId'] }],
});

export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  schema: 'onsite',
  entity: ProjectedTicketType,
});
