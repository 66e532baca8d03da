import type { DeliveryResult } from '@event-api/contracts/http/webhook-endpoints';
import { timeouts } from '../timeouts.ts';
import type { ResponseContent } from './content.rules.ts';
import { type FeedEntry, park, settle } from './progress.rules.ts';
import { isExhausted, type PauseInput, pingRetryAt, retryAt } from './schedule.rules.ts';
import { type EndpointState, type Health, healthy, type Ping } from './targets.rules.ts';

/** With more lanes, or after as many new failures in a row, an endpoint backs off. */
const maxLanes = 1000;
const maxFailures = 10;

/** How a request ended. */
export type Response =
  | { outcome: 'acknowledged'; status: number; content: ResponseContent }
  /** A response other than 2xx. */
  | { outcome: 'rejected'; status: number; retryAfterMs: number | null; content: ResponseContent }
  /** No response. */
  | { outcome: 'unreachable'; reason: UnreachableReason };

export type UnreachableReason =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'reset'
  | 'invalid_response';

/** A delivery that has been attempted. */
export type Delivery =
  | { kind: 'ping'; ping: Ping }
  /** `attempt` counts from 1. `isProbe`: the endpoint was backing off. */
  | { kind: 'change'; change: FeedEntry; attempt: number; isProbe: boolean }
  | { kind: 'replay'; replayId: string; change: FeedEntry; attempt: number; isProbe: boolean };

export type EndDecision = 'gone' | 'failing' | 'ping_failed';

/** What follows from an attempt. */
export interface Outcome {
  state: EndpointState;
  result: DeliveryResult;
  /** Set when the endpoint must be disabled. */
  disable: EndDecision | null;
}

/** Decides what follows from a response. `random` is from 0 to 1. */
export function decideOutcome(
  state: EndpointState,
  delivery: Delivery,
  response: Response,
  { now, random }: { now: Date; random: number },
): Outcome {
  const retryAfterMs = response.outcome === 'rejected' ? response.retryAfterMs : null;
  const input = { now, random, retryAfterMs };
  if (delivery.kind === 'ping') return decidePingOutcome(state, delivery.ping, response, input);
  const { attempt } = delivery;
  if (response.outcome === 'acknowledged')
    return {
      state: { ...advance(state, delivery, now), health: healthy },
      result: 'delivered',
      disable: null,
    };
  const isGivenUp = isExhausted(attempt);
  const next = isGivenUp
    ? advance(state, delivery, now)
    : postpone(state, delivery, retryAt(attempt, input));
  const health = decideHealth(next, delivery, response, input);
  return {
    state: { ...next, health },
    result: isGivenUp ? 'failed' : 'retrying',
    disable: decideDisabling(health, attempt, response, now),
  };
}

/** The change is acknowledged or given up. */
function advance(
  state: EndpointState,
  { kind, change }: Exclude<Delivery, { kind: 'ping' }>,
  now: Date,
): EndpointState {
  if (kind === 'change') return { ...state, progress: settle(state.progress, change, now) };
  const { replay } = state;
  const sequence = change.sequence + 1;
  if (!replay || replay.toSequence < sequence) return { ...state, replay: null };
  return { ...state, replay: { ...replay, sequence, attempts: 0, nextAt: now } };
}

/** The change is tried again. */
function postpone(
  state: EndpointState,
  { kind, change, attempt }: Exclude<Delivery, { kind: 'ping' }>,
  nextAt: Date,
): EndpointState {
  if (kind === 'change')
    return { ...state, progress: park(state.progress, change, { attempts: attempt, nextAt }) };
  const replay = state.replay && {
    ...state.replay,
    sequence: change.sequence,
    attempts: attempt,
    nextAt,
  };
  return { ...state, replay };
}

/** Whether a response means that the endpoint itself, not this change, has a problem. */
const concernsEndpoint = (response: Response): boolean =>
  response.outcome === 'unreachable' ||
  (response.outcome === 'rejected' &&
    response.retryAfterMs !== null &&
    [429, 503].includes(response.status));

/** The failures of an endpoint after another one. */
function decideHealth(
  { health, progress }: EndpointState,
  { attempt, isProbe }: Exclude<Delivery, { kind: 'ping' }>,
  response: Response,
  input: PauseInput,
): Health {
  const failures = health.failures + (attempt === 1 ? 1 : 0);
  const failed = { ...health, failures, failingSince: health.failingSince ?? input.now };
  const isBackingOff = health.backoffUntil !== null;
  // Requests that began before the back-off say nothing new.
  if (isBackingOff && !isProbe) return failed;
  const begins =
    concernsEndpoint(response) || failures >= maxFailures || progress.lanes.size > maxLanes;
  if (!isBackingOff && !begins) return failed;
  const backoffAttempts = isBackingOff ? health.backoffAttempts + 1 : 1;
  return { ...failed, backoffAttempts, backoffUntil: retryAt(backoffAttempts, input) };
}

/** Whether a failure disables the endpoint. */
function decideDisabling(
  { failingSince }: Health,
  attempt: number,
  response: Response,
  now: Date,
): EndDecision | null {
  if (response.outcome === 'rejected' && response.status === 410) return 'gone';
  const failingMs = failingSince ? now.getTime() - failingSince.getTime() : 0;
  const isFailing = failingMs >= timeouts.failingMs && attempt >= timeouts.disablingAttempts;
  return isFailing ? 'failing' : null;
}

/**
 * A pending endpoint is enabled by its ping, or disabled after an hour. The ping of an enabled one
 * is a test.
 */
function decidePingOutcome(
  state: EndpointState,
  ping: Ping,
  response: Response,
  input: PauseInput,
): Outcome {
  const done = { ...state, ping: null };
  if (response.outcome === 'acknowledged')
    return { state: { ...done, status: 'enabled' }, result: 'delivered', disable: null };
  if (state.status === 'enabled') return { state: done, result: 'failed', disable: null };
  if (response.outcome === 'rejected' && response.status === 410)
    return { state: done, result: 'failed', disable: 'gone' };
  if (input.now >= ping.until) return { state: done, result: 'failed', disable: 'ping_failed' };
  const attempts = ping.attempts + 1;
  // The last attempt is at the end of the hour.
  const at = new Date(Math.min(pingRetryAt(attempts, input).getTime(), ping.until.getTime()));
  return {
    state: { ...state, ping: { ...ping, attempts, at } },
    result: 'retrying',
    disable: null,
  };
}
