import type { EventScope } from '@event-api/contracts/internal/scope';
import { currentAudited } from '@event-api/platform/audit/audited-request';
import { currentActor } from '@event-api/platform/core/actor';
import { sqlState } from '@event-api/platform/core/error-reason';
import { ApiError } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import { isLostConnection } from '@event-api/platform/db/errors';
import { captureWrites, recordWrite } from '@event-api/platform/messaging/read-after/scope';
import type { ReadAfterToken } from '@event-api/platform/messaging/read-after/token';
import { type BatchQueue, createBatchQueue } from '@event-api/platform/service/batch-queue';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { runInTrace } from '@event-api/platform/telemetry/trace-scope';
import type { RegistrationRow } from '../registrations/registrations.queries.ts';
import { timeouts } from '../timeouts.ts';
import { type BatchDeps, runBatch, type SubmittedRequest } from './batch.ts';
import {
  type AdmissionRequest,
  type AdmissionResult,
  type AdmissionResults,
  seatCost,
} from './requests.ts';

export interface Admission {
  /**
   * Decides a request in one batch with the other queued requests of the event, on behalf of the
   * current actor.
   * Errors: 404 for an unknown event; 503 when the queue is full or the request has waited too
   * long.
   */
  submit<Kind extends AdmissionRequest['kind']>(
    scope: EventScope,
    request: Extract<AdmissionRequest, { kind: Kind }>,
  ): Promise<{ result: AdmissionResults[Kind]; rows: Map<string, RegistrationRow> }>;
}

export interface AdmissionOptions extends BatchDeps {
  log: Pick<Logger, 'warn'>;
  metrics: Metrics;
  /** A request that has waited longer is rejected without a decision. */
  maxWaitMs?: number;
  /** How many requests of one event may be queued. */
  maxWaiting?: number;
}

interface QueueResult {
  result: AdmissionResult;
  /** The registrations that the batch created or changed, by id. */
  rows: Map<string, RegistrationRow>;
  written: ReadAfterToken | null;
}

type EventQueue = BatchQueue<SubmittedRequest, QueueResult>;

/**
 * Creates a batch queue for each event with requests. It exists until the last of them is decided.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const queues = new Map<string, EventQueue>();
  const measureBatch = options.metrics.histogram('registration.admission.batch.size');
  options.metrics.observe('registration.admission.queued', () =>
    [...queues.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
  );
  const logDrift = createDriftLog(options.log);

  function createEventQueue(scope: EventScope): EventQueue {
    const queue: EventQueue = createBatchQueue({
      name: 'admission',
      costOf: ({ request }) => seatCost(request),
      maxWaiting: options.maxWaiting ?? 2000,
      maxWaitMs: options.maxWaitMs ?? timeouts.admissionMaxWaitMs,
      gatherMs: timeouts.admissionGatherMs,
      isCausedByOneRequest,
      onBatch: (size) => measureBatch(size, {}),
      onIdle: () => queues.delete(keyOf(scope)),
      async run(requests) {
        const { result, produced } = await captureWrites(() => runBatch(options, scope, requests));
        const { results, rows, hasMorePromotions, hasDrifted } = result;
        if (hasMorePromotions) submitPromotion(queue);
        logDrift(scope, hasDrifted);
        return results.map((each) => ({ result: each, rows, written: produced }));
      },
    });
    return queue;
  }

  return {
    async submit(scope, request) {
      const key = keyOf(scope);
      const queue = queues.get(key) ?? createEventQueue(scope);
      queues.set(key, queue);
      const { result, rows, written } = await queue.submit({
        request,
        actor: currentActor(),
        // What a read or a waiting promotion decides is no decision of the operator.
        audited: request.kind === 'promote' ? null : currentAudited(),
      });
      recordWrite(written);
      return { result: result as never, rows };
    },
  };
}

const keyOf = ({ businessUnitId, eventId }: EventScope): string => `${businessUnitId} ${eventId}`;

/**
 * Promotes registrations beyond the limit of one batch. The periodic job repeats it if it fails.
 */
function submitPromotion(queue: EventQueue): void {
  const request = { kind: 'promote' } as const;
  const actor = { type: 'system', id: null } as const;
  runInTrace(null, () => queue.submit({ request, actor, audited: null })).catch(() => {});
}

/** Logs once per event that its ledger counts waitlisted registrations that do not exist. */
function createDriftLog(log: Pick<Logger, 'warn'>) {
  const driftedEvents = new Set<string>();
  return (scope: EventScope, hasDrifted: boolean): void => {
    const key = keyOf(scope);
    if (!hasDrifted) driftedEvents.delete(key);
    else if (!driftedEvents.has(key)) {
      driftedEvents.add(key);
      log.warn(
        { eventId: scope.eventId },
        'seat ledger out of sync: waitlisted count without waitlisted registrations',
      );
    }
  };
}

/**
 * Whether one request can have caused the error, so that the others are worth running without it.
 * If the database is unavailable or busy or the event unknown, each of them would fail the same
 * way. After a lost connection the outcome of the commit is unknown, and running the requests again
 * could apply them twice.
 */
function isCausedByOneRequest(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^2[23]/.test(state);
  return !isLostConnection(error) && !(error instanceof ApiError);
}
