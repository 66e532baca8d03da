import * as operations from '@event-api/contracts/http/ticket-types';
import type { Faults } from '@event-api/platform/core/faults';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import { createTicketType, updateTicketType } from './commands.ts';
import { listTicketTypes } from './list.ts';
import type { PromoteDeps } from './promote.ts';
import { readTicketType } from './queries.ts';
import { ticketTypeView } from './view.ts';

type TicketTypeDeps = PromoteDeps & { db: Database; faults: Faults };

export function ticketTypeRoutes(app: HttpServer, deps: TicketTypeDeps): void {
  const { db } = deps;

  const requireTicketType = async (request: FastifyRequest) => {
    const { eventId, typeId } = request.params as { eventId: string; typeId: string };
    await readTicketType(db, request.caller.businessUnitId, eventId, typeId);
  };

  app.route({
    ...operations.listTicketTypes,
    onRequest: requireEvent(db),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`ticketTypes ${eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) =>
          listTicketTypes(db, businessUnitId, eventId, order, { filters, after, limit }),
        view: ticketTypeView,
      });
      return { ticketTypes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createTicketType,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, body }, reply) => {
      const ticketType = await createTicketType(deps, caller, params.eventId, body);
      return reply
        .code(201)
        .header('location', `/v1/events/${ticketType.eventId}/ticket-types/${ticketType.id}`)
        .send(ticketTypeView(ticketType));
    },
  });

  app.route({
    ...operations.getTicketType,
    handler: async ({ caller, params }) =>
      ticketTypeView(
        await readTicketType(db, caller.businessUnitId, params.eventId, params.typeId),
      ),
  });

  app.route({
    ...operations.updateTicketType,
    onRequest: requireTicketType,
    handler: async ({ caller, params, body, readAfter }) => {
      const freshness = { countsAreStale: !readAfter.isSatisfied };
      return ticketTypeView(await updateTicketType(deps, caller, params, body, freshness));
    },
  });
}
