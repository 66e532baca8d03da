import type { EventScope } from '@event-api/contracts/internal/scope';
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
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { startExpireAndPromoteJob } from './admission/expire-and-promote.job.ts';
import { expireAndPromoteIfDue } from './admission/expire-and-promote.ts';
import type { Admission } from './admission/queue.ts';
import { reservationRoutes, waitlistRoutes } from './admission/routes.internal.ts';
import { admissionRoutes } from './admission/routes.ts';
import { attendeeRoutes } from './attendees/routes.ts';
import { availabilityRoutes } from './availability/routes.ts';
import { badgeRoutes } from './badges/routes.internal.ts';
import { limitRoutes } from './limits/routes.operator.ts';
import { perkOperatorRoutes } from './perks/routes.operator.ts';
import { perkRoutes } from './perks/routes.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { perkProjection } from './projections/perk.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { redemptionCodeSource } from './redemption-codes/queries.ts';
import { codePerkOperatorRoutes } from './redemption-codes/routes.operator.ts';
import { redemptionCodeRoutes } from './redemption-codes/routes.ts';
import { registrationSource } from './registrations/queries.ts';
import { registrationRoutes } from './registrations/routes.ts';
import { observeReservations } from './reservations/metrics.job.ts';
import { seatSource } from './seats/queries.ts';

export interface RegistrationServiceDeps {
  db: Database;
  admission: Admission;
  faults: Faults;
  refresher: ProjectionRefresher;
  /** Has every copy made anew. */
  resyncProjections: () => Promise<void>;
  /** How long seats are set aside for an order. */
  reservationMs: number;
  checkpoint: Checkpoint;
  callers: CallerVerifier;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
}

/** What registration keeps of catalog's records. */
export const registrationProjections: readonly Projection[] = [
  eventProjection,
  ticketTypeProjection,
  addonProjection,
  perkProjection,
];

const sources = [seatSource, registrationSource, redemptionCodeSource];

/** What registration does without being asked. */
export function startJobs(
  options: Parameters<typeof startExpireAndPromoteJob>[0] & {
    metrics: Metrics;
    pollIntervalMs: number;
  },
): { stop(): Promise<void> } {
  const { db, metrics, pollIntervalMs } = options;
  const jobs = [
    startExpireAndPromoteJob(options),
    observeReservations({ db, metrics, intervalMs: pollIntervalMs }),
  ];
  return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
}

/**
 * All that registration serves: the API on one listener; health, operators and other services on
 * the other.
 */
export function buildRegistration(input: RegistrationServiceDeps): {
  api: HttpServer;
  internal: HttpServer;
} {
  const deps = {
    ...input,
    expireAndPromoteIfDue: (scope: EventScope) => expireAndPromoteIfDue(input, scope),
  };
  const { log, telemetry, checkResponses } = deps;
  const options = { log, telemetry, checkResponses, trustRequestId: true };
  const api = createHttpServer(options);
  requireCaller(api, deps.callers);
  rejectMalformedIds(api);
  readAfterHooks(api, deps.checkpoint);
  const idempotency = { db: deps.db, schema: 'registration', faults: deps.faults };
  registerIdempotency(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  registrationRoutes(api, deps);
  admissionRoutes(api, deps);
  availabilityRoutes(api, deps);
  perkRoutes(api, deps);
  redemptionCodeRoutes(api, deps);
  attendeeRoutes(api, deps);

  const internal = createHttpServer(options);
  internal.register(async (inner) => {
    requireCaller(inner, deps.callers);
    readAfterHooks(inner, deps.checkpoint);
    registerIdempotency(inner, idempotency);
    snapshotRoutes(inner, { owner: 'registration', db: deps.db, sources });
    reservationRoutes(inner, deps);
    waitlistRoutes(inner, deps);
    badgeRoutes(inner, deps);
    perkOperatorRoutes(inner, deps);
    codePerkOperatorRoutes(inner, deps);
    limitRoutes(inner, deps);
    resyncRoute(inner, { service: 'registration', resync: deps.resyncProjections });
  });
  return { api, internal };
}
