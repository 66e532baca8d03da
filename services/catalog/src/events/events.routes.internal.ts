import * as operations from '@event-api/contracts/internal/events';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { lockCurrency } from './events.commands.ts';
import { readEvent } from './events.queries.ts';

export function eventInternalRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.lockCurrency,
    handler: async ({ body }) => ({ currency: await lockCurrency(db, body) }),
  });

  app.route({
    ...operations.readTimezone,
    handler: async ({ body }) => ({ timezone: (await readEvent(db, body)).timezone }),
  });
}
