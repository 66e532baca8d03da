import { limits } from '@event-api/contracts/http/fields';
import * as operations from '@event-api/contracts/http/redemption-codes';
import { decodeCursor, page } from '@event-api/platform/http/page';
import type { HttpServer } from '@event-api/platform/http/server';
import { settleIfDue } from '../admission/settle.ts';
import { requireEvent } from '../copies/require-event.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { createRedemptionCodes } from './create.ts';
import { disableRedemptionCode } from './disable.ts';
import { lookUpRedemptionCode } from './look-up.ts';
import { listNewestCodes } from './queries.ts';
import { codeView } from './view.ts';

export function redemptionCodeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, askOwner } = deps;

  app.route({
    ...operations.listRedemptionCodes,
    onRequest: requireEvent(db, askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query }) => {
      const { limit = limits.pageRows, cursor } = query;
      const scope = { businessUnitId, eventId };
      const after = decodeCursor(cursor, ['integer'] as const);
      await settleIfDue(deps, scope);
      const rows = await listNewestCodes(db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = page(rows, limit, codeView, (row) => [row.place]);
      return { redemptionCodes: items, nextCursor };
    },
  });

  app.route({
    ...operations.createRedemptionCodes,
    onRequest: requireEvent(db, askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, body }, reply) => {
      const made = await createRedemptionCodes(deps, { businessUnitId, eventId }, body);
      return reply.code(201).send({ redemptionCodes: made.map(codeView) });
    },
  });

  app.route({
    ...operations.lookUpRedemptionCode,
    onRequest: requireEvent(db, askOwner),
    handler: async ({ caller: { businessUnitId }, params: { eventId }, query: { code } }) => {
      const scope = { businessUnitId, eventId };
      await settleIfDue(deps, scope);
      return lookUpRedemptionCode(deps, scope, code);
    },
  });

  app.route({
    ...operations.disableRedemptionCode,
    handler: async ({ caller: { businessUnitId }, params: { eventId, codeId } }) => {
      const scope = { businessUnitId, eventId };
      await settleIfDue(deps, scope);
      return codeView(await disableRedemptionCode(db, scope, codeId));
    },
  });
}
