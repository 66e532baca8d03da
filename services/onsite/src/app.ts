import type { CallerVerifier } from '@event-api/platform/callers';
import { requireCaller } from '@event-api/platform/http/caller';
import { rejectMalformedIds } from '@event-api/platform/http/path-ids';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { deleteExpiredKeys } from '@event-api/platform/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/idempotency/hooks';
import type { Logger } from '@event-api/platform/log';
import type { ProjectionRefresher } from '@event-api/platform/projections/ask-owner';
import type { Projection } from '@event-api/platform/projections/copy';
import type { Checkpoint } from '@event-api/platform/projections/position';
import { resyncRoute } from '@event-api/platform/projections/resync-route';
import { readAfterHooks } from '@event-api/platform/read-after/hooks';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { CheckinDeps } from './checkins/create.ts';
import { checkinRoutes } from './checkins/routes.ts';
import { addonProjection } from './copies/on-addon.ts';
import { eventProjection } from './copies/on-event.ts';
import { perkProjection } from './copies/on-perk.ts';
import { redemptionCodeProjection } from './copies/on-redemption-code.ts';
import { registrationProjection } from './copies/on-registration.ts';
import { ticketTypeProjection } from './copies/on-ticket-type.ts';
import { exhibitorOperatorRoutes } from './exhibitors/routes.operator.ts';
import { exhibitorRoutes } from './exhibitors/routes.ts';
import { sessionOperatorRoutes } from './sessions/routes.operator.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { speakerOperatorRoutes } from './speakers/routes.operator.ts';
import { speakerRoutes } from './speakers/routes.ts';
import { venueOperatorRoutes } from './venues/routes.operator.ts';
import { venueRoutes } from './venues/routes.ts';

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
    resyncRoute(operator, { service: 'onsite', resync: deps.resyncProjections });
  });
  return { api, internal };
}
