/** What the responses of a service to one class of requests have been. Times are in milliseconds. */
export interface BreakerState {
  /** Requests in a row whose response did not begin in time. */
  timeouts: number;
  /** Requests are rejected until this time, then one is sent. Null while all requests are sent. */
  rejectsUntil: number | null;
  /** When the last response began. */
  respondedAt: number;
}

export interface BreakerLimits {
  /** Requests are rejected after this number of timeouts in a row. */
  maxTimeouts: number;
  /** The pause between two probes. */
  pauseMs: number;
  /** A probe ends within this time. */
  probeMs: number;
}

export const closedBreaker: BreakerState = { timeouts: 0, rejectsUntil: null, respondedAt: 0 };

/** `probe` is one request that is sent while others are rejected. */
export type Admission = 'send' | 'probe' | 'reject';

export function decideAdmission({ rejectsUntil }: BreakerState, now: number): Admission {
  if (rejectsUntil === null) return 'send';
  return now < rejectsUntil ? 'reject' : 'probe';
}

/** Rejects other requests while the probe runs, even if it ends without a result. */
export const afterProbe = (
  state: BreakerState,
  now: number,
  { probeMs }: BreakerLimits,
): BreakerState => ({ ...state, rejectsUntil: now + probeMs });

/** A response, or a connection that fails at once, ends the rejections. */
export const afterResponse = (now: number): BreakerState => ({
  timeouts: 0,
  rejectsUntil: null,
  respondedAt: now,
});

/** A request that was sent before the last response says nothing about the present. */
export function afterTimeout(
  state: BreakerState,
  { sentAt, now }: { sentAt: number; now: number },
  { maxTimeouts, pauseMs }: BreakerLimits,
): BreakerState {
  if (sentAt < state.respondedAt) return state;
  const timeouts = state.timeouts + 1;
  return { ...state, timeouts, rejectsUntil: timeouts < maxTimeouts ? null : now + pauseMs };
}
