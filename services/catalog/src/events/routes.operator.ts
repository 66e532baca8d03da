import { setEventFeatures } from '@event-api/contracts/operator/events';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { setFeatures } from './set-features.ts';
import { eventView } from './view.ts';

export function eventOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...setEventFeatures,
    handler: async ({ body }) => eventView(await setFeatures(db, body)),
  });
}
