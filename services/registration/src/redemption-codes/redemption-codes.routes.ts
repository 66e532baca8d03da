import * as operations from '@event-api/contracts/http/redemption-codes';
import { listName, newestFirstKey, readPage } from '@event-api/platform/http/list-page';
import { requireEvent } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import type { RegistrationDeps } from '../deps.ts';
import { listCodes } from './list.ts';
import { lookupRedemptionCode } from './lookup.ts';
import { createRedemptionCodes, disableRedemptionCode } from './redemption-codes.commands.ts';
import { readCode } from './redemption-codes.queries.ts';
import { codeView } from './redemption-codes.view.ts';

export function redemptionCodeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, refresher } = deps;

  const requireCode = async ({ caller: { businessUnitId }, params }: FastifyRequest) => {
    const { eventId, codeId } = params as { eventId: string; codeId: string };
    await readCode(db, { businessUnitId, eventId }, codeId);
  };

  app.route({
    ...operations.listRedemptionCodes,
    onRequest: requireEvent(refresher),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const scope = { businessUnitId, eventId };
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`redemptionCodes ${eventId}`, query),
        query,
        own: newestFirstKey,
        read: async (order, after, limit) => {
          await deps.expireAndPromoteIfDue(scope);
          return listCodes(db, scope, order, { filters, after, limit });
        },
        view: codeView,
      });
      return { redemptionCodes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createRedemptionCodes,
    onRequest: requireEvent(refresher),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, body }, reply) => {
      const codes = await createRedemptionCodes(deps, { businessUnitId, eventId }, body);
      const [first] = codes;
      if (first && codes.length === 1) {
        reply.header('location', `/v1/events/${eventId}/redemption-codes/${first.id}`);
      }
      return reply.code(201).send({ redemptionCodes: codes.map(codeView) });
    },
  });

  app.route({
    ...operations.lookupRedemptionCode,
    onRequest: requireEvent(refresher),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const scope = { businessUnitId, eventId };
      await deps.expireAndPromoteIfDue(scope);
      return lookupRedemptionCode(deps, scope, query);
    },
  });

  app.route({
    ...operations.getRedemptionCode,
    handler: async ({ caller: { businessUnitId }, params: { eventId, codeId } }) => {
      const scope = { businessUnitId, eventId };
      await deps.expireAndPromoteIfDue(scope);
      return codeView(await readCode(db, scope, codeId));
    },
  });

  app.route({
    ...operations.disableRedemptionCode,
    onRequest: requireCode,
    handler: async ({ caller: { businessUnitId }, params: { eventId, codeId } }) => {
      const scope = { businessUnitId, eventId };
      await deps.expireAndPromoteIfDue(scope);
      return codeView(await disableRedemptionCode(db, scope, codeId));
    },
  });
}
