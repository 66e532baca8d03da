import * as operations from '@event-api/contracts/http/redemption-codes';
import { listName, newestFirstKey, readPage } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import { requireEvent } from '@event-api/platform/projections/require-event';
import type { FastifyRequest } from 'fastify';
import { settleIfDue } from '../admission/settle.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { createRedemptionCodes } from './create.ts';
import { disableRedemptionCode } from './disable.ts';
import { listCodes } from './list.ts';
import { lookUpRedemptionCode } from './look-up.ts';
import { readCode } from './queries.ts';
import { codeView } from './view.ts';

export function redemptionCodeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, askOwner } = deps;

  const requireCode = async ({ caller: { businessUnitId }, params }: FastifyRequest) => {
    const { eventId, codeId } = params as { eventId: string; codeId: string };
    await readCode(db, { businessUnitId, eventId }, codeId);
  };

  app.route({
    ...operations.listRedemptionCodes,
    onRequest: requireEvent(askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const scope = { businessUnitId, eventId };
      const filters = { status: query.status };
      const { items, nextCursor } = await readPage({
        list: listName(`redemptionCodes ${eventId}`, query),
        query,
        own: newestFirstKey,
        read: async (order, after, limit) => {
          await settleIfDue(deps, scope);
          return listCodes(db, scope, order, { filters, after, limit });
        },
        view: codeView,
      });
      return { redemptionCodes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createRedemptionCodes,
    onRequest: requireEvent(askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, body }, reply) => {
      const made = await createRedemptionCodes(deps, { businessUnitId, eventId }, body);
      const [first] = made;
      if (first && made.length === 1) {
        reply.header('location', `/v1/events/${eventId}/redemption-codes/${first.id}`);
      }
      return reply.code(201).send({ redemptionCodes: made.map(codeView) });
    },
  });

  app.route({
    ...operations.lookUpRedemptionCode,
    onRequest: requireEvent(askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query: { code } }) => {
      const scope = { businessUnitId, eventId };
      await settleIfDue(deps, scope);
      return lookUpRedemptionCode(deps, scope, code);
    },
  });

  app.route({
    ...operations.getRedemptionCode,
    handler: async ({ caller: { businessUnitId }, params: { eventId, codeId } }) => {
      const scope = { businessUnitId, eventId };
      await settleIfDue(deps, scope);
      return codeView(await readCode(db, scope, codeId));
    },
  });

  app.route({
    ...operations.disableRedemptionCode,
    onRequest: requireCode,
    handler: async ({ caller: { businessUnitId }, params: { eventId, codeId } }) => {
      const scope = { businessUnitId, eventId };
      await settleIfDue(deps, scope);
      return codeView(await disableRedemptionCode(db, scope, codeId));
    },
  });
}
