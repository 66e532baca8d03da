import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/program';
import { Venue } from '@event-api/contracts/http/program';
import * as operatorOperations from '@event-api/contracts/operator/program';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import { viewOf } from '@event-api/platform/http/record-view';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProgramDeps } from '../program/deps.ts';
import { createVenue, deleteVenue, updateVenue } from './venues.commands.ts';
import { listNewestVenues, readVenue, venueColumns } from './venues.queries.ts';

/** The response body of a venue. */
export const venueView = viewOf(Venue, venueColumns);

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

export function venueOperatorRoutes(app: HttpServer, deps: ProgramDeps): void {
  app.route({
    ...operatorOperations.createVenue,
    handler: async ({ body }, reply) =>
      reply.code(201).send(venueView(await createVenue(deps, body))),
  });

  app.route({
    ...operatorOperations.updateVenue,
    handler: async ({ body }) => venueView(await updateVenue(deps, body)),
  });

  app.route({
    ...operatorOperations.deleteVenue,
    handler: async ({ body }) => venueView(await deleteVenue(deps, body)),
  });
}
