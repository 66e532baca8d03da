import { readSearch, searchOrders } from '@event-api/contracts/operator/search';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import { searchInTurn } from '@event-api/platform/http/search-in-turn';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { OrderRow } from '../orders/orders.queries.ts';
import { orderView } from '../orders/orders.view.ts';
import { findMatches } from './search.queries.ts';

/** Before the first page. */
const start = [undefined, 'infinity', ''] as const;

export function searchRoutes(
  app: HttpServer,
  { db, refresher }: { db: Database; refresher: ProjectionRefresher },
): void {
  app.route({
    ...searchOrders,
    handler: async ({ body }) => {
      const { businessUnitId, eventId, query, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const { status, placedFrom: from, placedBefore: before } = body;
      const list = listName('order.search', body);
      const [place, ...after] =
        decodeCursor(list, cursor, ['integer', 'instant', 'string'] as const) ?? start;
      await refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      const page = { filters: { status, from, before }, after, limit };
      const found = await searchInTurn(readSearch(query), place, (search) =>
        findMatches(db, scope, search, page),
      );
      const key = ({ placedAt, id }: OrderRow) => [found.place, placedAt.toISOString(), id];
      const { items, nextCursor } = paginate(found.rows, limit, orderView, key, list);
      return { orders: items, nextCursor, foundBy: found.foundBy };
    },
  });
}
