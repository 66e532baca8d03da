import { EventApiConnectionError } from './errors.ts';
import { type Attempt, isRepeatable, pauseBeforeRetry } from './retry-rules.ts';

/** How long requests take at most, and how often they are repeated. */
export interface RetryOptions {
  /** Retries of one call. Default: 4. */
  maxRetries?: number;
  /** One attempt, in milliseconds. Default: 20 seconds. */
  attemptTimeoutMs?: number;
  /** A call with all its retries, in milliseconds. No retry begins later. Default: 60 seconds. */
  deadlineMs?: number;
}

/** A full budget allows this many retries at once. */
const budgetSize = 20;
/** Each success allows this much of a retry, so that an outage does not multiply the load. */
const earnedPerSuccess = 0.2;

/**
 * Returns a `fetch` that gives each POST an `Idempotency-Key`, ends an attempt at its timeout, and
 * repeats what is safe to repeat. It reads the whole body within an attempt, so a connection that
 * is lost in the middle of one is a failed attempt.
 * Errors: EventApiConnectionError; the reason of an aborted signal.
 */
export function createRetryingFetch(send: typeof fetch, options: RetryOptions): typeof fetch {
  const { maxRetries = 4, attemptTimeoutMs = 20_000, deadlineMs = 60_000 } = options;
  let budget = budgetSize;

  return async (input, init) => {
    const request = new Request(input, init);
    const { method, headers, signal } = request;
    if (method === 'POST' && !headers.has('Idempotency-Key')) {
      headers.set('Idempotency-Key', crypto.randomUUID());
    }
    const body = request.body === null ? null : await request.arrayBuffer();
    const repeatable = isRepeatable(method, headers);
    const endAt = performance.now() + deadlineMs;

    for (let retried = 0; ; retried++) {
      const timeout = AbortSignal.timeout(attemptTimeoutMs);
      const result = await readResponse(
        send(request.url, {
          ...{ method, headers, body, redirect: 'error' },
          signal: AbortSignal.any([signal, timeout]),
        }),
      );
      signal.throwIfAborted();
      const pauseMs = pauseBeforeRetry(outcomeOf(result), {
        repeatable,
        retried,
        random: Math.random(),
      });
      const mayRetry = retried < maxRetries && budget >= 1;
      const isInTime = pauseMs !== null && performance.now() + pauseMs < endAt;
      if (mayRetry && isInTime) {
        budget -= 1;
        await pause(pauseMs, signal);
        continue;
      }
      if ('failure' in result) throw new EventApiConnectionError(result.failure);
      if (result.response.ok) budget = Math.min(budgetSize, budget + earnedPerSuccess);
      return result.response;
    }
  };
}

type Result = { response: Response } | { failure: unknown };

async function readResponse(sent: Promise<Response>): Promise<Result> {
  try {
    const response = await sent;
    const { status, statusText, headers } = response;
    const bytes = await response.arrayBuffer();
    // A response without content may not have a body, not even an empty one.
    const body = bytes.byteLength === 0 ? null : bytes;
    return { response: new Response(body, { status, statusText, headers }) };
  } catch (failure) {
    return { failure };
  }
}

const outcomeOf = (result: Result): Attempt =>
  'failure' in result
    ? { kind: 'no_response' }
    : {
        kind: 'response',
        status: result.response.status,
        retryAfter: result.response.headers.get('Retry-After'),
        date: result.response.headers.get('Date'),
      };

/** Errors: the reason of the signal, if it aborts first. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
