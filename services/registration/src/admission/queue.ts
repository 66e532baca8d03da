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

const maxSeats = 256;

export interface Admission {
  /**
   * Has a request decided together with whatever else is waiting for the same event.
   * Errors: 404 for an unknown event; 503 when the queue is too long or the request has waited too long.
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
  /** A request that has waited longer is refused undecided. */
  maxWaitMs?: number;
  /** How many requests may wait for one event. */
  maxWaiting?: number;
}

/**
 * One queue an event. Nothing waits for a timer: a batch takes all that has come while the one before
 * it was under way, so that batches grow with the load and an idle event answers at once.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { maxWaitMs = 3000, maxWaiting = 2000, metrics } = options;
  const queues = new Map<string, QueuedRequest[]>();
  const measureBatch = metrics.histogram('registration.admission.batch.size');
  metrics.observe('registration.admission.waiting', () =>
    [...queues.values()].reduce((sum, { length }) => sum + length, 0),
  );
  /** The events that a warning has told of and that are stuck still. */
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
      options.log.warn({ eventId: scope.eventId }, 'a ledger counts people who do not wait');
    }
  }

  return {
    async submit(scope, request) {
      const key = keyOf(scope);
      const existing = queues.get(key);
      if (existing && existing.length >= maxWaiting) throw unavailable(new Error('too many wait'));
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
    if (now - next.queuedAt > maxWaitMs) next.reject(unavailable(new Error('waited too long')));
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
    else reject(new Error('a batch has left a request undecided'));
  }
}

/**
 * Whether one member may be to blame, so that the others are worth a try without it. Not so when the
 * database is away or busy or the event unknown: each would only wait for the same again. And whether a
 * commit that was cut off has happened nobody knows: a repeat might do it twice.
 */
function isCausedByOneRequest(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^2[23]/.test(state);
  return !isLostConnection(error) && !(error instanceof ApiError);
}

/** More can move up: asked for at once, on nobody's behalf. */
const followUpPromotion = (): QueuedRequest => ({
  request: { kind: 'settle' },
  queuedAt: performance.now(),
  trace: null,
  resolve: () => {},
  reject: () => {},
});
