import * as operations from '@event-api/contracts/http/attendees';
import { listName, newestFirstKey, readPage } from '@event-api/platform/http/list-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { readAttendee } from './attendees.queries.ts';
import { attendeeView } from './attendees.view.ts';
import { listAttendees } from './list.ts';

export function attendeeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, refresher } = deps;
  app.route({
    ...operations.listAttendees,
    onRequest: requireEvent(refresher),
    handler: async (request) => {
      const { query } = request;
      const scope = scopeOf(request);
      const filters = { email: query.email };
      const { items, nextCursor } = await readPage({
        list: listName(`attendees ${scope.eventId}`, query),
        query,
        own: newestFirstKey,
        read: async (order, after, limit) => {
          await deps.expireAndPromoteIfDue(scope);
          return listAttendees(db, scope, order, { filters, after, limit });
        },
        view: attendeeView,
      });
      return { attendees: items, nextCursor };
    },
  });

  app.route({
    ...operations.getAttendee,
    handler: async (request) => {
      const scope = scopeOf(request);
      await deps.expireAndPromoteIfDue(scope);
      return attendeeView(await readAttendee(db, scope, request.params.id));
    },
  });
}
