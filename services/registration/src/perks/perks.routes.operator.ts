import * as operations from '@event-api/contracts/operator/registration-perks';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { grantPerk, revokePerk } from './grant.ts';

export function perkOperatorRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.grantPerk,
    handler: async ({ body }) => {
      const { registrationId } = body;
      return { registrationId, perks: await grantPerk(deps, body) };
    },
  });

  app.route({
    ...operations.revokePerk,
    handler: async ({ body }) => {
      const { registrationId } = body;
      return { registrationId, perks: await revokePerk(deps, body) };
    },
  });
}
