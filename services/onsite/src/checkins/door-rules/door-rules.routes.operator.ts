import * as operations from '@event-api/contracts/operator/door-rules';
import { rethrowMissing } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { readDoorRules } from './door-rules.queries.ts';
import { setDoorRules } from './set.ts';

export function doorRuleRoutes(
  app: HttpServer,
  deps: { db: Database; refresher: ProjectionRefresher },
): void {
  app.route({ ...operations.setDoorRules, handler: ({ body }) => setDoorRules(deps, body) });

  app.route({
    ...operations.getDoorRules,
    handler: async ({ body }) => {
      await deps.refresher.require(eventRef(body)).catch(rethrowMissing('event'));
      return { eventId: body.eventId, ...(await readDoorRules(deps.db, body)) };
    },
  });
}
