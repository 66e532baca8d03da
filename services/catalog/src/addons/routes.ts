import * as operations from '@event-api/contracts/http/addons';
import { limits } from '@event-api/contracts/http/fields';
import type { Database } from '@event-api/platform/db/database';
import { page } from '@event-api/platform/http/page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { decodeOrderKey, orderKey } from '../lists/order-key.ts';
import { createAddon } from './create.ts';
import { listAddonsInOrder, readAddon } from './queries.ts';
import { updateAddon } from './update.ts';
import { addonView } from './view.ts';

export function addonRoutes(app: HttpServer, db: Database): void {
  const requireAddon = async ({ caller, params }: FastifyRequest) => {
    const { eventId, id } = params as { eventId: string; id: string };
    await readAddon(db, caller.businessUnitId, eventId, id);
  };

  app.route({
    ...operations.listAddons,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, query: { limit = limits.pageRows, cursor } }) => {
      const list = `addons ${params.eventId}`;
      const after = decodeOrderKey(list, cursor);
      const rows = await listAddonsInOrder(db, caller.businessUnitId, params.eventId, after, limit);
      const { items, nextCursor } = page(rows, limit, addonView, orderKey, list);
      return { addons: items, nextCursor };
    },
  });

  app.route({
    ...operations.createAddon,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, body }, reply) => {
      const made = await createAddon(db, caller, params.eventId, body);
      return reply
        .code(201)
        .header('location', `/v1/events/${made.eventId}/addons/${made.id}`)
        .send(addonView(made));
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
