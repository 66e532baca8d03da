import { ABORTED, type ErrorCode, statusWords } from '@event-api/contracts/errors';

/** An answer as a client has seen it; `body` is undefined where it was no JSON. */
export interface ObservedResponse {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/** Whether the request has been decided: repeating it would only say so again. */
export const isDefinite = ({ status, body }: ObservedResponse): boolean =>
  status < 500 && status !== 429 && !(status === 409 && wordIn(body) === ABORTED);

const wordOf = (status: number): string | undefined => statusWords[status as ErrorCode];

/** The stable word of an error envelope. */
export const wordIn = (body: unknown): string | undefined =>
  (body as { error?: { status?: string } } | undefined)?.error?.status;

/**
 * What is wrong with an answer whatever was asked and whatever is away; null when nothing is. Errors are the
 * envelope and nothing beside it; of the 5xx there are 503 and 504; a valid key is never refused.
 */
export function contractViolation(seen: ObservedResponse): string | null {
  const { status, body, retryAfter } = seen;
  if (body === undefined) return 'it is no JSON';
  if (status < 300) return null;
  if (status < 400) return 'it is a redirect';
  if (status === 401) return 'a valid key was refused';
  if (status === 500 || status === 502) return `a ${status}`;
  const flaw = flawOfEnvelope(status, body);
  if (flaw) return flaw;
  if (status === 503 && !/^[0-9]+$/.test(retryAfter ?? '')) return 'a 503 without Retry-After';
  return null;
}

function flawOfEnvelope(status: number, body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return 'no envelope';
  if (Object.keys(body).join() !== 'error') return 'more or less than an envelope';
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
  if (details !== undefined && !Array.isArray(details)) return 'the details are no list';
  return null;
}

/** Who has to answer a request. `provider` is the payment sandbox. */
export type Owner = 'gateway' | 'catalog' | 'registration' | 'commerce' | 'onsite' | 'provider';

/** A request that was not served: a 503, a 504, or a connection that was closed (`cut`). */
export interface Refusal {
  operation: string;
  owner: Owner;
  status: 503 | 504 | 'cut' | 'silence';
  sentAt: number;
  respondedAt: number;
}

/** The time in which a fault, and the recovery from it, excuses those owners. */
export interface FaultWindow {
  fault: string;
  affects: readonly Owner[];
  beganAt: number;
  recoveredAt: number;
  /** It began with a drain: what was sent before is answered, and its connection not closed. */
  isGraceful?: boolean;
}

/** After a recovery was seen by one client, others may still hold connections that are dead. */
const GRACE_MS = 1000;

/** What was sent so shortly before a drain may not have been read yet. */
const UNREAD_MS = 500;

/**
 * The refusals that no fault excuses. A request may have begun before its fault. A closed connection is the
 * gateway's doing, whoever was to answer; no answer at all, within the client's patience, is nobody's right.
 */
export function unexplainedFailures(
  refusals: readonly Refusal[],
  seasons: readonly FaultWindow[],
): Refusal[] {
  return refusals.filter(({ owner, status, sentAt, respondedAt }) => {
    if (status === 'silence') return true;
    const culprit = status === 'cut' && owner !== 'provider' ? 'gateway' : owner;
    return !seasons.some(
      ({ affects, beganAt, recoveredAt, isGraceful }) =>
        affects.includes(culprit) &&
        sentAt <= recoveredAt + GRACE_MS &&
        respondedAt >= beganAt &&
        !(isGraceful && status === 'cut' && sentAt < beganAt - UNREAD_MS),
    );
  });
}
