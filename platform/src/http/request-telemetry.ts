import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { statusAttributes } from '../telemetry/request-metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { continueTrace } from '../telemetry/trace-context.ts';
import { isSampled, runInTrace, type TraceScope } from '../telemetry/trace-scope.ts';
import { lazyChildLogger } from './request-logger.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For what machines ask all the time: it would drown everything else. */
    skipTelemetry?: true;
  }
}

const scopeKey = Symbol('trace');
type TracedMessage = IncomingMessage & { [scopeKey]?: TraceScope };

/** Where a request stands in a trace; null where none are kept. */
export const requestTrace = ({ raw }: FastifyRequest): TraceScope | null =>
  (raw as TracedMessage)[scopeKey] ?? null;

/**
 * Measures every request, gives it a place in a trace, in which all runs that it starts, and writes request
 * id and trace id into each line of its logger. With `trustTraceparent` the trace is the caller's. Without, it begins
 * here, and what runs is told of it only if it is recorded, since that is a tenth of all that a proxy does: whoever
 * asks others on behalf of such a request says so itself (`traceOf`).
 */
export function observeRequests(
  app: FastifyInstance,
  telemetry: Telemetry,
  options: { trustTraceparent: boolean },
): void {
  // A request's logger is made before its first hook runs, so its trace has to be there by then.
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
  // A body arrives as events of its socket, which know nothing of the request's place.
  app.addHook('preValidation', (request, _reply, done) => carry(request, done));
}

function observe(request: FastifyRequest, reply: FastifyReply, telemetry: Telemetry): void {
  const { config, url: template } = request.routeOptions;
  if (config.skipTelemetry) return;
  const startedAt = performance.now();
  const method = standardMethods.has(request.method) ? request.method : '_OTHER';
  const route = (!request.is404 && template) || 'unmatched';
  telemetry.requests.begin(method);
  // Comes once, whether the answer was sent or its client has gone; Fastify's own hook misses the latter.
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
