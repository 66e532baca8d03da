import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import type { HttpServer } from '@event-api/platform/http/server';
import { reconcile } from './reconcile.ts';
import type { RetryDeps } from './retry-unfinished.ts';

export function reconciliationRoutes(app: HttpServer, deps: RetryDeps): void {
  app.route({
    ...reconcileCommerce,
    handler: async ({ body: { businessUnitId = null } }) => reconcile(deps, businessUnitId),
  });
}
