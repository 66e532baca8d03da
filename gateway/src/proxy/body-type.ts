import { ApiError } from '@event-api/platform/core/errors';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses bodies that no service would read as they were meant: packed ones, and JSON in any letters
 * but UTF-8. Errors: 415.
 */
export async function requireJsonBody({ headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new ApiError(415, 'The body must not be compressed');
  }
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset && charset.toLowerCase() !== 'utf-8') {
    throw new ApiError(415, 'The body must be UTF-8');
  }
}
