import * as operations from '@event-api/contracts/http/attendees';
import { limits } from '@event-api/contracts/http/fields';
import { decodeCursor, page } from '@event-api/platform/http/page';
import type { HttpServer } from '@event-api/platform/http/server';
import { eventOfPath, requireEvent } from '@event-api/platform/projections/require-event';
import { settleIfDue } from '../admission/settle.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { listNewestAttendees, readAttendee } from './queries.ts';
import { attendeeView } from './view.ts';

export function attendeeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, askOwner } = deps;
  app.route({
    ...operations.listAttendees,
    onRequest: requireEvent(askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const { limit = limits.pageRows, cursor } = query;
      const scope = { businessUnitId, eventId };
      const list = `attendees ${eventId}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      await settleIfDue(deps, scope);
      const rows = await listNewestAttendees(db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = page(rows, limit, attendeeView, (row) => [row.id], list);
      return { attendees: items, nextCursor };
    },
  });

  app.route({
    ...operations.getAttendee,
    handler: async (request) => {
      const scope = eventOfPath(request);
      await settleIfDue(deps, scope);
      return attendeeView(await readAttendee(db, scope, request.params.id));
    },
  });
}
