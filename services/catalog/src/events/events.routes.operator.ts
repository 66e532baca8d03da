import * as operations from '@event-api/contracts/operator/events';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { setFeatures } from './events.commands.ts';
import { eventView } from './events.view.ts';
import { eventPage } from './page.ts';

export function eventOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.listEvents,
    handler: async ({ body: { businessUnitId, ...page } }) => eventPage(db, businessUnitId, page),
  });

  app.route({
    ...operations.setEventFeatures,
    handler: async ({ body }) => eventView(await setFeatures(db, body)),
  });
}
