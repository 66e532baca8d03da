import * as operations from '@event-api/contracts/internal/reservations';
import type { HttpServer } from '@event-api/platform/http/server';
import { expireAndPromoteIfDue } from '../admission/expire-and-promote.ts';
import type { RegistrationDeps } from '../admission/register.ts';
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
