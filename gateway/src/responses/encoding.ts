import { constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyRequest } from 'fastify';

/** Returns whether the client prefers a gzip response. Gzip is the only supported encoding. */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  negotiate(headers['accept-encoding']?.toString() ?? '', ['gzip']) === 'gzip';

/** Compresses in libuv's thread pool, so that the event loop is not blocked. */
export function compress(body: Buffer, level: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    gzip(body, { level }, (error, compressed) => (error ? reject(error) : resolve(compressed))),
  );
}

/** For responses to one client: most of the size reduction for the least CPU time. */
export const fastCompression = constants.Z_BEST_SPEED;
/** For assets that are compressed once and sent many times. */
export const bestCompression = constants.Z_BEST_COMPRESSION;
