import * as operations from '@event-api/contracts/internal/events';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { readRefundPolicy, refundPolicyView } from './refund-policies.queries.ts';

export function refundPolicyInternalRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.readRefundPolicy,
    handler: async ({ body }) => ({
      policy: refundPolicyView(await readRefundPolicy(db, body)),
    }),
  });
}
