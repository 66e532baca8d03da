import type { CallerSigner } from '@event-api/platform/callers';
import { ApiError, unavailable } from '@event-api/platform/errors';
import { traceOf } from '@event-api/platform/telemetry/observe-requests';
import { howAnswered, openSpan } from '@event-api/platform/telemetry/trace-scope';
import type { FastifyInstance } from 'fastify';
import { type Agent, request as ask } from 'undici';
import { readWhole } from '../proxy/body.ts';
import { responseHeaders } from '../proxy/headers.ts';
import { servicePath } from '../proxy/path.ts';
import { networkOf } from '../rate-limit/address.ts';
import type { RateLimiter } from '../rate-limit/limit.ts';

/** Where payment providers tell of payments; it is no part of the API, and needs no key. */
export const notificationPath = '/payments/notifications/:provider';

const maxBytes = 256 * 1024;

/** What of a notification goes on: its bytes are judged by their signature, so they stay as they are. */
const forwarded = ['content-type', 'content-encoding', 'stripe-signature', 'sandbox-signature'];

/**
 * Hands a provider's notification on to commerce, byte by byte.
 * Errors: 413 over 256 KiB; 429 by address; 503 when commerce is away.
 */
export function notificationRoute(
  app: FastifyInstance,
  deps: {
    commerceUrl: string;
    signer: CallerSigner;
    limiter: RateLimiter;
    agent: Agent;
    rateLimit: number;
    timeoutMs: number;
  },
): void {
  const { commerceUrl, signer, limiter, agent, rateLimit, timeoutMs } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (_request, body, done) => done(null, body),
  );
  app.addHook('onRequest', async ({ ip }) => {
    const usage = await limiter.count(`address:${networkOf(ip)}`, rateLimit);
    if (usage.allowed) return;
    const headers = { 'retry-after': String(usage.resetSeconds) };
    throw new ApiError(429, 'Rate limit exceeded', { headers });
  });
  app.post(notificationPath, async (request, reply) => {
    const { provider } = request.params as { provider: string };
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const given = Object.entries(request.headers).filter(([name]) => forwarded.includes(name));
    const path = servicePath(notificationPath, { provider });
    const span = openSpan(
      {
        name: `POST ${notificationPath}`,
        kind: 'client',
        attributes: {
          'http.request.method': 'POST',
          'url.template': notificationPath,
          'service.peer.name': 'commerce',
        },
      },
      traceOf(request),
    );
    try {
      const answer = await ask(new URL(path, commerceUrl), {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/octet-stream',
          ...(Object.fromEntries(given) as Record<string, string>),
          'x-caller': await signer.sign({ audience: 'notification' }),
          'x-request-id': request.id,
          ...(span.traceparent && { traceparent: span.traceparent }),
        },
        body,
      });
      const text = (await readWhole(answer.body, timeoutMs)).toString();
      span.end(howAnswered(answer.statusCode));
      if (answer.statusCode === 401) throw new Error('commerce does not believe this gateway');
      return reply
        .code(answer.statusCode)
        .headers(responseHeaders(answer.headers))
        .type('application/json')
        .send(text);
    } catch (error) {
      span.end({ failed: true, attributes: { 'error.type': 'unreachable' } });
      throw unavailable(error);
    }
  });
}
