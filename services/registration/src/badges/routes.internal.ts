import * as operations from '@event-api/contracts/internal/seats';
import type { HttpServer } from '@event-api/platform/http/server';
import { expireAndPromoteIfDue } from '../admission/settle.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { readBadge } from './read.ts';

export function badgeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.readBadge,
    handler: async ({ body }) => {
      const { businessUnitId, eventId } = body;
      await expireAndPromoteIfDue(deps, { businessUnitId, eventId });
      return readBadge(deps, body);
    },
  });
}
