import {
  maxNotificationBytes,
  notificationPath,
  unitNotificationPath,
  verifiedSignatureHeader,
} from '@event-api/contracts/internal/notifications';
import type { Clock } from '@event-api/platform/core/clock';
import { unavailable } from '@event-api/platform/core/errors';
import type { CallerSigner } from '@event-api/platform/http/caller-tokens';
import { requestTrace } from '@event-api/platform/http/request-telemetry';
import { createServicePath } from '@event-api/platform/http/service-path';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { openSpan, responseAttributes } from '@event-api/platform/telemetry/trace-scope';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent, Dispatcher } from 'undici';
import { readBody } from '../proxy/body.ts';
import { createSlots } from '../proxy/read-slots.ts';
import { createRequester, type ServiceResponse } from '../proxy/service-response.ts';
import { responseHeaders } from '../proxy/upstream-request.ts';
import { createAddressBudget } from '../rate-limit/address-budget.ts';
import { createFailureLimit } from '../rate-limit/failures.ts';
import { limitExceeded } from '../rate-limit/http.ts';
import type { RateLimiter } from '../rate-limit/limit.ts';

/**
 * Maximum number of queued notifications per concurrent verification. Each occupies up to
 * `maxNotificationBytes`.
 */
const maxWaitingPerVerification = 4;

/**
 * Notifications per second that commerce verifies for an address over its limit of bad signatures.
 * Other accounts of a payment provider can send bad signatures from its addresses, so its genuine
 * notifications must still pass. Twice the average rate of the limit.
 */
const limitedVerificationsPerSecond = 20;

/** 400: commerce rejects the notification, because its signature is wrong or it cannot be read. */
const rejected = 400;

/**
 * Forwarded headers. The body is forwarded unchanged, because its signature covers the exact bytes.
 */
const forwarded = ['content-type', 'content-encoding', 'stripe-signature', 'sandbox-signature'];

interface NotificationRoute {
  url: string;
  pathOf: ReturnType<typeof createServicePath>;
}

interface ForwardedResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  hasVerifiedSignature: boolean;
}

/**
 * Forwards a provider's notification to commerce, byte by byte. Errors: 413 over 256 KiB; 429 for
 * an address over its limit of bad signatures that sends more than 20 notifications per second, and
 * while too many notifications are queued; 503 when commerce is unavailable.
 */
export function notificationRoute(
  app: FastifyInstance,
  deps: {
    commerceUrl: string;
    signer: CallerSigner;
    limiter: RateLimiter;
    agent: Agent;
    metrics: Metrics;
    clock: Clock;
    /** Bad signatures per window and address. */
    rateLimit: number;
    maxVerifications: number;
    timeoutMs: number;
  },
): void {
  const { commerceUrl, signer, limiter, agent, clock, rateLimit, timeoutMs } = deps;
  const countRejected = deps.metrics.counter('gateway.notifications.refused');
  // Counters start at zero, so that the first rejection is an increase.
  for (const reason of ['signature', 'rate_limit', 'busy']) countRejected({ reason }, 0);
  const failures = createFailureLimit({ name: 'notification', limit: rateLimit, limiter, clock });
  const limitedVerifications = createAddressBudget(limitedVerificationsPerSecond, () =>
    performance.now(),
  );
  const verifications = createSlots(deps.maxVerifications);
  const paths = [notificationPath, unitNotificationPath].map((url) => ({
    url,
    pathOf: createServicePath(url),
  }));
  const { origin } = new URL(commerceUrl);
  const requester = createRequester(agent);
  const send = (options: Dispatcher.DispatchOptions) =>
    new Promise<ServiceResponse>((resolve, reject) =>
      requester.request(options, (error, response) =>
        response ? resolve(response) : reject(error),
      ),
    );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxNotificationBytes },
    (_request, body, done) => done(null, body),
  );
  app.addHook('onRequest', async ({ ip }) => {
    if (!failures.isBlocked(ip) || limitedVerifications.take(ip)) return;
    countRejected({ reason: 'rate_limit' });
    throw limitExceeded(1);
  });
  for (const path of paths) app.post(path.url, (request, reply) => receive(path, request, reply));

  async function receive(path: NotificationRoute, request: FastifyRequest, reply: FastifyReply) {
    if (verifications.waiting() >= deps.maxVerifications * maxWaitingPerVerification) {
      countRejected({ reason: 'busy' });
      throw limitExceeded(1);
    }
    const release = await verifications.take();
    const { status, headers, text, hasVerifiedSignature } = await forward(path, request).finally(
      release,
    );
    if (status === rejected && !hasVerifiedSignature) {
      countRejected({ reason: 'signature' });
      await failures.count(request.ip);
    }
    return reply.code(status).headers(headers).type('application/json').send(text);
  }

  async function forward(
    { url, pathOf }: NotificationRoute,
    request: FastifyRequest,
  ): Promise<ForwardedResponse> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const forwardedHeaders = Object.entries(request.headers).filter(([name]) =>
      forwarded.includes(name),
    );
    const path = pathOf(request.params as Record<string, string>);
    const span = openSpan(
      {
        name: `POST ${url}`,
        kind: 'client',
        attributes: {
          'http.request.method': 'POST',
          'url.template': url,
          'service.peer.name': 'commerce',
        },
      },
      requestTrace(request),
    );
    try {
      const response = await send({
        origin,
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          ...(Object.fromEntries(forwardedHeaders) as Record<string, string>),
          'x-caller': await signer.sign({
            audience: 'notification',
            actor: { type: 'system', id: 'gateway' },
          }),
          'x-request-id': request.id,
          ...(span.traceparent && { traceparent: span.traceparent }),
        },
        body,
      });
      const text = (await readBody(response.body, timeoutMs)).toString();
      span.received(response.headers);
      span.end(responseAttributes(response.statusCode));
      if (response.statusCode === 401)
        throw new Error('commerce rejects the caller token of this gateway');
      return {
        status: response.statusCode,
        headers: responseHeaders(response.headers, {}),
        text,
        hasVerifiedSignature: response.headers[verifiedSignatureHeader] === 'true',
      };
    } catch (error) {
      span.end({ failed: true, attributes: { 'error.type': 'unreachable' } });
      throw unavailable(error);
    }
  }
}
