import type { FastifyReply } from 'fastify';

/**
 * Sends a file instead of the JSON that a route has by its type. No cache keeps it: it has personal
 * data.
 */
export const sendFile = (
  reply: Pick<FastifyReply, 'headers' | 'send'>,
  headers: Record<string, string>,
  file: Buffer,
): never =>
  (reply as FastifyReply)
    .headers({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    .send(file) as never;
