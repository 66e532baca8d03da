import { createCheckinBatch } from '@event-api/contracts/http/checkin-batch';
import { systemClock } from '@event-api/platform/core/clock';
import { unavailable } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { SerialQueue } from '@event-api/platform/service/serial-queue';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { createFallbacks } from '../fallback.ts';
import { createTrustAtDoor } from '../trust.ts';
import { type BatchDeps, reportScans } from './command.ts';

/**
 * Many devices can come back together. A process handles one batch at a time, so that a single scan
 * waits for one batch and always finds a connection. While too many wait, a batch is a 503 before
 * its body is read.
 */
export function checkinBatchRoutes(
  app: HttpServer,
  deps: Omit<BatchDeps, 'fallbacks'> & {
    refresher: ProjectionRefresher;
    log: Logger;
    telemetry: Telemetry;
    batches: SerialQueue;
  },
): void {
  const { metrics } = deps.telemetry;
  const fallbacks = createFallbacks({ metrics, log: deps.log });
  const { requireEventAtDoor, trustOf } = createTrustAtDoor(deps.refresher);
  app.route({
    ...createCheckinBatch,
    onRequest: [
      async (request) => {
        if (deps.batches.isFull(scopeOf(request).eventId)) throw unavailable();
      },
      requireEventAtDoor,
    ],
    handler: async (request, reply) => {
      const receivedAt = new Date(systemClock.now().getTime() - reply.elapsedTime);
      const { caller, body } = request;
      const scope = scopeOf(request);
      const results = await deps.batches.run(scope.eventId, async () => {
        const trust = await trustOf(request);
        return reportScans({ ...deps, fallbacks }, scope, body, { caller, receivedAt, trust });
      });
      return { results };
    },
  });
}
