import * as operations from '@event-api/contracts/operator/event-limits';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { readLimits } from './limits.queries.ts';
import { setEventLimits } from './set.ts';

export function limitRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({ ...operations.setEventLimits, handler: ({ body }) => setEventLimits(deps, body) });

  app.route({
    ...operations.getEventLimits,
    handler: async ({ body }) => {
      await deps.refresher.require(eventRef(body)).catch(rethrowMissing('event'));
      return { eventId: body.eventId, ...(await readLimits(deps.db, body)) };
    },
  });
}
