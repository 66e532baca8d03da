import * as operations from '@event-api/contracts/internal/seats';
import type { HttpServer } from '@event-api/platform/http/server';
import { settleIfDue } from '../admission/settle.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { readBadge } from './read.ts';

export function badgeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.readBadge,
    handler: async ({ body }) => {
      const { businessUnitId, eventId } = body;
      await settleIfDue(deps, { businessUnitId, eventId });
      return readBadge(deps, body);
    },
  });
}
