import * as operations from '@event-api/contracts/operator/refund-policies';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { setRefundPolicy } from './refund-policies.commands.ts';
import { readRefundPolicy, refundPolicyView } from './refund-policies.queries.ts';

export function refundPolicyOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.setRefundPolicy,
    handler: async ({ body }) => ({
      eventId: body.eventId,
      policy: refundPolicyView(await setRefundPolicy(db, body)),
    }),
  });

  app.route({
    ...operations.getRefundPolicy,
    handler: async ({ body }) => ({
      eventId: body.eventId,
      policy: refundPolicyView(await readRefundPolicy(db, body)),
    }),
  });
}
