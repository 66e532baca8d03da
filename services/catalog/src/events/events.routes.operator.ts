import { cancelEvent as cancelOperation } from '@event-api/contracts/operator/event-cancellation';
import * as operations from '@event-api/contracts/operator/events';
import type { Clock } from '@event-api/platform/core/clock';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { cancelEvent } from './cancel.ts';
import { setFeatures } from './events.commands.ts';
import { eventView } from './events.view.ts';
import { eventPage } from './page.ts';

export function eventOperatorRoutes(app: HttpServer, deps: { db: Database; clock: Clock }): void {
  const { db } = deps;

  app.route({
    ...operations.listEvents,
    handler: async ({ body: { businessUnitId, ...page } }) => eventPage(db, businessUnitId, page),
  });

  app.route({
    ...operations.setEventFeatures,
    handler: async ({ body }) => eventView(await setFeatures(db, body)),
  });

  app.route({
    ...cancelOperation,
    handler: async ({ body }) => eventView(await cancelEvent(deps, body)),
  });
}
