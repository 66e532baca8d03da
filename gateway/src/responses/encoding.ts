import { constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyRequest } from 'fastify';

/** Whether the client prefers a response body compressed with gzip, the only encoding that is supported. */
export const acceptsGzip = ({ headers }: FastifyRequest): boolean =>
  negotiate(headers['accept-encoding']?.toString() ?? '', ['gzip']) === 'gzip';

/** Compresses in the thread pool of libuv, so that the event loop goes on. */
export function compress(body: Buffer, level: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    gzip(body, { level }, (error, compressed) => (error ? reject(error) : resolve(compressed))),
  );
}

/** For responses that are compressed for one client: most of the gain at the least CPU time. */
export const fastCompression = constants.Z_BEST_SPEED;
/** For assets that are compressed once and sent many times. */
export const bestCompression = constants.Z_BEST_COMPRESSION;
