import type { Clock } from '@event-api/platform/core/clock';
import type { Faults } from '@event-api/platform/core/faults';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { requireCaller } from '@event-api/platform/http/caller';
import type { CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { rejectMalformedIds } from '@event-api/platform/http/path-ids';
import { readAfterHooks } from '@event-api/platform/http/read-after-hooks';
import { resyncRoute } from '@event-api/platform/http/resync-route';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { snapshotRoutes } from '@event-api/platform/http/snapshot-routes';
import type { Checkpoint } from '@event-api/platform/messaging/projections/checkpoint';
import type { Projection } from '@event-api/platform/messaging/projections/projection';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { addonSource } from './addons/queries.ts';
import { addonRoutes } from './addons/routes.ts';
import { bundleSource } from './bundles/queries.ts';
import { bundleRoutes } from './bundles/routes.ts';
import { eventSource } from './events/queries.ts';
import { eventInternalRoutes } from './events/routes.internal.ts';
import { eventOperatorRoutes } from './events/routes.operator.ts';
import { eventRoutes } from './events/routes.ts';
import { formOperatorRoutes } from './forms/routes.operator.ts';
import { perkSource } from './perks/queries.ts';
import { perkOperatorRoutes } from './perks/routes.operator.ts';
import { refundPolicyInternalRoutes } from './refund-policies/routes.internal.ts';
import { refundPolicyOperatorRoutes } from './refund-policies/routes.operator.ts';
import { seatCountProjection } from './seat-counts/seat-count.projection.ts';
import type { Promotion } from './ticket-types/promote.ts';
import { ticketTypeSource } from './ticket-types/queries.ts';
import { ticketTypeRoutes } from './ticket-types/routes.ts';

export interface CatalogDeps {
  db: Database;
  callers: CallerVerifier;
  clock: Clock;
  faults: Faults;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
  checkpoint: Checkpoint;
  refresher: ProjectionRefresher;
  promotion: Promotion;
  /** Has every copy made anew. */
  resyncProjections: () => Promise<void>;
}

/** What catalog keeps of registration's records. */
export const catalogProjections: readonly Projection[] = [seatCountProjection];

const sources = [eventSource, ticketTypeSource, addonSource, bundleSource, perkSource];

/** All that catalog serves. Its public listener has only the API; health and operator commands are on the internal one. */
export function buildCatalog(deps: CatalogDeps): { api: HttpServer; internal: HttpServer } {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  rejectMalformedIds(api);
  readAfterHooks(api, deps.checkpoint);
  const idempotency = { db: deps.db, schema: 'catalog', faults: deps.faults };
  registerIdempotency(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  eventRoutes(api, deps);
  ticketTypeRoutes(api, deps);
  addonRoutes(api, deps.db);
  bundleRoutes(api, deps.db);

  const internal = createHttpServer(options);
  internal.register(async (authenticated) => {
    requireCaller(authenticated, deps.callers);
    readAfterHooks(authenticated, deps.checkpoint);
    registerIdempotency(authenticated, idempotency);
    snapshotRoutes(authenticated, { owner: 'catalog', db: deps.db, sources });
    eventInternalRoutes(authenticated, deps.db);
    refundPolicyInternalRoutes(authenticated, deps.db);
    eventOperatorRoutes(authenticated, deps.db);
    formOperatorRoutes(authenticated, deps.db);
    refundPolicyOperatorRoutes(authenticated, deps.db);
    perkOperatorRoutes(authenticated, deps.db);
    resyncRoute(authenticated, { service: 'catalog', resync: deps.resyncProjections });
  });
  return { api, internal };
}
