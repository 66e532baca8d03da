import type { CallerVerifier } from '@event-api/platform/callers';
import type { ServiceClient } from '@event-api/platform/http/call-service';
import { requireCaller } from '@event-api/platform/http/caller';
import { refuseImpossibleIds } from '@event-api/platform/http/path-ids';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { deleteExpiredKeys } from '@event-api/platform/idempotency/cleanup';
import { idempotentPosts } from '@event-api/platform/idempotency/hooks';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import type { Copy } from '@event-api/platform/projections/copy';
import type { Position } from '@event-api/platform/projections/position';
import { resyncRoute } from '@event-api/platform/projections/resync-route';
import { readAfterHooks } from '@event-api/platform/read-after/hooks';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { addonCopy } from './copies/on-addon.ts';
import { bundleCopy } from './copies/on-bundle.ts';
import { eventCopy } from './copies/on-event.ts';
import { ticketTypeCopy } from './copies/on-ticket-type.ts';
import { orderRoutes } from './orders/routes.ts';
import { type RepeatJob, startRepeatJob } from './reconciliation/repeat.job.ts';
import type { RepeatDeps } from './reconciliation/repeat.ts';
import { reconciliationRoutes } from './reconciliation/routes.operator.ts';
import { watchMoney } from './reconciliation/watch.job.ts';
import { refundRoutes } from './refunds/routes.operator.ts';
import { notificationRoutes } from './settlements/routes.notifications.ts';

export interface CommerceDeps extends RepeatDeps {
  catalog: ServiceClient;
  askOwner: AskOwner;
  /** A settlement was kept: something has to come of it. */
  onReceived: () => void;
  /** Has every copy made anew. */
  resyncCopies: () => Promise<void>;
  position: Position;
  callers: CallerVerifier;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** What commerce keeps of catalog's records. */
export const commerceCopies: readonly Copy[] = [eventCopy, ticketTypeCopy, addonCopy, bundleCopy];

/** What commerce does without being asked. */
export function startJobs(
  deps: Parameters<typeof startRepeatJob>[0] & { telemetry: Telemetry },
  options: Parameters<typeof startRepeatJob>[1] & { lookEveryMs: number },
): RepeatJob {
  const { db, telemetry } = deps;
  const repeating = startRepeatJob(deps, options);
  const watching = watchMoney({ db, metrics: telemetry.metrics, everyMs: options.lookEveryMs });
  return {
    wake: repeating.wake,
    stop: async () => void (await Promise.all([repeating.stop(), watching.stop()])),
  };
}

/** All that commerce serves: the API and providers' notifications on one listener; health and operators on the other. */
export function buildCommerce(deps: CommerceDeps): { api: HttpServer; internal: HttpServer } {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  refuseImpossibleIds(api);
  readAfterHooks(api, deps.position);
  const idempotency = { db: deps.db, schema: 'commerce', faults: deps.faults };
  idempotentPosts(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  orderRoutes(api, deps);
  api.register(async (inner) => notificationRoutes(inner as unknown as HttpServer, deps));

  const internal = createHttpServer(options);
  internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    readAfterHooks(operator, deps.position);
    idempotentPosts(operator, idempotency);
    refundRoutes(operator, deps);
    reconciliationRoutes(operator, deps);
    resyncRoute(operator, { service: 'commerce', resync: deps.resyncCopies });
  });
  return { api, internal };
}
