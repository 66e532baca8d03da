import * as operations from '@event-api/contracts/http/bundles';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import { createBundle, replaceBundleItems, updateBundle } from './commands.ts';
import { listBundles } from './list.ts';
import { readBundle } from './queries.ts';
import { bundleView } from './view.ts';

export function bundleRoutes(app: HttpServer, db: Database): void {
  const requireBundle = async ({ caller, params }: FastifyRequest) => {
    const { eventId, id } = params as { eventId: string; id: string };
    await readBundle(db, caller.businessUnitId, eventId, id);
  };

  app.route({
    ...operations.listBundles,
    onRequest: requireEvent(db),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const filters = {};
      const { items, nextCursor } = await readPage({
        list: listName(`bundles ${eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) =>
          listBundles(db, businessUnitId, eventId, order, { filters, after, limit }),
        view: bundleView,
      });
      return { bundles: items, nextCursor };
    },
  });

  app.route({
    ...operations.createBundle,
    onRequest: requireEvent(db),
    handler: async ({ caller, params, body }, reply) => {
      const bundle = await createBundle(db, caller, params.eventId, body);
      return reply
        .code(201)
        .header('location', `/v1/events/${bundle.eventId}/bundles/${bundle.id}`)
        .send(bundleView(bundle));
    },
  });

  app.route({
    ...operations.getBundle,
    handler: async ({ caller, params }) =>
      bundleView(await readBundle(db, caller.businessUnitId, params.eventId, params.id)),
  });

  app.route({
    ...operations.updateBundle,
    onRequest: requireBundle,
    handler: async ({ caller, params, body }) =>
      bundleView(await updateBundle(db, caller, params.eventId, params.id, body)),
  });

  app.route({
    ...operations.replaceBundleItems,
    onRequest: requireBundle,
    handler: async ({ caller, params, body }) =>
      bundleView(await replaceBundleItems(db, caller, params.eventId, params.id, body)),
  });
}
