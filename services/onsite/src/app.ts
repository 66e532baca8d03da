import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { ServiceDefinition } from '@event-api/platform/service/run-service';
import { createSerialQueue, type SerialQueue } from '@event-api/platform/service/serial-queue';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { createCheckinQueues } from './checkins/batch.ts';
import { checkinInternalRoutes } from './checkins/checkins.routes.internal.ts';
import { checkinOperatorRoutes } from './checkins/checkins.routes.operator.ts';
import { checkinRoutes } from './checkins/checkins.routes.ts';
import { conflictRoutes } from './checkins/conflicts/conflicts.routes.operator.ts';
import type { CheckinDeps } from './checkins/create.ts';
import { startDeviceCleanup, startSightingWrites } from './checkins/devices/devices.job.ts';
import { deviceOperatorRoutes } from './checkins/devices/devices.routes.operator.ts';
import { deviceRoutes } from './checkins/devices/devices.routes.ts';
import { createSightings, type Sightings } from './checkins/devices/sightings.ts';
import { doorRuleRoutes } from './checkins/door-rules/door-rules.routes.operator.ts';
import type { BatchDeps } from './checkins/offline/command.ts';
import { startScanCleanup } from './checkins/offline/delete-old.ts';
import { checkinBatchRoutes } from './checkins/offline/offline.routes.ts';
import { rateRoutes } from './checkins/rates/rates.routes.operator.ts';
import { rosterRoutes } from './checkins/roster/roster.routes.ts';
import {
  readSummary,
  type SummaryWatch,
  summaryRoutes,
} from './checkins/summary/summary.routes.ts';
import { createWatch } from './checkins/summary/watch.ts';
import { config, type OnsiteSettings } from './config.ts';
import { boothOperatorRoutes } from './exhibitors/booths/booths.routes.operator.ts';
import { exhibitorOperatorRoutes } from './exhibitors/exhibitors.routes.operator.ts';
import { exhibitorRoutes } from './exhibitors/exhibitors.routes.ts';
import { rosterOperatorRoutes } from './exhibitors/roster/roster.routes.operator.ts';
import { onsiteOrm } from './orm.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { perkProjection } from './projections/perk.projection.ts';
import { redemptionCodeProjection } from './projections/redemption-code.projection.ts';
import { registrationProjection } from './projections/registration.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { sessionOperatorRoutes, sessionRoutes } from './sessions/sessions.routes.ts';
import { speakerOperatorRoutes, speakerRoutes } from './speakers/speakers.routes.ts';
import { timeouts } from './timeouts.ts';
import { venueOperatorRoutes, venueRoutes } from './venues/venues.routes.ts';

export interface OnsiteDeps extends CheckinDeps, Pick<BatchDeps, 'badges'> {
  refresher: ProjectionRefresher;
  log: Logger;
  telemetry: Telemetry;
  summaries: SummaryWatch;
  sightings: Sightings;
  batches: SerialQueue;
}

/** The requests that wait for the summary of an event. */
export const createSummaries = ({ db, log }: Pick<OnsiteDeps, 'db' | 'log'>): SummaryWatch =>
  createWatch({
    read: readSummary(db),
    onError: reportRepeated((error, suppressed) =>
      log.warn({ err: error, suppressed }, 'failed to read a summary of check-ins, will retry'),
    ),
  });

/**
 * The most batches of an event that wait in a process: as many as it handles within the wait of a
 * request.
 */
const maxWaitingBatches = 12;

/** Handles batches of scans one at a time, the events in turns. */
export function createScanBatches(metrics: Metrics): SerialQueue {
  const queue = createSerialQueue({
    name: 'scans',
    maxWaiting: maxWaitingBatches,
    maxWaitMs: timeouts.batchMaxWaitMs,
    maxPauseMs: timeouts.batchMaxPauseMs,
  });
  metrics.observe('onsite.scan_batches.queued', queue.waiting);
  return queue;
}

/** The service that owns the program, exhibitors and check-ins. */
export const onsite: ServiceDefinition<OnsiteSettings, OnsiteDeps> = {
  name: 'onsite',
  settings: config,
  orm: onsiteOrm,
  projections: [
    eventProjection,
    ticketTypeProjection,
    addonProjection,
    perkProjection,
    registrationProjection,
    redemptionCodeProjection,
  ],
  setup: ({ client, ...context }) => ({
    ...context,
    queues: createCheckinQueues(context.db, context.telemetry.metrics),
    summaries: createSummaries(context),
    sightings: createSightings(),
    batches: createScanBatches(context.telemetry.metrics),
    registration: client('registration', { timeoutMs: timeouts.ownerMs }),
    badges: client('registration', { timeoutMs: timeouts.badgesMs }),
  }),
  jobs: (deps) => [startScanCleanup(deps), startSightingWrites(deps), startDeviceCleanup(deps)],
  routes(api, deps) {
    deviceRoutes(api, deps);
    checkinRoutes(api, deps);
    checkinBatchRoutes(api, deps);
    rosterRoutes(api, deps);
    summaryRoutes(api, deps);
    sessionRoutes(api, deps);
    speakerRoutes(api, deps);
    venueRoutes(api, deps);
    exhibitorRoutes(api, deps);
  },
  onDrain: ({ summaries }) => summaries.drain(),
  internalRoutes(internal, deps) {
    checkinInternalRoutes(internal, deps);
    checkinOperatorRoutes(internal, deps);
    doorRuleRoutes(internal, deps);
    conflictRoutes(internal, deps);
    rateRoutes(internal, deps);
    deviceOperatorRoutes(internal, deps);
    venueOperatorRoutes(internal, deps);
    sessionOperatorRoutes(internal, deps);
    speakerOperatorRoutes(internal, deps);
    exhibitorOperatorRoutes(internal, deps);
    rosterOperatorRoutes(internal, deps);
    boothOperatorRoutes(internal, deps);
  },
};
