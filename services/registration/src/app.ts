import type { Logger } from '@event-api/platform/core/log';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { Job, ServiceDefinition } from '@event-api/platform/service/run-service';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { reservationRoutes, waitlistRoutes } from './admission/admission.routes.internal.ts';
import { admissionOperatorRoutes } from './admission/admission.routes.operator.ts';
import { admissionRoutes } from './admission/admission.routes.ts';
import { startExpireAndPromoteJob } from './admission/expire-and-promote.job.ts';
import { expireAndPromoteIfDue } from './admission/expire-and-promote.ts';
import { type Admission, createAdmission } from './admission/queue.ts';
import { attendeeRoutes } from './attendees/attendees.routes.ts';
import { availabilityRoutes } from './availability/availability.routes.ts';
import { badgeRoutes } from './badges/badges.routes.internal.ts';
import { badgePrintRoutes } from './badges/badges.routes.operator.ts';
import { badgeFileRoutes } from './badges/badges.routes.ts';
import { config, type RegistrationSettings, walletOf } from './config.ts';
import type { RegistrationDeps } from './deps.ts';
import { limitRoutes } from './limits/limits.routes.operator.ts';
import { registrationOrm } from './orm.ts';
import { perkOperatorRoutes } from './perks/perks.routes.operator.ts';
import { perkRoutes } from './perks/perks.routes.ts';
import { personRoutes } from './persons/persons.routes.operator.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { perkProjection } from './projections/perk.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { redemptionCodeSource } from './redemption-codes/redemption-codes.queries.ts';
import {
  codeBatchRoutes,
  codePerkOperatorRoutes,
} from './redemption-codes/redemption-codes.routes.operator.ts';
import { redemptionCodeRoutes } from './redemption-codes/redemption-codes.routes.ts';
import { registrationDayRoutes } from './registrations/per-day/per-day.routes.operator.ts';
import { registrationSource } from './registrations/registrations.queries.ts';
import { registrationRoutes } from './registrations/registrations.routes.ts';
import { observeReservations } from './reservations/metrics.job.ts';
import { sortedListRoutes } from './search/list.routes.operator.ts';
import { searchRoutes } from './search/search.routes.operator.ts';
import { seatSource } from './seats/seats.queries.ts';
import { timeouts } from './timeouts.ts';

export interface RegistrationServiceDeps extends RegistrationDeps {
  admission: Admission;
  catalog: ServiceClient;
  onsite: ServiceClient;
  /** How long seats are reserved for an order. */
  reservationMs: number;
  log: Logger;
  telemetry: Telemetry;
}

/** Expires reservations and promotes the waitlist, and updates the metrics of reservations. */
export const startJobs = (
  options: Parameters<typeof startExpireAndPromoteJob>[0] & {
    metrics: Metrics;
    pollIntervalMs: number;
  },
): readonly Job[] => [
  startExpireAndPromoteJob(options),
  observeReservations({ ...options, intervalMs: options.pollIntervalMs }),
];

/**
 * The service that owns registrations, attendees, redemption codes and the seats of every ticket
 * type.
 */
export const registration: ServiceDefinition<RegistrationSettings, RegistrationServiceDeps> = {
  name: 'registration',
  settings: config,
  orm: registrationOrm,
  projections: [eventProjection, ticketTypeProjection, addonProjection, perkProjection],
  sources: [seatSource, registrationSource, redemptionCodeSource],
  setup({ settings, client, ...context }) {
    const admission = createAdmission({ ...context, metrics: context.telemetry.metrics });
    const wallet = walletOf(settings);
    const deps = {
      ...context,
      admission,
      catalog: client('catalog'),
      onsite: client('onsite', { timeoutMs: timeouts.checkedInMs }),
      wallet,
      reservationMs: settings.SEAT_RESERVATION_MS,
    };
    return {
      ...deps,
      expireAndPromoteIfDue: (scope, timeoutMs) => expireAndPromoteIfDue(deps, scope, timeoutMs),
    };
  },
  jobs: ({ db, admission, log, telemetry }, settings) =>
    startJobs({
      db,
      admission,
      log,
      metrics: telemetry.metrics,
      intervalMs: settings.EXPIRE_AND_PROMOTE_INTERVAL_MS,
      pollIntervalMs: settings.METRICS_INTERVAL_MS,
    }),
  routes(api, deps) {
    registrationRoutes(api, deps);
    admissionRoutes(api, deps);
    availabilityRoutes(api, deps);
    perkRoutes(api, deps);
    redemptionCodeRoutes(api, deps);
    attendeeRoutes(api, deps);
    badgeFileRoutes(api, deps);
  },
  internalRoutes(internal, deps) {
    reservationRoutes(internal, deps);
    waitlistRoutes(internal, deps);
    badgeRoutes(internal, deps);
    admissionOperatorRoutes(internal, deps);
    personRoutes(internal, deps);
    searchRoutes(internal, deps);
    sortedListRoutes(internal, deps);
    registrationDayRoutes(internal, deps);
    badgePrintRoutes(internal, deps);
    perkOperatorRoutes(internal, deps);
    codePerkOperatorRoutes(internal, deps);
    codeBatchRoutes(internal, deps);
    limitRoutes(internal, deps);
  },
};
