import type { EventScope } from '@event-api/contracts/internal/scope';
import { sqlState } from '@event-api/platform/core/error-reason';
import { ApiError, unavailable } from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { isLostConnection } from '@event-api/platform/db/errors';
import { captureWrites, recordWrite } from '@event-api/platform/messaging/read-after/scope';
import type { ReadAfterToken } from '@event-api/platform/messaging/read-after/token';
import { traceBatch } from '@event-api/platform/telemetry/batch-span';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { currentTrace, type TraceScope } from '@event-api/platform/telemetry/trace-scope';
import type { RegistrationRow } from '../registrations/queries.ts';
import { type BatchResult, runBatch } from './batch.ts';
import {
  type AdmissionRequest,
  type AdmissionResult,
  type AdmissionResults,
  seatCost,
} from './requests.ts';

/** A batch takes requests until together they need this many seats. */
const maxSeats = 256;

export interface Admission {
  /**
   * Decides a request in one batch with the other queued requests of the event.
   * Errors: 404 for an unknown event; 503 when the queue is full or the request has waited too
   * long.
   */
  submit<Kind extends AdmissionRequest['kind']>(
    scope: EventScope,
    request: Extract<AdmissionRequest, { kind: Kind }>,
  ): Promise<{ result: AdmissionResults[Kind]; rows: Map<string, RegistrationRow> }>;
}

interface QueuedRequest {
  request: AdmissionRequest;
  queuedAt: number;
  trace: TraceScope | null;
  resolve: (result: {
    result: AdmissionResult;
    rows: Map<string, RegistrationRow>;
    written: ReadAfterToken | null;
  }) => void;
  reject: (error: unknown) => void;
}

export interface AdmissionOptions {
  db: Database;
  faults: Faults;
  log: Pick<Logger, 'warn'>;
  metrics: Metrics;
  /** A request that has waited longer is rejected without a decision. */
  maxWaitMs?: number;
  /** How many requests of one event may be queued. */
  maxWaiting?: number;
}

/**
 * Creates a queue per event. A batch takes the requests that arrived while the previous batch ran.
 * There is no timer: batches grow with the load, and a single request runs immediately.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { maxWaitMs = 3000, maxWaiting = 2000, metrics } = options;
  const queues = new Map<string, QueuedRequest[]>();
  const measureBatch = metrics.histogram('registration.admission.batch.size');
  metrics.observe('registration.admission.queued', () =>
    [...queues.values()].reduce((sum, { length }) => sum + length, 0),
  );
  /** Events with a drifted ledger that has been logged. */
  const driftedEvents = new Set<string>();

  async function work(scope: EventScope, queue: QueuedRequest[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue, maxWaitMs);
      if (batch.length > 0) await decideBatch(scope, batch, queue);
    }
    queues.delete(keyOf(scope));
  }

  async function decideBatch(
    scope: EventScope,
    batch: QueuedRequest[],
    queue: QueuedRequest[],
  ): Promise<void> {
    try {
      measureBatch(batch.length, {});
      const requests = batch.map(({ request }) => request);
      const { result, produced } = await captureWrites(() =>
        traceBatch(
          spanOf(batch),
          batch.map(({ trace }) => trace),
          () => runBatch(options, scope, requests),
        ),
      );
      resolveBatch(batch, result, produced);
      if (result.hasMorePromotions) queue.push(followUpPromotion());
      logDrift(scope, result.hasDrifted);
    } catch (error) {
      if (batch.length === 1 || !isCausedByOneRequest(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const member of batch) await decideBatch(scope, [member], queue);
    }
  }

  function logDrift(scope: EventScope, hasDrifted: boolean): void {
    const key = keyOf(scope);
    if (!hasDrifted) driftedEvents.delete(key);
    else if (!driftedEvents.has(key)) {
      driftedEvents.add(key);
      options.log.warn(
        { eventId: scope.eventId },
        'seat ledger out of sync: waitlisted count without waitlisted registrations',
      );
    }
  }

  return {
    async submit(scope, request) {
      const key = keyOf(scope);
      const existing = queues.get(key);
      if (existing && existing.length >= maxWaiting)
        throw unavailable(new Error('the admission queue is full'));
      const queue = existing ?? [];
      const decided = new Promise<Parameters<QueuedRequest['resolve']>[0]>((resolve, reject) => {
        queue.push({
          request,
          queuedAt: performance.now(),
          trace: currentTrace(),
          resolve,
          reject,
        });
      });
      if (!existing) {
        queues.set(key, queue);
        queueMicrotask(() => void work(scope, queue));
      }
      const { result, rows, written } = await decided;
      recordWrite(written);
      return { result: result as never, rows };
    },
  };
}

const spanOf = (batch: readonly QueuedRequest[]) =>
  ({
    name: 'admission',
    kind: 'internal',
    attributes: { 'event_api.batch.size': batch.length },
  }) as const;

const keyOf = ({ businessUnitId, eventId }: EventScope): string => `${businessUnitId} ${eventId}`;

function takeBatch(queue: QueuedRequest[], maxWaitMs: number): QueuedRequest[] {
  const batch: QueuedRequest[] = [];
  const now = performance.now();
  for (let seats = 0; queue[0] !== undefined; ) {
    const [next] = queue;
    const size = seatCost(next.request);
    if (batch.length > 0 && seats + size > maxSeats) break;
    queue.shift();
    if (now - next.queuedAt > maxWaitMs)
      next.reject(unavailable(new Error('waited too long in the admission queue')));
    else {
      batch.push(next);
      seats += size;
    }
  }
  return batch;
}

function resolveBatch(
  batch: QueuedRequest[],
  { results, rows }: BatchResult,
  written: ReadAfterToken | null,
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = results[index];
    if (result) resolve({ result, rows, written });
    else reject(new Error('the batch returned no result for a request'));
  }
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

/** A promotion without a caller, for registrations beyond the limit of the previous batch. */
const followUpPromotion = (): QueuedRequest => ({
  request: { kind: 'promote' },
  queuedAt: performance.now(),
  trace: null,
  resolve: () => {},
  reject: () => {},
});
