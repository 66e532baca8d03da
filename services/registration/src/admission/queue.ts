import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Database } from '@event-api/platform/db/database';
import { isLostConnection, sqlState } from '@event-api/platform/db/errors';
import { ApiError, unavailable } from '@event-api/platform/errors';
import type { Faults } from '@event-api/platform/faults';
import type { Logger } from '@event-api/platform/log';
import { collectWritten, noteWritten } from '@event-api/platform/read-after/scope';
import type { ReadAfter } from '@event-api/platform/read-after/token';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { shareWork } from '@event-api/platform/telemetry/shared-work';
import { currentTrace, type TraceScope } from '@event-api/platform/telemetry/trace-scope';
import type { RegistrationRow } from '../registrations/queries.ts';
import { type BatchResult, runBatch } from './batch.ts';
import { type AdmissionRequest, type Answer, type Answers, seatsOf } from './requests.ts';

const maxSeats = 256;

export interface Admission {
  /**
   * Has a request decided together with whatever else is waiting for the same event.
   * Errors: 404 for an unknown event; 503 when the queue is too long or the request has waited too long.
   */
  submit<Kind extends AdmissionRequest['kind']>(
    scope: EventScope,
    asked: Extract<AdmissionRequest, { kind: Kind }>,
  ): Promise<{ answer: Answers[Kind]; rows: Map<string, RegistrationRow> }>;
}

interface Waiting {
  asked: AdmissionRequest;
  since: number;
  trace: TraceScope | null;
  resolve: (result: {
    answer: Answer;
    rows: Map<string, RegistrationRow>;
    written: ReadAfter | null;
  }) => void;
  reject: (error: unknown) => void;
}

export interface AdmissionOptions {
  db: Database;
  faults: Faults;
  log: Pick<Logger, 'warn'>;
  metrics: Metrics;
  /** A request that has waited longer is refused undecided. */
  patienceMs?: number;
  /** How many requests may wait for one event. */
  maxWaiting?: number;
}

/**
 * One queue an event. Nothing waits for a timer: a batch takes all that has come while the one before
 * it was under way, so that batches grow with the load and an idle event answers at once.
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { patienceMs = 3000, maxWaiting = 2000, metrics } = options;
  const queues = new Map<string, Waiting[]>();
  const measureBatch = metrics.histogram('registration.admission.batch.size');
  metrics.observe('registration.admission.waiting', () =>
    [...queues.values()].reduce((sum, { length }) => sum + length, 0),
  );
  /** The events that a warning has told of and that are stuck still. */
  const stuck = new Set<string>();

  async function work(scope: EventScope, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue, patienceMs);
      if (batch.length > 0) await decideBatch(scope, batch, queue);
    }
    queues.delete(keyOf(scope));
  }

  async function decideBatch(scope: EventScope, batch: Waiting[], queue: Waiting[]): Promise<void> {
    try {
      measureBatch(batch.length, {});
      const requests = batch.map(({ asked }) => asked);
      const { result, written } = await collectWritten(() =>
        shareWork(
          spanOf(batch),
          batch.map(({ trace }) => trace),
          () => runBatch(options, scope, requests),
        ),
      );
      settleAll(batch, result, written);
      if (result.moreToSettle) queue.push(settleAgain());
      noteStuck(scope, result.isStuck);
    } catch (error) {
      if (batch.length === 1 || !isOfOneMember(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const one of batch) await decideBatch(scope, [one], queue);
    }
  }

  function noteStuck(scope: EventScope, isStuck: boolean): void {
    const key = keyOf(scope);
    if (!isStuck) stuck.delete(key);
    else if (!stuck.has(key)) {
      stuck.add(key);
      options.log.warn({ eventId: scope.eventId }, 'a ledger counts people who do not wait');
    }
  }

  return {
    async submit(scope, asked) {
      const key = keyOf(scope);
      const known = queues.get(key);
      if (known && known.length >= maxWaiting) throw unavailable(new Error('too many wait'));
      const queue = known ?? [];
      const settled = new Promise<Parameters<Waiting['resolve']>[0]>((resolve, reject) => {
        queue.push({ asked, since: performance.now(), trace: currentTrace(), resolve, reject });
      });
      if (!known) {
        queues.set(key, queue);
        queueMicrotask(() => void work(scope, queue));
      }
      const { answer, rows, written } = await settled;
      noteWritten(written);
      return { answer: answer as never, rows };
    },
  };
}

const spanOf = (batch: readonly Waiting[]) =>
  ({
    name: 'admission',
    kind: 'internal',
    attributes: { 'event_api.batch.size': batch.length },
  }) as const;

const keyOf = ({ businessUnitId, eventId }: EventScope): string => `${businessUnitId} ${eventId}`;

function takeBatch(queue: Waiting[], patienceMs: number): Waiting[] {
  const batch: Waiting[] = [];
  const now = performance.now();
  for (let seats = 0; queue[0] !== undefined; ) {
    const [next] = queue;
    const size = seatsOf(next.asked);
    if (batch.length > 0 && seats + size > maxSeats) break;
    queue.shift();
    if (now - next.since > patienceMs) next.reject(unavailable(new Error('waited too long')));
    else {
      batch.push(next);
      seats += size;
    }
  }
  return batch;
}

function settleAll(
  batch: Waiting[],
  { answers, rows }: BatchResult,
  written: ReadAfter | null,
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const answer = answers[index];
    if (answer) resolve({ answer, rows, written });
    else reject(new Error('a batch has left a request undecided'));
  }
}

/**
 * Whether one member may be to blame, so that the others are worth a try without it. Not so when the
 * database is away or busy or the event unknown: each would only wait for the same again. And whether a
 * commit that was cut off has happened nobody knows: a repeat might do it twice.
 */
function isOfOneMember(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^2[23]/.test(state);
  return !isLostConnection(error) && !(error instanceof ApiError);
}

/** More can move up: asked for at once, on nobody's behalf. */
const settleAgain = (): Waiting => ({
  asked: { kind: 'settle' },
  since: performance.now(),
  trace: null,
  resolve: () => {},
  reject: () => {},
});
