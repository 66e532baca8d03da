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
  // Only stored fields are parsed: another release of catalog may publish fewer or more fields.
  type: { ...ticketTypeSnapshot, data: ticketTypeSnapshot.data.pick({ perkIds: true }) },
  table: 'onsite.ticket_type_projection',
  columns: { perk_ids: 'text[]' },
  row: ({ perkIds }) => ({ perk_ids: perkIds }),
});
