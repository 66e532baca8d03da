import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type ListDefinition, listStatement, oldestChangeFirst } from '@event-api/platform/db/list';
import { inSortOrder, type SalePage } from '../lists/sort-key.ts';
import { withGroups } from '../seat-counts/seat-counts.queries.ts';
import {
  type StoredTicketType,
  type TicketTypeRow,
  ticketTypeColumns,
  withSeats,
} from './ticket-types.queries.ts';

type Filter = 'status';

const list: ListDefinition<StoredTicketType, Filter> = {
  name: 'ticket_types',
  select: `select ${ticketTypeColumns.sql} from ${withSeats}`,
  scope: ['t.business_unit_id = $1', 't.event_id = $2'],
  filters: { status: (status) => `t.status = ${status}` },
};

const orders = {
  // Uses the index `ticket_type_by_status`.
  own: inSortOrder<Filter>('t', [{ filters: ['status'] }]),
  changes: oldestChangeFirst<Filter>('t'),
};

/** Returns up to `limit` + 1 ticket types of an event that match every filter. */
export async function listTicketTypes(
  db: Db,
  scope: EventScope,
  order: keyof typeof orders,
  page: SalePage,
): Promise<TicketTypeRow[]> {
  const { businessUnitId, eventId } = scope;
  const query = { scope: [businessUnitId, eventId], ...page };
  return withGroups(db, scope, await db.query(...listStatement(list, orders[order], query)));
}
