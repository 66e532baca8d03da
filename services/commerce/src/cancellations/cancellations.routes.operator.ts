import * as operations from '@event-api/contracts/operator/event-cancellation';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { previewCancellation } from './preview.ts';
import { readProgress } from './progress.ts';

/** What operators read about the cancellation of an event. Catalog has the command. */
export function cancellationRoutes(
  app: HttpServer,
  deps: { db: Database; registration: ServiceClient; refresher: ProjectionRefresher },
): void {
  app.route({
    ...operations.previewEventCancel,
    handler: async ({ body }) => previewCancellation(deps, body),
  });

  app.route({
    ...operations.getEventCancellation,
    handler: async ({ body }) => ({ cancellation: await readProgress(deps, body) }),
  });
}
