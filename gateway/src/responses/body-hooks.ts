import type { FastifyInstance } from 'fastify';
import type { OutputGuard } from '../connections/output.ts';
import { acceptsGzip, compress, fastCompression } from './encoding.ts';
import { sliceBytes, sliced } from './slices.ts';

/** Smaller bodies fit into few packets, and compressing them takes longer than it saves. */
export const minCompressedBytes = 4 * 1024;

/**
 * Compresses bodies above 4 KiB for clients that accept gzip, and sends large bodies in slices that
 * the output guard counts. Both apply to buffers only: handlers send small bodies as strings, which
 * pass at no cost.
 */
export function largeBodies(app: FastifyInstance, output: OutputGuard): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!Buffer.isBuffer(payload) || payload.length <= minCompressedBytes) {
      return done(null, payload);
    }
    reply.header('vary', 'accept-encoding');
    if (!acceptsGzip(request)) return done(null, payload);
    compress(payload, fastCompression).then((compressed) => {
      reply.header('content-encoding', 'gzip');
      reply.removeHeader('content-length');
      done(null, compressed);
    }, done);
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const isLarge = Buffer.isBuffer(payload) && payload.length > sliceBytes;
    if (!isLarge || request.method === 'HEAD') return done(null, payload);
    output.reserve(reply.raw, payload.length);
    reply.header('content-length', payload.length);
    done(null, sliced(payload));
  });
}
