import * as operations from '@event-api/contracts/http/addons';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import { createAddon, updateAddon } from './addons.commands.ts';
import { readAddon } from './addons.queries.ts';
import { addonView } from './addons.view.ts';
import { listAddons } from './list.ts';

export function addonRoutes(app: HttpServer, db: Database): void {
  const requireAddon = async (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    await readAddon(db, scopeOf(request), id);
  };

  app.route({
    ...operations.listAddons,
    onRequest: requireEvent(db),
    handler: async (request) => {
      const { query } = request;
      const scope = scopeOf(request);
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`addons ${scope.eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) => listAddons(db, scope, order, { filters, after, limit }),
        view: addonView,
      });
      return { addons: items, nextCursor };
    },
  });

  app.route({
    ...operations.createAddon,
    onRequest: requireEvent(db),
    handler: async (request, reply) => {
      const addon = await createAddon(db, scopeOf(request), request.body);
      return reply
        .code(201)
        .header('location', `/v1/events/${addon.eventId}/addons/${addon.id}`)
        .send(addonView(addon));
    },
  });

  app.route({
    ...operations.getAddon,
    handler: async (request) => addonView(await readAddon(db, scopeOf(request), request.params.id)),
  });

  app.route({
    ...operations.updateAddon,
    onRequest: requireAddon,
    handler: async (request) =>
      addonView(await updateAddon(db, scopeOf(request), request.params.id, request.body)),
  });
}
