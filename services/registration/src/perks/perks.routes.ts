import { getRegistrationPerks } from '@event-api/contracts/http/registrations';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { readPerks } from './resolve.ts';

export function perkRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...getRegistrationPerks,
    handler: async ({ caller: { businessUnitId }, params: { eventId, id } }) => {
      const scope = { businessUnitId, eventId };
      await deps.expireAndPromoteIfDue(scope);
      return { perks: await readPerks(deps, scope, id) };
    },
  });
}
