import * as operations from '@event-api/contracts/http/addons';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import { createAddon, updateAddon } from './commands.ts';
import { listAddons } from './list.ts';
import { readAddon } from './queries.ts';
import { addonView } from './view.ts';

export function addonRoutes(app: HttpServer, db: Database): void {
  const requireAddon = async ({ caller, params }: FastifyRequest) => {
    const { eventId, id } = params as { eventId: string; id: string };
    await readAddon(db, caller.businessUnitId, eventId, id);
  };

  app.route({
    ...operations.listAddons,
    onRequest: requireEvent(db),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`addons ${eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) =>
          listAddons(db, businessUnitId, eventId, order, { filters, after, limit }),
        view: addonView,
      });
      return { addons: items, nextCursor };
    },
  });

  app.route({
    ...operations.createAddon,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, body }, reply) => {
      const addon = await createAddon(db, caller, params.eventId, body);
      return reply
        .code(201)
        .header('location', `/v1/events/${addon.eventId}/addons/${addon.id}`)
        .send(addonView(addon));
    },
  });

  app.route({
    ...operations.getAddon,
    handler: async ({ caller, params }) =>
      addonView(await readAddon(db, caller.businessUnitId, params.eventId, params.id)),
  });

  app.route({
    ...operations.updateAddon,
    onRequest: requireAddon,
    handler: async ({ caller, params, body }) =>
      addonView(await updateAddon(db, caller, params.eventId, params.id, body)),
  });
}
