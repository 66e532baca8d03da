import * as operations from '@event-api/contracts/operator/registration-perks';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { bindCodePerk, type CodePerk, unbindCodePerk } from './bind-perk.ts';

export function codePerkOperatorRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.bindCodePerk,
    handler: async ({ body }) => codePerkView(body.eventId, await bindCodePerk(deps, body)),
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
