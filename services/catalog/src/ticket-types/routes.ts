import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/ticket-types';
import type { Database } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import { page } from '@event-api/platform/http/page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { decodeOrderKey, orderKey } from '../lists/order-key.ts';
import type { PromoteDeps } from '../seats/promote.ts';
import { createTicketType } from './create.ts';
import { listTicketTypesInOrder, readTicketType } from './queries.ts';
import { updateTicketType } from './update.ts';
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
    handler: async ({ caller, params, query: { limit = limits.pageRows, cursor } }) => {
      const list = `ticketTypes ${params.eventId}`;
      const after = decodeOrderKey(list, cursor);
      const rows = await listTicketTypesInOrder(
        db,
        caller.businessUnitId,
        params.eventId,
        after,
        limit,
      );
      const { items, nextCursor } = page(rows, limit, ticketTypeView, orderKey, list);
      return { ticketTypes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createTicketType,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, body }, reply) => {
      const made = await createTicketType(deps, caller, params.eventId, body);
      return reply
        .code(201)
        .header('location', `/v1/events/${made.eventId}/ticket-types/${made.id}`)
        .send(ticketTypeView(made));
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
      const late = { countsAreLate: !readAfter.isReached };
      return ticketTypeView(await updateTicketType(deps, caller, params, body, late));
    },
  });
}
