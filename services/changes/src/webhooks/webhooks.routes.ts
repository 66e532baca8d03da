import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/webhook-endpoints';
import { notFound } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  createEndpoint,
  type EndpointRef,
  type RevealedSecret,
  replayChanges,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
  type WebhookDeps,
} from './webhooks.commands.ts';
import { listAttempts, listEndpoints, readAttempt, readEndpoint } from './webhooks.queries.ts';
import { attemptNumberOf } from './webhooks.rules.ts';
import { deliveryDetailView, deliveryView, endpointView } from './webhooks.view.ts';

/** Responses with secrets are not stored, so the header of a stored response is set here. */
const markReplayed = (reply: FastifyReply, { isReplayed }: RevealedSecret) =>
  isReplayed && reply.header('idempotent-replayed', 'true');

/** The key of a list: the number of its last row. */
const byNumber = ['version'] as const;

export function webhookRoutes(app: HttpServer, deps: WebhookDeps): void {
  const { db, cell } = deps;

  const refOf = ({ caller, params }: FastifyRequest): EndpointRef => ({
    businessUnitId: caller.businessUnitId,
    endpointId: (params as { endpointId: string }).endpointId,
  });
  const viewOf = async ({ businessUnitId, endpointId }: EndpointRef) =>
    endpointView(await readEndpoint(db, businessUnitId, endpointId));
  /** The 404 of a foreign id comes before the validation of the query and the body. */
  const requireEndpoint = async (request: FastifyRequest) => {
    await viewOf(refOf(request));
  };

  app.route({
    ...operations.listWebhookEndpoints,
    handler: async ({ caller: { businessUnitId }, query }) => {
      const { limit = limits.pageRows, cursor, status } = query;
      const list = listName('webhookEndpoints', query);
      const [after = null] = decodeCursor(list, cursor, byNumber) ?? [];
      const rows = await listEndpoints(db, businessUnitId, { status, after, limit });
      const key = ({ insertionOrder }: { insertionOrder: number }) => [insertionOrder];
      const { items, nextCursor } = paginate(rows, limit, endpointView, key, list);
      return { webhookEndpoints: items, nextCursor };
    },
  });

  app.route({
    ...operations.createWebhookEndpoint,
    handler: async ({ caller: { businessUnitId }, body }, reply) => {
      const created = await createEndpoint(deps, businessUnitId, body);
      const { id, secret } = created;
      markReplayed(reply, created);
      const endpoint = await viewOf({ businessUnitId, endpointId: id });
      reply.header('location', `/v1/webhook-endpoints/${id}`);
      return reply.code(201).send({ ...endpoint, secret });
    },
  });

  app.route({
    ...operations.getWebhookEndpoint,
    handler: (request) => viewOf(refOf(request)),
  });

  app.route({
    ...operations.updateWebhookEndpoint,
    onRequest: requireEndpoint,
    handler: async (request) => {
      const ref = refOf(request);
      await updateEndpoint(deps, ref, request.body);
      return viewOf(ref);
    },
  });

  app.route({
    ...operations.rotateWebhookSecret,
    onRequest: requireEndpoint,
    handler: async (request, reply) => {
      const ref = refOf(request);
      const rotated = await rotateSecret(deps, ref);
      markReplayed(reply, rotated);
      return { ...(await viewOf(ref)), secret: rotated.secret };
    },
  });

  app.route({
    ...operations.testWebhookEndpoint,
    onRequest: requireEndpoint,
    handler: async (request) => ({ changeId: await testEndpoint(deps, refOf(request)) }),
  });

  app.route({
    ...operations.replayChanges,
    onRequest: requireEndpoint,
    handler: async (request) => {
      const { createdAt, ...replay } = await replayChanges(deps, refOf(request), request.body);
      return { ...replay, createdAt: createdAt.toISOString() };
    },
  });

  app.route({
    ...operations.listWebhookDeliveries,
    onRequest: requireEndpoint,
    handler: async (request) => {
      const { limit = limits.pageRows, cursor, result, changeId } = request.query;
      const ref = refOf(request);
      const list = listName(`webhookDeliveries ${ref.endpointId}`, request.query);
      const [after = null] = decodeCursor(list, cursor, byNumber) ?? [];
      const rows = await listAttempts(db, ref, { result, changeId, after, limit });
      const { items, nextCursor } = paginate(rows, limit, deliveryView, ({ id }) => [id], list);
      return { deliveries: items, nextCursor };
    },
  });

  app.route({
    ...operations.getWebhookDelivery,
    handler: async (request) => {
      const ref = refOf(request);
      const number = attemptNumberOf(request.params.deliveryId);
      if (number === null) throw notFound();
      const { endpointId } = ref;
      return deliveryDetailView({ endpointId, cell }, await readAttempt(db, ref, number));
    },
  });
}
