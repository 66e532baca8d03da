import type { Logger } from '@event-api/platform/core/log';
import { requireCaller } from '@event-api/platform/http/caller';
import type { CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { rejectMalformedIds } from '@event-api/platform/http/path-ids';
import { readAfterHooks } from '@event-api/platform/http/read-after-hooks';
import { resyncRoute } from '@event-api/platform/http/resync-route';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { Checkpoint } from '@event-api/platform/messaging/projections/checkpoint';
import type { Projection } from '@event-api/platform/messaging/projections/projection';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { CheckinDeps } from './checkins/create.ts';
import { checkinRoutes } from './checkins/routes.ts';
import { boothOperatorRoutes } from './exhibitors/booths/routes.operator.ts';
import { rosterOperatorRoutes } from './exhibitors/roster/routes.operator.ts';
import { exhibitorOperatorRoutes } from './exhibitors/routes.operator.ts';
import { exhibitorRoutes } from './exhibitors/routes.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { perkProjection } from './projections/perk.projection.ts';
import { redemptionCodeProjection } from './projections/redemption-code.projection.ts';
import { registrationProjection } from './projections/registration.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { sessionOperatorRoutes, sessionRoutes } from './sessions/routes.ts';
import { speakerOperatorRoutes, speakerRoutes } from './speakers/routes.ts';
import { venueOperatorRoutes, venueRoutes } from './venues/routes.ts';

export interface OnsiteDeps extends CheckinDeps {
  refresher: ProjectionRefresher;
  /** Has every copy made anew. */
  resyncProjections: () => Promise<void>;
  checkpoint: Checkpoint;
  callers: CallerVerifier;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** What onsite keeps of others' records. */
export const onsiteProjections: readonly Projection[] = [
  eventProjection,
  ticketTypeProjection,
  addonProjection,
  perkProjection,
  registrationProjection,
  redemptionCodeProjection,
];

/** All that onsite serves: the API on one listener; health and operators on the other. */
export function buildOnsite(deps: OnsiteDeps): { api: HttpServer; internal: HttpServer } {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  rejectMalformedIds(api);
  readAfterHooks(api, deps.checkpoint);
  const idempotency = { db: deps.db, schema: 'onsite' };
  registerIdempotency(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  checkinRoutes(api, deps);
  sessionRoutes(api, deps);
  speakerRoutes(api, deps);
  venueRoutes(api, deps);
  exhibitorRoutes(api, deps);

  const internal = createHttpServer(options);
  internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    readAfterHooks(operator, deps.checkpoint);
    registerIdempotency(operator, idempotency);
    venueOperatorRoutes(operator, deps);
    sessionOperatorRoutes(operator, deps);
    speakerOperatorRoutes(operator, deps);
    exhibitorOperatorRoutes(operator, deps);
    rosterOperatorRoutes(operator, deps);
    boothOperatorRoutes(operator, deps);
    resyncRoute(operator, { service: 'onsite', resync: deps.resyncProjections });
  });
  return { api, internal };
}
