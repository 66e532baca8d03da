import type { CallerVerifier } from '@event-api/platform/callers';
import type { Database } from '@event-api/platform/db/database';
import type { Faults } from '@event-api/platform/faults';
import { requireCaller } from '@event-api/platform/http/caller';
import { refuseImpossibleIds } from '@event-api/platform/http/path-ids';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { deleteExpiredKeys } from '@event-api/platform/idempotency/cleanup';
import { idempotentPosts } from '@event-api/platform/idempotency/hooks';
import type { Logger } from '@event-api/platform/log';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import type { Copy } from '@event-api/platform/projections/copy';
import type { Position } from '@event-api/platform/projections/position';
import { resyncRoute } from '@event-api/platform/projections/resync-route';
import { snapshotRoutes } from '@event-api/platform/projections/source-routes';
import { readAfterHooks } from '@event-api/platform/read-after/hooks';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { publishedSeats } from './admission/queries.ts';
import type { Admission } from './admission/queue.ts';
import { waitlistRoutes } from './admission/routes.internal.ts';
import { startSettleJob } from './admission/settle.job.ts';
import { attendeeRoutes } from './attendees/routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { badgeRoutes } from './badges/routes.internal.ts';
import { claimRoutes } from './claims/routes.internal.ts';
import { watchHolds } from './claims/watch.job.ts';
import { addonCopy } from './copies/on-addon.ts';
import { eventCopy } from './copies/on-event.ts';
import { perkCopy } from './copies/on-perk.ts';
import { ticketTypeCopy } from './copies/on-ticket-type.ts';
import { limitRoutes } from './limits/routes.operator.ts';
import { perkOperatorRoutes } from './perks/routes.operator.ts';
import { perkRoutes } from './perks/routes.ts';
import { publishedCodes } from './redemption-codes/queries.ts';
import { redemptionCodeRoutes } from './redemption-codes/routes.ts';
import { publishedRegistrations } from './registrations/queries.ts';
import { registrationRoutes } from './registrations/routes.ts';

export interface RegistrationServiceDeps {
  db: Database;
  admission: Admission;
  faults: Faults;
  askOwner: AskOwner;
  /** Has every copy made anew. */
  resyncCopies: () => Promise<void>;
  /** How long seats are set aside for an order. */
  holdMs: number;
  position: Position;
  callers: CallerVerifier;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** What registration keeps of catalog's records. */
export const registrationCopies: readonly Copy[] = [eventCopy, ticketTypeCopy, addonCopy, perkCopy];

const sources = [publishedSeats, publishedRegistrations, publishedCodes];

/** What registration does without being asked. */
export function startJobs(
  options: Parameters<typeof startSettleJob>[0] & { metrics: Metrics; lookEveryMs: number },
): { stop(): Promise<void> } {
  const { db, metrics, lookEveryMs } = options;
  const jobs = [startSettleJob(options), watchHolds({ db, metrics, everyMs: lookEveryMs })];
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

/** All that registration serves: the API on one listener; health, operators and other services on the other. */
export function buildRegistration(deps: RegistrationServiceDeps): {
  api: HttpServer;
  internal: HttpServer;
} {
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  refuseImpossibleIds(api);
  readAfterHooks(api, deps.position);
  const idempotency = { db: deps.db, schema: 'registration', faults: deps.faults };
  idempotentPosts(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  registrationRoutes(api, deps);
  availabilityRoutes(api, deps);
  perkRoutes(api, deps);
  redemptionCodeRoutes(api, deps);
  attendeeRoutes(api, deps);

  const internal = createHttpServer(options);
  internal.register(async (inner) => {
    requireCaller(inner, deps.callers);
    readAfterHooks(inner, deps.position);
    idempotentPosts(inner, idempotency);
    snapshotRoutes(inner, { owner: 'registration', db: deps.db, sources });
    claimRoutes(inner, deps);
    waitlistRoutes(inner, deps);
    badgeRoutes(inner, deps);
    perkOperatorRoutes(inner, deps);
    limitRoutes(inner, deps);
    resyncRoute(inner, { service: 'registration', resync: deps.resyncCopies });
  });
  return { api, internal };
}
