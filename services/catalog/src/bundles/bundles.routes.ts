import * as operations from '@event-api/contracts/http/bundles';
import type { Database } from '@event-api/platform/db/database';
import { listName, readPage } from '@event-api/platform/http/list-page';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { requireEvent } from '../events/require-event.ts';
import { sortOrderKey } from '../lists/sort-key.ts';
import { createBundle, replaceBundleItems, updateBundle } from './bundles.commands.ts';
import { readBundle } from './bundles.queries.ts';
import { bundleView } from './bundles.view.ts';
import { listBundles } from './list.ts';

export function bundleRoutes(app: HttpServer, db: Database): void {
  const requireBundle = async (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    await readBundle(db, scopeOf(request), id);
  };

  app.route({
    ...operations.listBundles,
    onRequest: requireEvent(db),
    handler: async (request) => {
      const { query } = request;
      const scope = scopeOf(request);
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`bundles ${scope.eventId}`, query),
        query,
        own: sortOrderKey,
        read: (order, after, limit) => listBundles(db, scope, order, { filters, after, limit }),
        view: bundleView,
      });
      return { bundles: items, nextCursor };
    },
  });

  app.route({
    ...operations.createBundle,
    onRequest: requireEvent(db),
    handler: async (request, reply) => {
      const bundle = await createBundle(db, scopeOf(request), request.body);
      return reply
        .code(201)
        .header('location', `/v1/events/${bundle.eventId}/bundles/${bundle.id}`)
        .send(bundleView(bundle));
    },
  });

  app.route({
    ...operations.getBundle,
    handler: async (request) =>
      bundleView(await readBundle(db, scopeOf(request), request.params.id)),
  });

  app.route({
    ...operations.updateBundle,
    onRequest: requireBundle,
    handler: async (request) =>
      bundleView(await updateBundle(db, scopeOf(request), request.params.id, request.body)),
  });

  app.route({
    ...operations.replaceBundleItems,
    onRequest: requireBundle,
    handler: async (request) =>
      bundleView(await replaceBundleItems(db, scopeOf(request), request.params.id, request.body)),
  });
}
