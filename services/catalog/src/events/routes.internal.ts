import * as operations from '@event-api/contracts/internal/events';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { readRefundPolicy } from '../refund-policies/queries.ts';
import { refundPolicyView } from '../refund-policies/view.ts';
import { lockCurrency } from './lock-currency.ts';

export function eventInternalRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.lockCurrency,
    handler: async ({ body }) => ({ currency: await lockCurrency(db, body) }),
  });

  app.route({
    ...operations.readRefundPolicy,
    handler: async ({ body: { businessUnitId, eventId } }) => ({
      policy: refundPolicyView(await readRefundPolicy(db, businessUnitId, eventId)),
    }),
  });
}
