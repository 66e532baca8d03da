import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from './commands.ts';
import { listNewestVenues, readVenue } from './queries.ts';
import { venueView } from './view.ts';

export function venueRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operations.listVenues,
    onRequest: requireEvent(deps.refresher),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor } = request.query;
      const scope = scopeOf(request);
      const list = `venues ${scope.eventId}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      const rows = await listNewestVenues(deps.db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = paginate(rows, limit, venueView, (row) => [row.id], list);
      return { venues: items, nextCursor };
    },
  });

  app.route({
    ...operations.getVenue,
    handler: async (request) =>
      venueView(await readVenue(deps.db, scopeOf(request), request.params.id)),
  });
}
