import { hash } from 'node:crypto';
import { matchesEtag } from '@event-api/platform/http/etag';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip, bestCompression, compress } from './encoding.ts';
import { sliced } from './slices.ts';

export interface StaticAsset {
  contentType: string;
  identity: Representation;
  gzip: Representation;
}

interface Representation {
  body: Buffer;
  etag: string;
}

/** Browsers and proxies may reuse an asset for five minutes without revalidation. */
const fiveMinutes = 'public, max-age=300';

/** Compresses `content` once. All responses share the two buffers. */
export async function createStaticAsset(
  contentType: string,
  content: string | Buffer,
): Promise<StaticAsset> {
  const body = Buffer.from(content);
  const digest = hash('sha256', body, 'base64url').slice(0, 22);
  return {
    contentType,
    identity: { body, etag: `"${digest}"` },
    gzip: { body: await compress(body, bestCompression), etag: `"${digest}-gzip"` },
  };
}

/** Sends the representation that the client prefers, or a 304 when the client has it. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, identity, gzip }: StaticAsset,
  cacheControl = fiveMinutes,
): FastifyReply {
  const isCompressed = acceptsGzip(request);
  const { body, etag } = isCompressed ? gzip : identity;
  reply.headers({ 'cache-control': cacheControl, etag, vary: 'accept-encoding' });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (isCompressed) reply.header('content-encoding', 'gzip');
  return reply.type(contentType).header('content-length', body.length).send(sliced(body));
}
