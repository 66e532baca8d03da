import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, envelope, internal, invalidArgument, notFound } from '../core/errors.ts';
import { apiErrorFromDatabase } from '../db/errors.ts';
import { nameMissingRecord } from './missing-record.ts';
import { nameFieldsAsSent } from './sent-names.ts';

/**
 * Converts any thrown value to the error that a client may see. An unexpected error becomes a 500
 * without details, because its message could contain a secret.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const fromDatabase = apiErrorFromDatabase(error);
  if (fromDatabase) return fromDatabase;
  const { code } = error as Partial<FastifyError>;
  return (typeof code === 'string' && frameworkErrors[code]?.(error)) || internal(error);
}

const invalidJsonBody = () =>
  invalidArgument([{ field: 'body', issue: 'is not valid JSON', code: 'invalid_json' }]);

/** The errors of Fastify itself, by code. */
const frameworkErrors: Record<string, (cause: unknown) => ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new ApiError(413, 'The body is larger than 1 MiB', { headers: { connection: 'close' } }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError(415, 'The body must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalidArgument([
      { field: 'Content-Length', issue: 'does not match the body', code: 'invalid_value' },
    ]),
  FST_ERR_CTP_EMPTY_JSON_BODY: invalidJsonBody,
  FST_ERR_CTP_INVALID_JSON_BODY: invalidJsonBody,
  FST_ERR_BAD_URL: () => notFound(),
  FST_ERR_MAX_PARAM_LENGTH: () => notFound(),
  FST_ERR_ASYNC_CONSTRAINT: () => notFound(),
  FST_ERR_ROUTE_REWRITE_NOT_STR: () => notFound(),
  FST_ERR_NOT_FOUND: () => notFound(),
};

/**
 * A client whose connection is closed during an upload may never read the error. Bodies up to this
 * size are therefore read and discarded after the 413. For larger bodies, or without
 * Content-Length, the connection is closed.
 */
const maxDiscardedBodyBytes = 8 * 1024 * 1024;

/** A read has no effect, so its 504 does not mention one. */
function forMethod(error: ApiError, method: string): ApiError {
  const isRead = method === 'GET' || method === 'HEAD';
  if (error.code !== 504 || !isRead) return error;
  return new ApiError(504, 'No response in time, please try again', {
    cause: error.cause,
    details: error.details,
  });
}

/** Writes every error response. A 5xx is logged with its cause, a 4xx is not. */
export function errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const found = nameFieldsAsSent(nameMissingRecord(toApiError(error), request), request);
  const apiError = forMethod(found, request.method);
  if (apiError.code === 500)
    request.log.error({ err: apiError.cause ?? error }, 'unexpected error');
  else if (apiError.code > 500)
    request.log.warn({ err: apiError.cause ?? apiError }, 'unavailable');
  reply.code(apiError.code).headers(apiError.headers);
  const isSmall = Number(request.headers['content-length']) <= maxDiscardedBodyBytes;
  if (apiError.code === 413 && isSmall) reply.removeHeader('connection');
  reply
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(envelope(apiError));
}
