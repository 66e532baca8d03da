import { setDoorRules as operation } from '@event-api/contracts/operator/door-rules';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { setDoorRules } from './set.ts';

export function doorRuleRoutes(
  app: HttpServer,
  deps: { db: Database; refresher: ProjectionRefresher },
): void {
  app.route({ ...operation, handler: ({ body }) => setDoorRules(deps, body) });
}
