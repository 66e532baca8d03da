import type { CallerVerifier } from '@event-api/platform/callers';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import { requireCaller } from '@event-api/platform/http/caller';
import { rejectMalformedIds } from '@event-api/platform/http/path-ids';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { deleteExpiredKeys } from '@event-api/platform/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/idempotency/hooks';
import type { ProjectionRefresher } from '@event-api/platform/projections/ask-owner';
import type { Projection } from '@event-api/platform/projections/copy';
import type { Checkpoint } from '@event-api/platform/projections/position';
import { resyncRoute } from '@event-api/platform/projections/resync-route';
import { readAfterHooks } from '@event-api/platform/read-after/hooks';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { addonProjection } from './copies/on-addon.ts';
import { bundleProjection } from './copies/on-bundle.ts';
import { eventProjection } from './copies/on-event.ts';
import { ticketTypeProjection } from './copies/on-ticket-type.ts';
import { orderRoutes } from './orders/routes.ts';
import { type RetryJob, startRetryJob } from './reconciliation/repeat.job.ts';
import type { RetryDeps } from './reconciliation/repeat.ts';
import { reconciliationRoutes } from './reconciliation/routes.operator.ts';
import { observeMoney } from './reconciliation/watch.job.ts';
import { refundRoutes } from './refunds/routes.operator.ts';
import { notificationRoutes } from './settlements/routes.notifications.ts';

export interface CommerceDeps extends RetryDeps {
  catalog: ServiceClient;
  refresher: ProjectionRefresher;
  /** A settlement was kept: something has to come of it. */
  onSettlementRecorded: () => void;
  /** Has every copy made anew. */
  resyncProjections: () => Promise<void>;
  checkpoint: Checkpoint;
  callers: CallerVerifier;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** What commerce keeps of catalog's records. */
export const commerceProjections: readonly Projection[] = [
  eventProjection,
  ticketTypeProjection,
  addonProjection,
  bundleProjection,
];

/** What commerce does without being asked. */
export function startJobs(
  deps: Parameters<typeof startRetryJob>[0] & { telemetry: Telemetry },
  options: Parameters<typeof startRetryJob>[1] & { metricsIntervalMs: number },
): RetryJob {
  const { db, telemetry } = deps;
  const retryJob = startRetryJob(deps, options);
  const metricsJob = observeMoney({
    db,
    metrics: telemetry.metrics,
    intervalMs: options.metricsIntervalMs,
  });
  return {
    wake: retryJob.wake,
    stop: async () => void (await Promise.all([retryJob.stop(), metricsJob.stop()])),
  };
}

/** All that commerce serves: the API and providers' notifications on one listener; health and operators on the other. */
export function buildCommerce(deps: CommerceDeps): { api: HttpServer; internal: HttpServer } {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  rejectMalformedIds(api);
  readAfterHooks(api, deps.checkpoint);
  const idempotency = { db: deps.db, schema: 'commerce', faults: deps.faults };
  registerIdempotency(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  orderRoutes(api, deps);
  api.register(async (inner) => notificationRoutes(inner as unknown as HttpServer, deps));

  const internal = createHttpServer(options);
  internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    readAfterHooks(operator, deps.checkpoint);
    registerIdempotency(operator, idempotency);
    refundRoutes(operator, deps);
    reconciliationRoutes(operator, deps);
    resyncRoute(operator, { service: 'commerce', resync: deps.resyncProjections });
  });
  return { api, internal };
}
