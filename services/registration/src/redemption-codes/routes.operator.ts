import * as operations from '@event-api/contracts/operator/registration-perks';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { bindCodePerk, type CodePerk, unbindCodePerk } from './bind-perk.ts';
import { findCodesWithPerks } from './queries.ts';

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
