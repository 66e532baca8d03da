import type { EventScope } from '@event-api/contracts/internal/scope';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { TicketTypeProjectionTable } from '../projections/ticket-type.projection.ts';

const columns = columnsOf(TicketTypeProjectionTable, 't', {
  only: ['id', 'name', 'priceAmount', 'taxRate'],
});

export type PresentTicketType = RowOf<typeof columns>;

const byIds = statement<PresentTicketType>(
  'ticket_types_by_ids',
  `select ${columns.sql} from commerce.ticket_type_projection t
   where t.id = any($3) and (t.business_unit_id = $1) is true and (t.event_id = $2) is true`,
);

/** These ticket types as they are now, by id, as far as they are of the event. */
export async function readTicketTypes(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  ticketTypeIds: readonly string[],
): Promise<Map<string, PresentTicketType>> {
  if (ticketTypeIds.length === 0) return new Map();
  const rows = await db.query(byIds, [businessUnitId, eventId, ticketTypeIds]);
  return new Map(rows.map((type) => [type.id, type]));
}
