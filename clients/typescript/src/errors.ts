import type { ErrorDetail, Error as ErrorEnvelope } from './generated/types.gen.ts';

/**
 * The API rejected the request, or could not serve it. Decide by `status`, `reason` and the `code`
 * of a detail; the message is for people and may change.
 */
export class EventApiError extends Error {
  override readonly name = 'EventApiError';
  /** The HTTP status. 304 if `If-None-Match` names the present state. */
  readonly httpStatus: number;
  /**
   * For example `NOT_FOUND`; null if the response is not one of the API, for example of a proxy.
   */
  readonly status: string | null;
  /** What is wrong, one entry per field of a 400. */
  readonly details: readonly ErrorDetail[];
  /** The business rule of a 412, for example `SOLD_OUT`. */
  readonly reason: string | null;
  /** The first field that is wrong, for example `items[0].quantity`. */
  readonly field: string | null;
  /** Quote it in a report. */
  readonly requestId: string | null;

  constructor(response: Response, body: unknown) {
    const envelope = isEnvelope(body) ? body.error : null;
    super(envelope?.message ?? `the response has the status ${response.status}`);
    this.httpStatus = response.status;
    this.status = envelope?.status ?? null;
    this.details = envelope?.details ?? [];
    this.reason = this.details[0]?.reason ?? null;
    this.field = this.details.find(({ field }) => field !== undefined)?.field ?? null;
    this.requestId = response.headers.get('Request-Id');
  }
}

const isEnvelope = (body: unknown): body is ErrorEnvelope =>
  typeof (body as Partial<ErrorEnvelope> | null)?.error?.message === 'string';

/**
 * No response of the API arrived, after all retries. A write that is not retried may have taken effect: read
 * the record. `cause` is the last failure.
 */
export class EventApiConnectionError extends Error {
  override readonly name = 'EventApiConnectionError';

  constructor(cause: unknown) {
    super('no response from the API', { cause });
  }
}
