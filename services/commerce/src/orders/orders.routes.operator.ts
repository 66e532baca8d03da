import * as operations from '@event-api/contracts/operator/orders';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { orderResponse } from './order-response.ts';
import { updateBuyer } from './update-buyer.ts';

/** The commands of operators about an order itself. */
export function orderOperatorRoutes(app: HttpServer, { db }: { db: Database }): void {
  app.route({
    ...operations.updateOrder,
    handler: async ({ body: { orderId, email, name, ...scope } }) =>
      orderResponse(await updateBuyer(db, scope, { orderId, email, name })),
  });
}
