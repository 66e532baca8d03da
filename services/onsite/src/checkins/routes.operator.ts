import { explainCheckin as explainOperation } from '@event-api/contracts/operator/checkins';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';
import type { CheckinDeps } from './create.ts';
import { explainCheckin } from './explain.ts';

export function checkinOperatorRoutes(
  app: HttpServer,
  deps: CheckinDeps & { refresher: ProjectionRefresher },
): void {
  app.route({
    ...explainOperation,
    config: { ...explainOperation.config, readAfterTimeoutMs: timeouts.readAfterMs },
    handler: async ({ body, readAfter }) =>
      explainCheckin(deps, body, { projectionsAreStale: !readAfter.isSatisfied }),
  });
}
