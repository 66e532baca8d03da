import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusAttributes } from '../telemetry/request-metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { continueTrace } from '../telemetry/trace-context.ts';
import { isSampled, runInTrace, type TraceScope } from '../telemetry/trace-scope.ts';
import { lazyChildLogger } from './request-logger.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes that machines poll: their requests would outnumber all others. */
    skipTelemetry?: true;
  }
}

const scopeKey = Symbol('trace');
type TracedMessage = IncomingMessage & { [scopeKey]?: TraceScope };

/** The position of a request in a trace; null when none is kept. */
export const requestTrace = ({ raw }: FastifyRequest): TraceScope | null =>
  (raw as TracedMessage)[scopeKey] ?? null;

/**
 * Measures every request, runs it in a trace, and adds the request id and trace id to each line of
 * its logger. With `trustTraceparent` it continues the trace of the caller. Otherwise it starts a
 * trace, and sets the scope only if the trace is recorded, because setting it is a tenth of the
 * work of a proxy; code that calls other processes for such a request uses `requestTrace`.
 */
export function observeRequests(
  app: FastifyInstance,
  telemetry: Telemetry,
  options: { trustTraceparent: boolean },
): void {
  // The logger of a request is created before its first hook runs, so the trace must exist by then.
  app.setChildLoggerFactory((logger, bindings, _options, raw: TracedMessage) => {
    const traceparent = options.trustTraceparent ? raw.headers.traceparent : undefined;
    const trace = continueTrace(traceparent, telemetry.sampleRatio);
    raw[scopeKey] = { trace, spans: telemetry.spans };
    return lazyChildLogger(logger as FastifyBaseLogger, { ...bindings, traceId: trace.traceId });
  });
  const carry = (request: FastifyRequest, done: () => void) => {
    const scope = requestTrace(request);
    if (options.trustTraceparent || isSampled(scope)) runInTrace(scope, done);
    else done();
  };
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply, telemetry);
    carry(request, done);
  });
  // A body arrives in events of the socket, outside the scope of the request.
  app.addHook('preValidation', (request, _reply, done) => carry(request, done));
}

function observe(request: FastifyRequest, reply: FastifyReply, telemetry: Telemetry): void {
  const { config, url: template } = request.routeOptions;
  if (config.skipTelemetry) return;
  const startedAt = performance.now();
  const method = standardMethods.has(request.method) ? request.method : '_OTHER';
  const route = (!request.is404 && template) || 'unmatched';
  telemetry.requests.begin(method);
  // Fires once, after the response or when the client disconnects; the hook of Fastify misses the
  // latter.
  reply.raw.once('close', () => {
    const durationMs = performance.now() - startedAt;
    const status = reply.raw.writableFinished ? reply.raw.statusCode : undefined;
    telemetry.requests.end({ method, route, status, durationMs });
    const scope = requestTrace(request);
    if (!scope?.trace.sampled) return;
    scope.spans?.record({
      name: `${method} ${route}`,
      kind: 'server',
      trace: scope.trace,
      durationMs,
      failed: status !== undefined && status >= 500,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'url.scheme': 'http',
        'event_api.request_id': request.id,
        ...statusAttributes(status),
      },
    });
  });
}

const standardMethods = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);
