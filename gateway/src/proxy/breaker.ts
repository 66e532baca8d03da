import type { OperationConfig } from '@event-api/contracts/operation';
import type { Logger } from '@event-api/platform/core/log';
import { timeouts } from '../timeouts.ts';
import {
  afterProbe,
  afterResponse,
  afterTimeout,
  type BreakerLimits,
  type BreakerState,
  closedBreaker,
  decideAdmission,
} from './breaker.rules.ts';

/** Rejects requests to a service that accepts connections and does not respond. */
export interface Breaker {
  /** Returns when the request is sent, or null if it is rejected. */
  enter(): number | null;
  /** The response began, or the connection failed. */
  responded(): void;
  timedOut(sentAt: number): void;
}

/**
 * Without it, each request to a stopped process waits for the whole timeout. Requests are counted
 * by service and class: scans are not rejected because an export is slow, and reads not because
 * writes wait for a lock.
 */
export function createBreakers(log: Logger, upstreamTimeoutMs: number) {
  const limits: BreakerLimits = {
    maxTimeouts: 3,
    pauseMs: timeouts.breakerPauseMs,
    probeMs: upstreamTimeoutMs + timeouts.breakerPauseMs,
  };
  const breakers = new Map<string, Breaker>();

  return (method: string, config: OperationConfig): Breaker => {
    const subject = { owner: config.owner, requests: classOf(method, config) };
    const name = `${subject.owner} ${subject.requests}`;
    const breaker = breakers.get(name) ?? createBreaker(limits, log.child(subject));
    breakers.set(name, breaker);
    return breaker;
  };
}

function classOf(method: string, { mayWait, rateLimitBudget }: OperationConfig): string {
  if (rateLimitBudget === 'checkins') return 'checkins';
  if (mayWait) return 'waits';
  return method === 'GET' ? 'reads' : 'writes';
}

function createBreaker(limits: BreakerLimits, log: Pick<Logger, 'warn' | 'info'>): Breaker {
  let state: BreakerState = closedBreaker;

  const change = (next: BreakerState): void => {
    const rejected = state.rejectsUntil !== null;
    state = next;
    if (!rejected && next.rejectsUntil !== null)
      log.warn('the service does not respond: requests are rejected until a probe gets a response');
    if (rejected && next.rejectsUntil === null) log.info('the service responds again');
  };

  return {
    enter() {
      const now = performance.now();
      const admission = decideAdmission(state, now);
      if (admission === 'reject') return null;
      if (admission === 'probe') change(afterProbe(state, now, limits));
      return now;
    },
    responded: () => change(afterResponse(performance.now())),
    timedOut: (sentAt) => change(afterTimeout(state, { sentAt, now: performance.now() }, limits)),
  };
}
