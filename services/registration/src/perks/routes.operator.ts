import * as operations from '@event-api/contracts/operator/registration-perks';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../admission/register.ts';
import { setCodePerk } from '../redemption-codes/bind-perk.ts';
import { setGrant } from './grant.ts';
import { codePerkView } from './view.ts';

export function perkOperatorRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.grantPerk,
    handler: async ({ body }) => {
      const { registrationId } = body;
      return { registrationId, perks: await setGrant(deps, body, true) };
    },
  });

  app.route({
    ...operations.revokePerk,
    handler: async ({ body }) => {
      const { registrationId } = body;
      return { registrationId, perks: await setGrant(deps, body, false) };
    },
  });

  app.route({
    ...operations.bindCodePerk,
    handler: async ({ body }) => {
      const { perk, codeIds } = await setCodePerk(deps, body, true);
      return codePerkView(body.eventId, perk, codeIds);
    },
  });

  app.route({
    ...operations.unbindCodePerk,
    handler: async ({ body }) => {
      const { perk, codeIds } = await setCodePerk(deps, body, false);
      return codePerkView(body.eventId, perk, codeIds);
    },
  });
}
