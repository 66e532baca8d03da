import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isNotable } from '../telemetry/kept-traces.rules.ts';
import { statusAttributes } from '../telemetry/request-metrics.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { traceparentOf, traceresponseHeader } from '../telemetry/trace-context.ts';
import { endTrace, runInTrace, type TraceScope } from '../telemetry/trace-scope.ts';
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
 * trace, and sets the scope only if the trace is sampled, because setting it is a tenth of the work
 * of a proxy; code that calls other processes for such a request uses `requestTrace`.
 *
 * A trace that is not sampled is exported nevertheless if the request fails or is slow. The caller
 * is told by `traceresponse`, and exports its spans as well.
 */
export function observeRequests(
  app: FastifyInstance,
  telemetry: Telemetry,
  options: { trustTraceparent: boolean },
): void {
  // The logger of a request is created before its first hook runs, so the trace must exist by then.
  app.setChildLoggerFactory((logger, bindings, _options, raw: TracedMessage) => {
    const traceparent = options.trustTraceparent ? raw.headers.traceparent : undefined;
    const scope = telemetry.openTrace(traceparent);
    raw[scopeKey] = scope;
    const { traceId } = scope.trace;
    return lazyChildLogger(logger as FastifyBaseLogger, { ...bindings, traceId });
  });
  const carry = (request: FastifyRequest, done: () => void) => {
    const scope = requestTrace(request);
    if (options.trustTraceparent || scope?.trace.sampled) runInTrace(scope, done);
    else done();
  };
  app.addHook('onRequest', (request, reply, done) => {
    observe(request, reply, telemetry);
    if (options.trustTraceparent) announceKeptTrace(request, reply);
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
    const scope = requestTrace(request);
    const mayWait = config.mayWait === true;
    const isExported =
      scope !== null && endTrace(scope, isNotable({ method, status, durationMs, mayWait }));
    const trace = isExported ? scope.trace : null;
    telemetry.requests.end({ method, route, status, durationMs, trace });
    if (!trace) return;
    scope?.spans?.record({
      name: `${method} ${route}`,
      kind: 'server',
      trace,
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

/** Tells the caller that the trace is exported although it is not sampled. */
function announceKeptTrace(request: FastifyRequest, reply: FastifyReply): void {
  const { trace, held } = requestTrace(request) ?? {};
  if (!trace || !held) return;
  held.onExport = () => {
    if (reply.raw.headersSent) return;
    reply.header(traceresponseHeader, traceparentOf({ ...trace, sampled: true }));
  };
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
