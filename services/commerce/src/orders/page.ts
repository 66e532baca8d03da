import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { type ListParameters, listName, readPage } from '@event-api/platform/http/list-page';
import { listOrders, newestOrdersKey } from './list.ts';
import type { OrderFilters, OrderRow } from './orders.queries.ts';

interface OrderQuery extends ListParameters, Pick<OrderFilters, 'email' | 'status'> {
  refundDue?: 'true' | undefined;
  disputed?: 'true' | undefined;
  placedFrom?: Date | undefined;
  placedBefore?: Date | undefined;
}

/**
 * Returns one page of the orders of an event. Errors: 400 for a cursor of another list or of other
 * filters.
 */
export function orderPage<View>(
  db: Db,
  scope: EventScope,
  query: OrderQuery,
  view: (order: OrderRow) => View,
): Promise<{ items: View[]; nextCursor: string | null }> {
  const { email, status, placedFrom: from, placedBefore: before } = query;
  const refundDue = query.refundDue === undefined ? undefined : true;
  const disputed = query.disputed === undefined ? undefined : true;
  const filters = { email, status, refundDue, disputed, from, before };
  return readPage({
    list: listName(`orders ${scope.eventId}`, query),
    query,
    own: newestOrdersKey,
    read: (order, after, limit) => listOrders(db, scope, order, { filters, after, limit }),
    view,
  });
}
