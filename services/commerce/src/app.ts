import { requireCaller } from '@event-api/platform/http/caller';
import type { CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { rejectMalformedIds } from '@event-api/platform/http/path-ids';
import { readAfterHooks } from '@event-api/platform/http/read-after-hooks';
import { resyncRoute } from '@event-api/platform/http/resync-route';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { Checkpoint } from '@event-api/platform/messaging/projections/checkpoint';
import type { Projection } from '@event-api/platform/messaging/projections/projection';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { checkoutRoutes } from './checkout/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { bundleProjection } from './projections/bundle.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { observeMoney } from './recovery/metrics.job.ts';
import { type RetryJob, startRetryJob } from './recovery/retry-unfinished.job.ts';
import type { RetryDeps } from './recovery/retry-unfinished.ts';
import { reconciliationRoutes } from './recovery/routes.operator.ts';
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
  checkoutRoutes(api, deps);
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
