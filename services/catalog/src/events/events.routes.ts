import * as operations from '@event-api/contracts/http/events';
import type { Clock } from '@event-api/platform/core/clock';
import type { Database } from '@event-api/platform/db/database';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { PromoteDeps } from '../seat-counts/promote.ts';
import { createEvent, updateEvent } from './events.commands.ts';
import { readEvent } from './events.queries.ts';
import { eventView } from './events.view.ts';
import { eventPage } from './page.ts';
import { requireEvent } from './require-event.ts';

export function eventRoutes(
  app: HttpServer,
  deps: PromoteDeps & { db: Database; clock: Clock },
): void {
  const { db } = deps;

  app.route({
    ...operations.listEvents,
    handler: async ({ caller, query }) =>
      eventPage(db, caller.businessUnitId, query, caller.events),
  });

  app.route({
    ...operations.createEvent,
    handler: async ({ caller, body }, reply) => {
      const event = await createEvent(db, caller, body);
      return reply.code(201).header('location', `/v1/events/${event.id}`).send(eventView(event));
    },
  });

  app.route({
    ...operations.getEvent,
    handler: async (request) => eventView(await readEvent(db, scopeOf(request))),
  });

  app.route({
    ...operations.updateEvent,
    onRequest: requireEvent(db),
    handler: async (request) => eventView(await updateEvent(deps, scopeOf(request), request.body)),
  });

  app.route({
    ...operations.archiveEvent,
    onRequest: requireEvent(db),
    handler: async (request) =>
      eventView(await updateEvent(deps, scopeOf(request), { status: 'archived' })),
  });
}
