import { timeouts } from '../timeouts.ts';

/** The pauses after the first, second … failed attempt of a delivery. */
const retryPauses = [
  timeouts.secondAttemptPauseMs,
  timeouts.thirdAttemptPauseMs,
  timeouts.fourthAttemptPauseMs,
  timeouts.fifthAttemptPauseMs,
  timeouts.sixthAttemptPauseMs,
  timeouts.seventhAttemptPauseMs,
  timeouts.eighthAttemptPauseMs,
  timeouts.ninthAttemptPauseMs,
  timeouts.tenthAttemptPauseMs,
];

/** Whether a delivery with these failed attempts is given up. */
export const isExhausted = (attempts: number): boolean => attempts > retryPauses.length;

/**
 * The share of a pause by which it is shortened or extended, so that retries of many deliveries
 * spread.
 */
const jitter = 0.1;

/** What a pause depends on. */
export interface PauseInput {
  now: Date;
  /** From 0 to 1. */
  random: number;
  /** The `Retry-After` of the response. */
  retryAfterMs: number | null;
}

/**
 * The time of the next attempt after `attempts` failed ones. After the last pause of the schedule,
 * the pauses stay equal.
 */
export function retryAt(attempts: number, input: PauseInput): Date {
  const pauseMs = retryPauses[Math.min(attempts, retryPauses.length) - 1] ?? 0;
  return afterPause(pauseMs, input);
}

/** The time of the next ping of a pending endpoint after `attempts` failed ones. */
export const pingRetryAt = (attempts: number, input: PauseInput): Date =>
  afterPause(attempts === 1 ? timeouts.secondPingPauseMs : timeouts.laterPingPauseMs, input);

function afterPause(pauseMs: number, { now, random, retryAfterMs }: PauseInput): Date {
  const jitteredMs = pauseMs * (1 + jitter * (2 * random - 1));
  const requestedMs = Math.min(retryAfterMs ?? 0, timeouts.maxRetryAfterMs);
  return new Date(now.getTime() + Math.max(jitteredMs, requestedMs));
}

/** The pause that a `Retry-After` requests, in seconds or as a date; null without a valid one. */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
