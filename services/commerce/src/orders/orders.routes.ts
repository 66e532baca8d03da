import * as operations from '@event-api/contracts/http/orders';
import type { Database } from '@event-api/platform/db/database';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { orderResponse } from './order-response.ts';
import { readOrder } from './orders.queries.ts';
import { orderPage } from './page.ts';

/** Lists and reads orders. The routes that change them are in `checkout/checkout.routes.ts`. */
export function orderRoutes(
  app: HttpServer,
  { db, refresher }: { db: Database; refresher: ProjectionRefresher },
): void {
  app.route({
    ...operations.listOrders,
    onRequest: requireEvent(refresher),
    handler: async (request) => {
      const page = await orderPage(db, scopeOf(request), request.query, orderResponse);
      return { orders: page.items, nextCursor: page.nextCursor };
    },
  });

  app.route({
    ...operations.getOrder,
    handler: async (request) =>
      orderResponse(await readOrder(db, scopeOf(request), request.params.orderId)),
  });
}
