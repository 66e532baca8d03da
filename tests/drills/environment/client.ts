import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { SeededRandom } from '@event-api/platform/testing/random';
import { acknowledgementsIn } from '../history/acknowledgements.ts';
import type { History } from '../history/history.ts';
import {
  contractViolation,
  type FailedRequest,
  isDefinite,
  isSuccess,
  type ObservedResponse,
  type Owner,
} from '../history/responses.ts';

/** How long a client waits for a response: longer than any time limit of the platform. */
const RESPONSE_TIMEOUT_MS = 30_000;
/**
 * How long a request is retried. When a process dies during a request, its idempotency key stays
 * leased for thirty seconds, and that may happen more than once.
 */
const RETRY_FOR_MS = 100_000;

export interface DrillRequest {
  operation: string;
  owner: Owner;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Returns the API key. Called for each attempt, because the key may have been replaced. */
  secret?: () => string;
  /** The credential in `headers` may have been revoked: a 401 follows the contract. */
  mayBeRevoked?: boolean;
}

export interface Client {
  /**
   * Retries with the same `Idempotency-Key` until the response is definite, and records everything
   * in the history. Returns null if no definite response arrives in time; the outcome is then
   * unknown.
   */
  request(
    request: DrillRequest,
    options?: { mayDuplicate?: boolean },
  ): Promise<ObservedResponse | null>;
}

/**
 * Creates a client with an API key. It sends some POSTs twice, concurrently or in sequence; only
 * one may take effect.
 */
export function createClient(options: {
  baseUrl: string;
  secret: () => string;
  history: History;
  random: SeededRandom;
}): Client {
  const { baseUrl, secret, history, random } = options;
  return {
    async request(request, { mayDuplicate = true } = {}) {
      const isPost = request.method === 'POST';
      const reference = randomUUID();
      const headers = { ...(isPost && { 'idempotency-key': reference }), ...request.headers };
      const attempt = () =>
        untilDefinite(history, baseUrl, { ...request, headers, secret }, reference);
      if (!isPost || !mayDuplicate || !random.chance(0.06)) return attempt();
      const isConcurrent = random.chance(0.5);
      const sentAt = performance.now();
      const first = attempt();
      if (!isConcurrent) await first;
      const [one, other] = await Promise.all([first, attempt()]);
      const responses = [one, other].filter((seen) => seen !== null);
      // Which of two concurrent requests was decided first is unknown: the refusal may have been.
      if (isConcurrent) responses.sort((a, b) => Number(isSuccess(a)) - Number(isSuccess(b)));
      // A request that was refused is decided again: only a third one proves that the success
      // repeats.
      if (responses.some(isSuccess) && !responses.every(isSuccess)) {
        const repeated = await attempt();
        if (repeated) responses.push(repeated);
      }
      recordRepeat(history, request, responses, sentAt);
      return responses.find(isSuccess) ?? one ?? other;
    },
  };
}

/** Sends a request and retries it until the response is definite. */
export async function untilDefinite(
  history: History,
  baseUrl: string,
  request: DrillRequest,
  reference: string,
): Promise<ObservedResponse | null> {
  const deadline = performance.now() + RETRY_FOR_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 800)) {
    const seen = await once(history, baseUrl, request);
    if (seen && isDefinite(seen)) {
      if (seen.status < 300) history.acknowledge(...acknowledgementsIn(seen.body));
      return seen;
    }
    if (performance.now() > deadline) {
      history.unknown.push({ operation: request.operation, reference });
      return null;
    }
    await delay(pauseMs);
  }
}

/** Sends a request once and validates the response. Returns null if there is none. */
export async function once(
  history: History,
  baseUrl: string,
  request: DrillRequest,
): Promise<ObservedResponse | null> {
  const { operation, owner } = request;
  const sentAt = performance.now();
  const recordFailure = (status: FailedRequest['status'], requestId?: string) =>
    history.failedRequests.push({
      operation,
      owner,
      status,
      sentAt,
      respondedAt: performance.now(),
      requestId,
    });
  try {
    const seen = await send(baseUrl, request);
    history.count(operation, String(seen.status));
    if (seen.status === 503 || seen.status === 504) recordFailure(seen.status, seen.requestId);
    const wrong = contractViolation(seen, request);
    if (wrong)
      history.breaks('every response follows the contract', {
        operation,
        wrong,
        ...seen,
      });
    return seen;
  } catch (error) {
    const what = (error as Error).name === 'TimeoutError' ? 'timeout' : 'cut';
    history.count(operation, what);
    recordFailure(what);
    return null;
  }
}

async function send(
  baseUrl: string,
  { method, path, body, headers, secret }: DrillRequest,
): Promise<ObservedResponse> {
  const response = await httpClient(baseUrl, {}, { timeoutMs: RESPONSE_TIMEOUT_MS })(method, path, {
    ...(typeof body === 'string' ? { raw: body } : { body }),
    headers: { ...(secret && { authorization: `Bearer ${secret()}` }), ...headers },
  });
  return {
    status: response.status,
    retryAfter: response.headers['retry-after'] ?? null,
    requestId: response.headers['request-id'],
    // Text is not JSON; every JSON response of the platform is an object.
    body: typeof response.body === 'string' ? undefined : response.body,
  };
}

function recordRepeat(
  history: History,
  { operation, owner, path }: DrillRequest,
  responses: readonly ObservedResponse[],
  sentAt: number,
): void {
  const acknowledged = responses.flatMap(({ body }) => acknowledgementsIn(body));
  if (acknowledged.some(({ id }) => history.lost.has(id))) return;
  const outcomes = responses.map((seen) => ({ status: seen.status, ids: idsIn(seen.body) }));
  const respondedAt = performance.now();
  history.repeatedRequests.push({ operation, owner, path, outcomes, sentAt, respondedAt });
}

const idsIn = (body: unknown): string =>
  acknowledgementsIn(body)
    .map(({ id }) => id)
    .join();
