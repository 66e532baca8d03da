import { explainCheckin as explainOperation } from '@event-api/contracts/operator/checkins';
import { findCheckins, maxFound } from '@event-api/contracts/operator/persons';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { timeouts } from '../timeouts.ts';
import { findCheckinsOf } from './checkins.queries.ts';
import { checkinView } from './checkins.view.ts';
import type { CheckinDeps } from './create.ts';
import { explainCheckin } from './explain.ts';

export function checkinOperatorRoutes(
  app: HttpServer,
  deps: CheckinDeps & { refresher: ProjectionRefresher },
): void {
  app.route({
    ...explainOperation,
    config: { ...explainOperation.config, readAfterTimeoutMs: timeouts.readAfterMs },
    handler: async ({ body, readAfter }) => explainCheckin(deps, body, readAfter),
  });

  app.route({
    ...findCheckins,
    handler: async ({ body }) => {
      const found = await findCheckinsOf(deps.db, body, maxFound + 1);
      const checkins = found.slice(0, maxFound).map((row) => checkinView(row));
      return { checkins, isComplete: found.length <= maxFound };
    },
  });
}
