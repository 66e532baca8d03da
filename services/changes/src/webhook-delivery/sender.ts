import { every } from '@event-api/platform/core/every';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { timeouts } from '../timeouts.ts';
import { beginDue } from './begin.ts';
import { type HeldEndpoint, releaseLease } from './lease.ts';
import { createRunning, type Running } from './running.ts';
import {
  applyResult,
  type DeliveryDeps,
  isUnsaved,
  openSession,
  readAhead,
  refresh,
  type Session,
  save,
} from './session.ts';
import { decideWakeAt } from './targets.rules.ts';

/** Sends the deliveries of one endpoint, while this process holds it. */
export interface Sender {
  readonly endpoint: HeldEndpoint;
  /** The feed or the endpoint has changed. */
  wake(): void;
  /** The process holds the endpoint until then, in milliseconds of `performance.now()`. */
  extendLease(until: number): void;
  /** Begins no more requests. Ends when the running ones have ended. */
  drain(): void;
  /** Ends at once. The results of running requests are dropped, so that they are sent again. */
  abort(): void;
  /** Resolves when no request runs and the lease is released or lost. */
  ended: Promise<void>;
}

/**
 * Starts to send. A sender ends by itself when nothing is due for a while, or when its process
 * loses the lease.
 */
export function startSender(
  deps: DeliveryDeps,
  endpoint: HeldEndpoint,
  initialLeaseUntil: number,
): Sender {
  const ending = Promise.withResolvers<void>();
  const wake = () => loop.wake();
  const running = createRunning(
    { slots: deps.slots, businessUnitId: endpoint.businessUnitId },
    wake,
  );
  let session: Session | null = null;
  let leaseUntil = initialLeaseUntil;
  let isDraining = false;
  let isEnding = false;
  let activeAt = performance.now();

  const mayBegin = () =>
    !isDraining && !isEnding && performance.now() < leaseUntil - timeouts.leaseMarginMs;

  /** Releases the lease after the last request. Without the database it ends by itself. */
  async function end(): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    clearInterval(leaseTimer);
    running.abort();
    await running.idle();
    await releaseLease(deps.db, endpoint).catch(() => {});
    void loop.stop().then(ending.resolve);
  }

  async function turn(): Promise<void> {
    session ??= await openSession(deps, endpoint);
    if (!session || !(await settleResults(deps, session, running))) return end();
    if (mayBegin()) {
      await readAhead(deps, session);
      await beginDue(deps, session, running, { mayBegin, wake });
    }
    if (running.inFlight().size > 0) {
      activeAt = performance.now();
      return;
    }
    if (isUnsaved(session) && !(await save(deps, session))) return end();
    const isIdle = performance.now() - activeAt >= timeouts.endpointIdleMs;
    if (isDraining || (isIdle && !isDueSoon(session, deps.clock.now()))) return end();
  }

  const loop = every(turn, {
    intervalMs: () => pauseMs(session, deps.clock.now()),
    immediately: true,
    onError: reportRepeated((error, suppressed) =>
      deps.log.warn(
        { err: error, endpoint: endpoint.id, suppressed },
        'failed to deliver webhooks, will retry',
      ),
    ),
  });
  const leaseTimer = setInterval(() => {
    if (performance.now() >= leaseUntil - timeouts.leaseMarginMs) void end();
  }, timeouts.leaseMarginMs / 2);
  return {
    endpoint,
    wake,
    extendLease(until) {
      leaseUntil = until;
    },
    drain() {
      isDraining = true;
      wake();
    },
    abort: () => void end(),
    ended: ending.promise,
  };
}

/**
 * Stores the results of requests that have ended, and reads the endpoint again. Returns whether the
 * process still holds it.
 */
async function settleResults(
  deps: DeliveryDeps,
  session: Session,
  running: Running,
): Promise<boolean> {
  for (const { response, ...attempted } of running.takeEnded()) {
    if (response.outcome === 'aborted') continue;
    applyResult(deps, session, { ...attempted, response });
  }
  if (isUnsaved(session) && !(await save(deps, session))) return false;
  return refresh(deps, session);
}

/** Whether something becomes due before another process would take the endpoint. */
function isDueSoon({ state }: Session, now: Date): boolean {
  const wakeAt = decideWakeAt(state);
  const { window } = state.progress;
  if (window.length > 0 && state.health.backoffUntil === null) return true;
  return wakeAt !== null && wakeAt.getTime() - now.getTime() < timeouts.endpointIdleMs;
}

/**
 * The pause until something becomes due. What is due already waits for a request or for room in the
 * process.
 */
function pauseMs(session: Session | null, now: Date): number {
  const wakeAt = session && decideWakeAt(session.state);
  if (!wakeAt) return timeouts.endpointIdleMs;
  const dueMs = wakeAt.getTime() - now.getTime();
  if (dueMs <= 0) return timeouts.retryPauseMs;
  return Math.min(Math.max(dueMs, timeouts.deliveryGatherMs), timeouts.endpointIdleMs);
}
