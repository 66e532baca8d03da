import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { decodeCursor, page } from '@event-api/platform/http/page';
import type { HttpServer } from '@event-api/platform/http/server';
import { eventOfPath, requireEvent } from '@event-api/platform/projections/require-event';
import { listNewestVenues, readVenue } from './queries.ts';
import { venueView } from './view.ts';
import type { ProgramDeps } from './write.ts';

export function venueRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.listVenues,
    onRequest: requireEvent(deps.askOwner),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor } = request.query;
      const scope = eventOfPath(request);
      const list = `venues ${scope.eventId}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      const rows = await listNewestVenues(deps.db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = page(rows, limit, venueView, (row) => [row.id], list);
      return { venues: items, nextCursor };
    },
  });

  app.route({
    ...operations.getVenue,
    handler: async (request) =>
      venueView(await readVenue(deps.db, eventOfPath(request), request.params.id)),
  });
}
