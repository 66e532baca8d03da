import { getRegistrationPerks } from '@event-api/contracts/http/registrations';
import type { HttpServer } from '@event-api/platform/http/server';
import { expireAndPromoteIfDue } from '../admission/expire-and-promote.ts';
import type { RegistrationDeps } from '../admission/register.ts';
import { readPerks } from './read.ts';

export function perkRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...getRegistrationPerks,
    handler: async ({ caller: { businessUnitId }, params: { eventId, id } }) => {
      const scope = { businessUnitId, eventId };
      await expireAndPromoteIfDue(deps, scope);
      return { perks: await readPerks(deps, scope, id) };
    },
  });
}
