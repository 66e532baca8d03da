import {
  ABORTED,
  type ErrorCode,
  type PreconditionReason,
  preconditionReasons,
  statusWords,
} from '@event-api/contracts/errors';
import type { ErrorDetail, ErrorEnvelope, FieldIssue } from '@event-api/contracts/http/envelope';

/** The kinds of records that an operator command can name by id. */
export type RecordKind =
  | 'businessUnit'
  | 'key'
  | 'event'
  | 'ticketType'
  | 'addon'
  | 'perk'
  | 'taxRate'
  | 'redemptionCode'
  | 'registration'
  | 'order'
  | 'venue'
  | 'session'
  | 'speaker'
  | 'exhibitor'
  | 'operator'
  | 'device'
  | 'invitation';

/** An error response. Its fields are public; causes are only logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: string;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Additional response headers, in lower case. */
  readonly headers: Record<string, string>;
  /**
   * The record that a 404 did not find. Only operators see it; integrators get the same 404 for
   * every record.
   */
  readonly missing: RecordKind | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: readonly ErrorDetail[];
      headers?: Record<string, string>;
      status?: string;
      cause?: unknown;
      missing?: RecordKind | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? statusWords[code];
    this.details = options.details;
    this.headers = options.headers ?? {};
    this.missing = options.missing;
  }
}

/** The body of an error response. */
export function envelope(error: ApiError): ErrorEnvelope {
  const { code, status, message, details } = error;
  return {
    error: details ? { code, status, message, details: [...details] } : { code, status, message },
  };
}

const maxIssues = 50;

/** 400 with the invalid fields, at most 50. */
export function invalidArgument(issues: readonly FieldIssue[], message?: string): ApiError {
  const [first] = issues;
  const text = message ?? (first ? `${first.field} ${first.issue}` : 'The request is malformed');
  return new ApiError(400, text, { details: issues.slice(0, maxIssues) });
}

/** 400 for a status transition that does not exist. */
export const invalidTransition = (from: string, to: string): ApiError =>
  invalidArgument([
    { field: 'status', issue: `cannot change from ${from} to ${to}`, code: 'invalid_transition' },
  ]);

/** Of the permissions one would be enough. */
export interface MissingPermission {
  permissions: readonly string[];
  /** The groups of keys that have it. */
  groups: readonly string[];
  keyGroups: readonly string[];
}

/**
 * 403. It depends on the operation and the caller, never on a record. Without `missing` it is not a
 * group that the credential lacks.
 */
export const permissionDenied = (missing?: MissingPermission): ApiError =>
  new ApiError(
    403,
    'The credential does not have the permission for this operation',
    missing && {
      details: [
        {
          permissions: [...missing.permissions],
          groups: [...missing.groups],
          keyGroups: [...missing.keyGroups],
        },
      ],
    },
  );

/** 404. It is the same for a missing record and for a record of another business unit. */
export const notFound = (missing?: RecordKind): ApiError =>
  new ApiError(404, 'Not found', { missing });

/** Rethrows a 404 of another service with the kind of record that was not found. */
export const rethrowMissing =
  (kind: RecordKind) =>
  (error: unknown): never => {
    throw error instanceof ApiError && error.code === 404 ? notFound(kind) : error;
  };

/**
 * 404 for an id or a code in a body, with its field, of a record that the event or the order in the
 * path has to have. It is the same for a missing record and one of another business unit.
 */
export function referenceNotFound(field: string, owner: 'event' | 'order' = 'event'): ApiError {
  const issue = `does not match a record ${owner === 'event' ? 'in this event' : 'of this order'}`;
  return new ApiError(404, `${field} ${issue}`, { details: [{ field, issue, code: 'not_found' }] });
}

/** 401. It is the same for every credential that could be one of this deployment. */
export const unauthenticated = (message = 'A valid API key is required'): ApiError =>
  new ApiError(401, message, { headers: { 'www-authenticate': 'Bearer' } });

/**
 * 412 for a business rule, with its stable reason. `more` adds details; `message` replaces the
 * general one.
 */
export const preconditionFailed = (
  reason: PreconditionReason,
  more: object = {},
  message: string = preconditionReasons[reason],
): ApiError => new ApiError(412, message, { details: [{ reason, ...more }] });

/** 409, with `detail` on the existing record. */
export const alreadyExists = (message: string, detail?: ErrorDetail): ApiError =>
  new ApiError(409, message, detail ? { details: [detail] } : {});

/** 409 while the same operation is in progress. */
export const aborted = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(409, message, {
    status: ABORTED,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** 503: a dependency is unavailable; the client may retry. */
export const unavailable = (cause?: unknown, retryAfterSeconds = 1): ApiError =>
  new ApiError(503, 'Temporarily unavailable, please try again', {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  });

/** 504: the time limit was exceeded. */
export const deadlineExceeded = (cause?: unknown): ApiError =>
  new ApiError(504, 'No response in time; the request may have taken effect', { cause });

/** 500 without details; the cause is logged. */
export const internal = (cause?: unknown): ApiError =>
  new ApiError(500, 'Internal error', { cause });
