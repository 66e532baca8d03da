import { causeChain, sqlState } from '../core/error-reason.ts';
import { type ApiError, deadlineExceeded, internal, unavailable } from '../core/errors.ts';

/** A failure that a repeat of the whole transaction may cure. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

/** A cached plan no longer fits the table: the connection has to go. */
export const isStalePlan = (error: unknown): boolean => sqlState(error) === '0A000';

/** The connection broke, or could not be made in time: it is of no more use. */
export function isLostConnection(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(08|57P)/.test(state);
  return causeChain(error).some(
    ({ code, message }) => systemErrors.has(String(code)) || lostConnection.test(message),
  );
}

/**
 * Whether a statement may have done its work although it failed: the connection broke, or went silent, after it was
 * sent. An error of the server's own says that it was undone, and a connection that was never made sent nothing.
 */
export function isCommitUnknown(error: unknown): boolean {
  if (!isLostConnection(error) || sqlState(error) === '57P03') return false;
  return !causeChain(error).some(
    ({ code, message }) => code === 'ECONNREFUSED' || neverConnected.test(message),
  );
}

/** The unique constraint that a row broke, or null for any other error. */
export function violatedUniqueConstraint(error: unknown): string | null {
  if (sqlState(error) !== '23505') return null;
  const { constraint } = error as { constraint?: unknown };
  return typeof constraint === 'string' ? constraint : '';
}

const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const neverConnected = /timeout exceeded when trying to connect/i;

const lostConnection =
  /connection terminated|timeout (exceeded when trying to connect|expired)|query read timeout|connection ended|not queryable/i;

/**
 * What a database's failure means to a caller: 503 when it is away or busy, 504 when a statement
 * took too long, 500 for a value that our own checks should have refused. Null for other errors.
 */
export function apiErrorFromDatabase(error: unknown): ApiError | null {
  if (isLostConnection(error)) return unavailable(error);
  const state = sqlState(error);
  if (state === null) return null;
  if (state === '57014') return deadlineExceeded(error);
  if (/^53/.test(state) || ['40001', '40P01', '55P03', '25006', '55000', '0A000'].includes(state)) {
    return unavailable(error);
  }
  return internal(error);
}
