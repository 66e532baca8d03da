import * as operations from '@event-api/contracts/http/ticket-types';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import type { PromoteDeps } from '../seat-counts/promote.ts';
import { listTicketTypes } from './list.ts';
import { createTicketType, updateTicketType } from './ticket-types.commands.ts';
import { readTicketType } from './ticket-types.queries.ts';
import { ticketTypeView } from './ticket-types.view.ts';

type TicketTypeDeps = PromoteDeps & { db: Database };

export function ticketTypeRoutes(app: HttpServer, deps: TicketTypeDeps): void {
  const { db } = deps;

  const requireTicketType = async (request: FastifyRequest) => {
    const { typeId } = request.params as { typeId: string };
    await readTicketType(db, scopeOf(request), typeId);
  };

  app.route({
    ...operations.listTicketTypes,
    onRequest: requireEvent(db),
    handler: async (request) => {
      const { query } = request;
      const scope = scopeOf(request);
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`ticketTypes ${scope.eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) => listTicketTypes(db, scope, order, { filters, after, limit }),
        view: ticketTypeView,
      });
      return { ticketTypes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createTicketType,
    onRequest: requireEvent(db),
    handler: async (request, reply) => {
      const ticketType = await createTicketType(deps, scopeOf(request), request.body);
      return reply
        .code(201)
        .header('location', `/v1/events/${ticketType.eventId}/ticket-types/${ticketType.id}`)
        .send(ticketTypeView(ticketType));
    },
  });

  app.route({
    ...operations.getTicketType,
    handler: async (request) =>
      ticketTypeView(await readTicketType(db, scopeOf(request), request.params.typeId)),
  });

  app.route({
    ...operations.updateTicketType,
    onRequest: requireTicketType,
    handler: async (request) => {
      const { params, body, readAfter } = request;
      const freshness = { countsAreStale: !readAfter.isSatisfied };
      const scope = scopeOf(request);
      return ticketTypeView(await updateTicketType(deps, scope, params.typeId, body, freshness));
    },
  });
}
