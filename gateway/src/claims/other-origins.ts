import { claimOperations } from '@event-api/contracts/http/operations';
import type { FastifyInstance } from 'fastify';
import { timeouts } from '../timeouts.ts';

/** Claims of pages of any origin are accepted, and the responses readable. */
const allowedOrigin = { 'access-control-allow-origin': '*' };

/** What the client library sends. */
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, Service-Version';

/** What a page may read in addition to the content type. */
const responseHeaders =
  'Request-Id, Service-Version, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/**
 * Responds to the preflights of claims, which have no token. Nothing is looked up for them, so they
 * count towards no limit but those of connections.
 */
export function claimPreflights(app: FastifyInstance): void {
  const methods = Map.groupBy(claimOperations, ({ url }) => url.replace(/^\/v1/, ''));
  for (const [url, operations] of methods) {
    const headers = {
      ...allowedOrigin,
      'access-control-allow-methods': operations.map(({ method }) => method).join(', '),
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(timeouts.preflightSeconds),
    };
    app.options(url, (_request, reply) => reply.code(204).headers(headers).send());
  }
}

/**
 * Lets pages of other origins read the responses of claims, errors included. A claim has its token
 * in a header that only its page can set, and browsers add no credential of their own, so a page
 * can do nothing here that its server could not. Must be called before the hooks that can reject.
 */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', function otherOrigins(_request, reply, done) {
    reply.headers({ ...allowedOrigin, 'access-control-expose-headers': responseHeaders });
    done();
  });
}
