import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, notFound } from '../core/errors.ts';

const header = 'x-missing-route';

/**
 * The 404 of a path that a server does not have. Callers can tell it from that of a missing record.
 */
export function missingRoute(): ApiError {
  const { message } = notFound();
  return new ApiError(404, message, { headers: { [header]: '1' } });
}

/**
 * Whether a response says that the server does not have the operation. An older release may lack
 * it.
 */
export const isMissingRoute = (statusCode: number, headers: IncomingHttpHeaders): boolean =>
  statusCode === 404 && headers[header] !== undefined;
