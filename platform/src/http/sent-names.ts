import type { FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';

const canonical = 'registrationTypeId';
const synonym = 'ticketTypeId';

/**
 * The error with the name of the field that the client has sent: requests take `ticketTypeId` as a
 * synonym of `registrationTypeId`, and rules know only the latter.
 */
export function nameFieldsAsSent(error: ApiError, request: FastifyRequest): ApiError {
  const { details } = error;
  if (!details?.some(isCanonical)) return error;
  const parts = [request.sentBody ?? request.body, request.query];
  if (!parts.some(hasOnlySynonym)) return error;
  const message = error.message.replace(new RegExp(`^${canonical}(?= )`), synonym);
  const renamed = details.map((each) => (isCanonical(each) ? { ...each, field: synonym } : each));
  const { status, headers, cause, missing } = error;
  return new ApiError(error.code, message, { status, headers, cause, missing, details: renamed });
}

const isCanonical = (detail: object): boolean => 'field' in detail && detail.field === canonical;

function hasOnlySynonym(part: unknown): boolean {
  const fields = (typeof part === 'object' && part !== null ? part : {}) as Record<string, unknown>;
  return (fields[synonym] ?? null) !== null && (fields[canonical] ?? null) === null;
}
