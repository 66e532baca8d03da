const firstPauseMs = 250;
const longestPauseMs = 8000;
const jitterMs = 250;

/** How an attempt ended: with a response, or without one after a lost connection or a timeout. */
export type Attempt =
  | { kind: 'response'; status: number; retryAfter: string | null; date: string | null }
  | { kind: 'no_response' };

/**
 * A request that may be sent again without a second effect: a read, or a POST with an
 * `Idempotency-Key`.
 */
export const isRepeatable = (method: string, headers: Headers): boolean =>
  method === 'GET' || method === 'HEAD' || (method === 'POST' && headers.has('Idempotency-Key'));

/**
 * Decides whether a request is sent again. Returns the pause in milliseconds, or null.
 *
 * A 429 had no effect, so every request is repeated. Other failures may have had one, so only
 * repeatable requests are. A 409 with `Retry-After` means that the previous attempt is still
 * running. `retried` is the number of retries so far, `random` a number from 0 to 1: clients that
 * failed together must not return together.
 */
export function pauseBeforeRetry(
  attempt: Attempt,
  { repeatable, retried, random }: { repeatable: boolean; retried: number; random: number },
): number | null {
  const backoffMs = random * Math.min(longestPauseMs, firstPauseMs * 2 ** (retried + 1));
  if (attempt.kind === 'no_response') return repeatable ? backoffMs : null;
  const { status, retryAfter, date } = attempt;
  const isTransient = status === 408 || status >= 500 || (status === 409 && retryAfter !== null);
  if (status !== 429 && !(isTransient && repeatable)) return null;
  const waitMs = readRetryAfter(retryAfter, date);
  return waitMs === null ? backoffMs : waitMs + random * jitterMs;
}

/**
 * `Retry-After` has seconds, or an HTTP date, which counts from the `Date` of the same response: the
 * clock of this machine may be wrong. Returns milliseconds; null for neither.
 */
function readRetryAfter(value: string | null, date: string | null): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1000;
  const waitMs = Date.parse(value) - Date.parse(date ?? '');
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
