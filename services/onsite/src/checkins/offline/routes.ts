import { createCheckinBatch } from '@event-api/contracts/http/checkin-batch';
import { systemClock } from '@event-api/platform/core/clock';
import type { Logger } from '@event-api/platform/core/log';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { createFallbacks } from '../fallback.ts';
import { requireEventAtDoor } from '../require-event.ts';
import { type BatchDeps, reportScans } from './command.ts';

export function checkinBatchRoutes(
  app: HttpServer,
  deps: Omit<BatchDeps, 'fallbacks'> & {
    refresher: ProjectionRefresher;
    log: Logger;
    telemetry: Telemetry;
  },
): void {
  const { metrics } = deps.telemetry;
  const fallbacks = createFallbacks({ metrics, log: deps.log });
  app.route({
    ...createCheckinBatch,
    onRequest: requireEventAtDoor(deps.refresher),
    handler: async (request, reply) => {
      const receivedAt = new Date(systemClock.now().getTime() - reply.elapsedTime);
      const { caller, isEventConfirmed } = request;
      const { isSatisfied: isReadAfterSatisfied } = request.readAfter;
      const results = await reportScans({ ...deps, fallbacks }, scopeOf(request), request.body, {
        ...{ caller, receivedAt, isReadAfterSatisfied, isEventConfirmed },
      });
      return { results };
    },
  });
}
