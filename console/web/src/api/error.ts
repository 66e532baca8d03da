import type { ErrorDetail, ErrorEnvelope } from '@event-api/contracts/http/envelope';

/** A response with an error, or no response at all (status 0, `UNREACHABLE`). */
export class ApiError extends Error {
  readonly code: number;
  /** The stable word of the envelope, such as `FAILED_PRECONDITION`. */
  readonly status: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** What was called: the path of an API operation, or the name of a command. */
  readonly operation: string;

  constructor(options: {
    code: number;
    status: string;
    message: string;
    details?: readonly ErrorDetail[];
    requestId?: string | null;
    retryAfterSeconds?: number | null;
    operation: string;
  }) {
    super(options.message);
    this.code = options.code;
    this.status = options.status;
    this.details = options.details ?? [];
    this.requestId = options.requestId ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.operation = options.operation;
  }

  /** The business rule of a 412. */
  get reason(): string | undefined {
    return this.details[0]?.reason;
  }

  /** Whether the part that was called is down. It may be back later. */
  get isUnavailable(): boolean {
    return [0, 502, 503, 504].includes(this.code);
  }

  /**
   * Whether a write may have taken effect all the same: it is repeated with the same idempotency
   * key.
   */
  get isUncertain(): boolean {
    return this.isUnavailable || this.code === 500 || this.code === 408;
  }

  /**
   * Whether a retry gets the same response: the role does not permit it, or the record does not
   * exist.
   */
  get isFinal(): boolean {
    return [403, 404].includes(this.code);
  }
}

export const unreachable = (operation: string): ApiError =>
  new ApiError({ code: 0, status: 'UNREACHABLE', message: '', operation });

/**
 * After how many milliseconds a read that the rate limit has refused succeeds; null for every other
 * error. The page shows the error until then, and goes on by itself.
 */
export const limitedMs = (error: Error | null): number | null =>
  error instanceof ApiError && error.code === 429 ? (error.retryAfterSeconds ?? 5) * 1000 : null;

/** Reads the envelope of an error response. A body that is no envelope leaves the message empty. */
export async function errorOf(response: Response, operation: string): Promise<ApiError> {
  const envelope = (await response.json().catch(() => null)) as ErrorEnvelope | null;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError({
    code: response.status,
    status: envelope?.error?.status ?? 'INTERNAL',
    message: envelope?.error?.message ?? '',
    details: envelope?.error?.details ?? [],
    requestId: response.headers.get('request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    operation,
  });
}

/**
 * The device has created no passkey: the person has cancelled it, or the device has one of this
 * account already.
 */
export class NoPasskeyCreated extends Error {}
