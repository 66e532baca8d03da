import { getRefundPolicy } from '@event-api/contracts/http/refund-policies';
import type { Database } from '@event-api/platform/db/database';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import { readRefundPolicy, refundPolicyView } from './refund-policies.queries.ts';

export function refundPolicyRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...getRefundPolicy,
    handler: async (request) => {
      const scope = scopeOf(request);
      return {
        eventId: scope.eventId,
        policy: refundPolicyView(await readRefundPolicy(db, scope)),
      };
    },
  });
}
