import { ABORTED, type ErrorCode, statusWords } from '@event-api/contracts/errors';
import type { ProcessName } from '@event-api/contracts/topology';

/** A response as a client has received it. `body` is undefined if it is not JSON. */
export interface ObservedResponse {
  status: number;
  retryAfter: string | null;
  body: unknown;
  /** The id of the request in the logs. */
  requestId?: string;
}

/** Whether the outcome of the request is decided, so that a retry returns the same response. */
export const isDefinite = ({ status, body }: ObservedResponse): boolean =>
  status < 500 && status !== 429 && !(status === 409 && wordIn(body) === ABORTED);

export const isSuccess = ({ status }: { status: number }): boolean => status < 300;

const wordOf = (status: number): string | undefined => statusWords[status as ErrorCode];

/** Returns the `status` word of an error envelope. */
export const wordIn = (body: unknown): string | undefined =>
  (body as { error?: { status?: string } } | undefined)?.error?.status;

/**
 * Returns how a response violates the contract regardless of request and faults, or null. Errors
 * consist of the envelope only; the only 5xx statuses are 503 and 504; a valid key is never
 * rejected, unlike a credential that may have been revoked.
 */
export function contractViolation(
  seen: ObservedResponse,
  { mayBeRevoked = false }: { mayBeRevoked?: boolean } = {},
): string | null {
  const { status, body, retryAfter } = seen;
  if (body === undefined) return 'the body is not JSON';
  if (isSuccess(seen)) return null;
  if (status < 400) return 'the response is a redirect';
  if (status === 401 && !mayBeRevoked) return 'a valid key was rejected';
  if (status === 500 || status === 502) return `a ${status}`;
  const violation = envelopeViolation(status, body);
  if (violation) return violation;
  if (status === 503 && !/^[0-9]+$/.test(retryAfter ?? '')) return 'a 503 without Retry-After';
  return null;
}

function envelopeViolation(status: number, body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return 'the body is not an envelope';
  if (Object.keys(body).join() !== 'error') return 'the body is not exactly an envelope';
  const {
    code,
    status: word,
    message,
    details,
  } = (body as { error: Record<string, unknown> }).error;
  const words = status === 409 ? [statusWords[409], ABORTED] : [wordOf(status)];
  if (code !== status) return `the envelope says ${code}`;
  if (!words.includes(word as string)) return `the envelope says ${word}`;
  if (typeof message !== 'string' || message === '') return 'the envelope has no message';
  if (details !== undefined && !Array.isArray(details)) return 'the details are not a list';
  return null;
}

/** The process that responds to a request. `provider` is the payment sandbox. */
export type Owner = ProcessName | 'provider';

/**
 * A request that was not served: 503, 504, a closed connection (`cut`), or no response (`timeout`).
 */
export interface FailedRequest {
  operation: string;
  owner: Owner;
  status: 503 | 504 | 'cut' | 'timeout';
  sentAt: number;
  respondedAt: number;
  /** The id of the request in the logs. Undefined if there was no response. */
  requestId?: string;
}

/** What one of several requests with the same idempotency key and body returned. */
export interface RepeatOutcome {
  status: number;
  /** The ids in the body, joined. */
  ids: string;
}

/** Requests with the same idempotency key and body, in the order of their decisions. */
export interface RepeatedRequest {
  operation: string;
  owner: Owner;
  path: string;
  outcomes: readonly RepeatOutcome[];
  sentAt: number;
  respondedAt: number;
}

/** The time during which a fault and its recovery explain failures of these owners. */
export interface FaultWindow {
  fault: string;
  affects: readonly Owner[];
  beganAt: number;
  recoveredAt: number;
  /**
   * The fault starts with a drain: earlier requests are completed and their connections stay open.
   */
  isGraceful?: boolean;
}

/** After one client observes the recovery, other clients may still hold dead connections. */
const GRACE_MS = 1000;

/** The process may not have read a request that was sent this shortly before a drain. */
const UNREAD_MS = 500;

/**
 * Returns the failures that no fault explains. A request may have started before the fault. A
 * closed connection is always attributed to the gateway. A missing response within the client's
 * timeout is never explained.
 */
export function unexplainedFailures(
  failedRequests: readonly FailedRequest[],
  faultWindows: readonly FaultWindow[],
): FailedRequest[] {
  return failedRequests.filter(({ owner, status, sentAt, respondedAt }) => {
    if (status === 'timeout') return true;
    const responsible = status === 'cut' && owner !== 'provider' ? 'gateway' : owner;
    return !faultWindows.some(
      ({ affects, beganAt, recoveredAt, isGraceful }) =>
        affects.includes(responsible) &&
        sentAt <= recoveredAt + GRACE_MS &&
        respondedAt >= beganAt &&
        !(isGraceful && status === 'cut' && sentAt < beganAt - UNREAD_MS),
    );
  });
}

/**
 * Returns the repeated requests that had a second effect or did not repeat a success. A refusal has
 * no effect and is not stored, so that a success may follow it. After a success every request
 * returns that success. The exception is a fault of the owner between the first request and the
 * last response: a database that fails cannot store the response, the retry is decided again, and
 * another client may have closed the order meanwhile.
 */
export const wrongRepeats = (
  repeats: readonly RepeatedRequest[],
  faultWindows: readonly FaultWindow[],
): RepeatedRequest[] =>
  repeats.filter((repeat) => {
    const { outcomes } = repeat;
    const [success, ...others] = outcomes.filter(isSuccess);
    if (!success) return false;
    if (others.some(({ status, ids }) => status !== success.status || ids !== success.ids))
      return true;
    const isRefusedAfterSuccess = !outcomes.slice(outcomes.indexOf(success)).every(isSuccess);
    return isRefusedAfterSuccess && !isDuringFault(repeat, faultWindows);
  });

const isDuringFault = (
  { owner, sentAt, respondedAt }: RepeatedRequest,
  faultWindows: readonly FaultWindow[],
): boolean =>
  faultWindows.some(
    ({ affects, beganAt, recoveredAt }) =>
      affects.includes(owner) && sentAt <= recoveredAt + GRACE_MS && respondedAt >= beganAt,
  );
