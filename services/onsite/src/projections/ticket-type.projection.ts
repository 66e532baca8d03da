import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { defineProjection } from '@event-api/platform/messaging/projections/projection';
import { defineEntity } from '@mikro-orm/core';
import { perkIdsColumn, perkSourcesOfEvent, projectedColumns } from './projected-columns.ts';

export const ProjectedTicketType = defineEntity({
  name: 'ProjectedTicketType',
  tableName: 'ticket_type_projection',
  properties: { ...projectedColumns, perkIds: perkIdsColumn() },
  indexes: [perkSourcesOfEvent('ticket_type_projection')],
});

export const ticketTypeProjection = defineProjection({
  type: ticketTypeSnapshot,
  schema: 'onsite',
  entity: ProjectedTicketType,
});
