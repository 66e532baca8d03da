import { causeChain, sqlState } from '../core/error-reason.ts';
import { type ApiError, deadlineExceeded, internal, unavailable } from '../core/errors.ts';

/** A failure that a retry of the whole transaction may resolve. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

/** A cached plan no longer fits the table: the connection must be closed. */
export const isStalePlan = (error: unknown): boolean => sqlState(error) === '0A000';

/** The connection broke or could not be opened in time. It cannot be used again. */
export function isLostConnection(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return /^(08|57P)/.test(state);
  return causeChain(error).some(
    ({ code, message }) => systemErrors.has(String(code)) || lostConnection.test(message),
  );
}

/**
 * Whether a failed statement may have taken effect: the connection broke or became unresponsive
 * after the statement was sent. An error from the server means that it was rolled back. A
 * connection that was never opened sent nothing.
 */
export function isCommitUnknown(error: unknown): boolean {
  if (!isLostConnection(error) || sqlState(error) === '57P03') return false;
  return !causeChain(error).some(
    ({ code, message }) => code === 'ECONNREFUSED' || neverConnected.test(message),
  );
}

/** The server has not responded in time, or the network has lost what it sent. */
export const isUnresponsive = (error: unknown): boolean =>
  causeChain(error).some(({ message }) => unresponsive.test(message));

const unresponsive = /query read timeout/i;

/** The violated unique constraint, or null for any other error. */
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

/** A request waited for a free connection in vain. The database itself may respond. */
export const isPoolExhausted = (error: unknown): boolean =>
  causeChain(error).some(({ message }) => neverConnected.test(message));

const neverConnected = /timeout exceeded when trying to connect/i;

const lostConnection =
  /connection terminated|timeout (exceeded when trying to connect|expired)|query read timeout|connection ended|not queryable/i;

/**
 * The API error of a database failure: 503 if the database is unavailable or busy, 504 if a
 * statement exceeded its time limit, 500 for a value that validation should have rejected. Null for
 * other errors.
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
