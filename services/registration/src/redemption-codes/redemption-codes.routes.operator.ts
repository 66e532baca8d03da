import type { EventScope } from '@event-api/contracts/internal/scope';
import type { CodeBatch } from '@event-api/contracts/operator/codes';
import * as batches from '@event-api/contracts/operator/codes';
import * as operations from '@event-api/contracts/operator/registration-perks';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { bindCodePerk, type CodePerk, unbindCodePerk } from './bind-perk.ts';
import { disableBatch } from './disable-batch.ts';
import { listCodes } from './list.ts';
import { type BatchRow, listBatches, readBatch } from './list-batches.ts';
import { updateRedemptionCode } from './redemption-codes.commands.ts';
import { findCodesWithPerks } from './redemption-codes.queries.ts';
import { codeView } from './redemption-codes.view.ts';

export function codePerkOperatorRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.bindCodePerk,
    handler: async ({ body }) => codePerkView(body.eventId, await bindCodePerk(deps, body)),
  });

  app.route({
    ...operations.listCodePerks,
    handler: async ({ body }) => {
      const { businessUnitId, eventId, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const list = listName('perk.listCodes', body);
      const after = decodeCursor(list, cursor, ['string'] as const);
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      const rows = await findCodesWithPerks(deps.db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = paginate(
        rows,
        limit,
        (row) => row,
        ({ id }) => [id],
        list,
      );
      return { codes: items, nextCursor };
    },
  });

  app.route({
    ...operations.unbindCodePerk,
    handler: async ({ body }) => codePerkView(body.eventId, await unbindCodePerk(deps, body)),
  });
}

/** A perk with the codes that deliver it, as operators see it. */
function codePerkView(
  eventId: string,
  { perk: { id, name, description }, codeIds }: CodePerk,
): z.input<(typeof operations.bindCodePerk.schema.response)[200]> {
  const bindings = codeIds.map((targetId) => ({
    targetType: 'redemption_code' as const,
    targetId,
  }));
  return { id, eventId, name, description, bindings };
}

/** The commands over the codes that one request has created, and the change of one. */
export function codeBatchRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const requireEvent = async (scope: EventScope) => {
    await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
    await deps.expireAndPromoteIfDue(scope);
  };

  app.route({
    ...batches.listCodeBatches,
    handler: async ({ body }) => {
      const { businessUnitId, eventId, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const list = listName('code.listBatches', body);
      const after = decodeCursor(list, cursor, ['string'] as const);
      await requireEvent(scope);
      const rows = await listBatches(deps.db, scope, after?.[0] ?? null, limit);
      const { items, nextCursor } = paginate(rows, limit, batchView, ({ id }) => [id], list);
      return { batches: items, nextCursor };
    },
  });

  app.route({
    ...batches.listCodesOfBatch,
    handler: async ({ body }) => {
      const { businessUnitId, eventId, batchId, limit, cursor } = body;
      const scope = { businessUnitId, eventId };
      const list = listName('code.listBatch', body);
      const after = decodeCursor(list, cursor, ['string'] as const) ?? [null];
      await requireEvent(scope);
      await readBatch(deps.db, scope, batchId);
      const rows = await listCodes(deps.db, scope, 'own', { filters: { batchId }, after, limit });
      const { items, nextCursor } = paginate(rows, limit, codeView, ({ id }) => [id], list);
      return { redemptionCodes: items, nextCursor };
    },
  });

  app.route({
    ...batches.updateCode,
    handler: async ({ body: { businessUnitId, eventId, redemptionCodeId, ...change } }) => {
      const scope = { businessUnitId, eventId };
      await requireEvent(scope);
      return codeView(await updateRedemptionCode(deps.db, scope, redemptionCodeId, change));
    },
  });

  app.route({
    ...batches.disableCodeBatch,
    handler: async ({ body: { businessUnitId, eventId, batchId } }) => {
      const scope = { businessUnitId, eventId };
      await requireEvent(scope);
      return batchView(await disableBatch(deps.db, scope, batchId));
    },
  });
}

const batchView = ({ ticketTypeId, createdAt, ...batch }: BatchRow): z.input<typeof CodeBatch> => ({
  ...batch,
  registrationTypeId: ticketTypeId,
  createdAt: createdAt.toISOString(),
});
