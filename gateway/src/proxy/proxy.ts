import { unknownClaimHeader } from '@event-api/contracts/internal/claims';
import type { Operation, OperationConfig, Owner } from '@event-api/contracts/operation';
import { ApiError, deadlineExceeded, unavailable } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import { requestTrace } from '@event-api/platform/http/request-telemetry';
import { createServicePath } from '@event-api/platform/http/service-path';
import {
  formatReadAfter,
  parseReadAfter,
  type ReadAfterToken,
  readAfterHeader,
} from '@event-api/platform/messaging/read-after/token';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import {
  type OpenSpan,
  openSpan,
  responseAttributes,
} from '@event-api/platform/telemetry/trace-scope';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from 'undici';
import { type OperationTranslation, translateBody } from '../api-versions/change.ts';
import type { VersionRegistry } from '../api-versions/registry.ts';
import { invalidClaimToken } from '../errors.ts';
import { minCompressedBytes } from '../responses/body-hooks.ts';
import { sliceBytes } from '../responses/slices.ts';
import { type BodySource, readBody } from './body.ts';
import { type Breaker, createBreakers } from './breaker.ts';
import { createSlots, type Slots } from './read-slots.ts';
import { createRequester, type ServiceResponse } from './service-response.ts';
import { requestHeaders, responseHeaders } from './upstream-request.ts';

export interface ProxyOptions {
  operations: readonly Operation[];
  /** Base URL of each owner's public listener. */
  upstreams: Partial<Record<Owner, string>>;
  /** The connections to a service. */
  agentOf: (config: OperationConfig) => Agent;
  versions: VersionRegistry;
  /** Saves the read-after token of a response before the response is sent. */
  saveToken: (request: FastifyRequest, token: ReadAfterToken) => Promise<void>;
  metrics: Metrics;
  log: Logger;
  /** Timeout for the headers and then for the body of a response, in milliseconds. */
  timeoutMs: number;
}

/**
 * Maximum number of concurrent reads of large bodies per service. It limits the memory of a burst
 * of large pages.
 */
const largeReadsPerOwner = 2;

/** Registers one route per operation. There is no catch-all route. */
export function proxyRoutes(app: FastifyInstance, options: ProxyOptions): void {
  const { versions, agentOf } = options;
  const countFailure = options.metrics.counter('gateway.upstream.failures');
  const breakerOf = createBreakers(options.log, options.timeoutMs);
  const slotsByOwner = new Map<Owner, Slots>();
  for (const { method, url, config } of options.operations) {
    const readSlots = slotsByOwner.get(config.owner) ?? createSlots(largeReadsPerOwner);
    slotsByOwner.set(config.owner, readSlots);
    const upstream = options.upstreams[config.owner];
    if (!upstream) throw new Error(`no address is configured for ${config.owner}`);
    const pathOf = createServicePath(url);
    app.register(httpProxy, {
      upstream,
      routes: [url.slice(app.prefix.length)],
      httpMethods: [method],
      config,
      undici: createRequester(agentOf(config)),
      destroyAgent: false,
      disableCache: true,
      disableRequestLogging: true,
      internalRewriteLocationHeader: false,
      rewritePrefix: app.prefix,
      preRewrite: (_url: string, params: Record<string, string>) => pathOf(params),
      retryMethods: [],
      // The gateway counts and buffers bodies in its own parser.
      proxyPayloads: false,
      handler: (request: FastifyRequest, reply: FastifyReply, path: string) =>
        forward(request, reply, path, {
          config,
          template: url,
          translation: versions.translationFor(request.apiVersion, config.operationId),
          timeoutMs: options.timeoutMs,
          readSlots,
          breaker: breakerOf(method, config),
          saveToken: options.saveToken,
          onFailure: (kind) => countFailure({ owner: config.owner, kind }),
        }),
    } as Parameters<typeof httpProxy>[1]);
  }
}

interface Forwarding {
  config: OperationConfig;
  /** The path template. */
  template: string;
  saveToken: ProxyOptions['saveToken'];
  translation: OperationTranslation;
  timeoutMs: number;
  readSlots: Slots;
  breaker: Breaker;
  onFailure: (kind: FailureKind) => void;
}

type FailureKind = 'unreachable' | 'timeout' | 'rejected' | 'unauthenticated' | 'unusable';

function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  forwarding: Forwarding,
): void {
  const { breaker, onFailure } = forwarding;
  const sentAt = breaker.enter();
  if (sentAt === null) {
    onFailure('rejected');
    reply.send(unavailable(new Error('the service does not respond')));
    return;
  }
  const { body: requestBody } = request as { body?: Buffer };
  const body = requestBody?.length
    ? translateBody(requestBody, forwarding.translation.request)
    : undefined;
  const span = spanOf(request, forwarding);
  reply.from(path, {
    // Node leaves out the body of a response to HEAD.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    ...(body && { body, contentType: 'application/json' }),
    rewriteRequestHeaders: (_raw, headers) =>
      requestHeaders(
        headers,
        {
          caller: request.callerToken,
          requestId: request.id,
          traceparent: span.traceparent,
          readAfter: request.readAfterToken ? formatReadAfter(request.readAfterToken) : undefined,
        },
        forwarding.config,
      ),
    rewriteHeaders: () => {
      breaker.responded();
      // The proxy then drops the response without another call.
      if (request.raw.aborted) endAbandoned(request, span);
      // Headers are set once the response is valid, so that those of an invalid response never
      // accompany its error.
      return {};
    },
    onResponse: (_request, _reply, response) =>
      void sendResponse(request, reply, response as never, { ...forwarding, span }),
    onError: (_reply, { error }) => {
      const apiError = toApiError(error);
      const kind = apiError.code === 504 ? 'timeout' : 'unreachable';
      if (kind === 'timeout') breaker.timedOut(sentAt);
      else breaker.responded();
      onFailure(kind);
      span.end({ failed: true, attributes: { 'error.type': kind } });
      reply.send(apiError);
    },
  });
}

/** Ends a request whose client disconnected before its service responded. */
function endAbandoned(request: FastifyRequest, span: OpenSpan): void {
  span.end({ failed: true });
  request.releaseTurn?.();
}

/** Opens the client span of a request to a service. It ends when the response is complete. */
const spanOf = (request: FastifyRequest, { config: { owner }, template }: Forwarding): OpenSpan =>
  openSpan(
    {
      name: `${request.method} ${template}`,
      kind: 'client',
      attributes: {
        'http.request.method': request.method,
        'url.template': template,
        'service.peer.name': owner,
      },
    },
    requestTrace(request),
  );

/** A response as the proxy passes it on, which names the body `stream`. */
type ProxiedResponse = Omit<ServiceResponse, 'body'> & { stream: BodySource };

async function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ProxiedResponse,
  {
    config,
    translation,
    timeoutMs,
    readSlots,
    saveToken,
    onFailure,
    span,
  }: Forwarding & { span: OpenSpan },
): Promise<void> {
  try {
    const bytes = Number(response.headers['content-length'] ?? 0);
    const isAbandoned = () => hasLeft(request);
    const large = bytes > sliceBytes ? { bytes, slots: readSlots, isAbandoned } : undefined;
    const body = await readBody(response.stream, timeoutMs, large);
    span.received(response.headers);
    span.end(responseAttributes(response.statusCode));
    if (response.headers[unknownClaimHeader] !== undefined) {
      reply.send(invalidClaimToken());
      return;
    }
    if (response.statusCode === 401)
      throw new Error('a service rejects the caller token of this gateway');
    if (response.statusCode === 304 && config.hasEtag) {
      reply.headers(responseHeaders(response.headers, config)).send();
      return;
    }
    const type = response.headers['content-type'] ?? '';
    const isFile = response.statusCode < 300 && (config.files?.includes(type) ?? false);
    if (!isFile && !type.startsWith('application/json'))
      throw new Error('the response is not JSON');
    const token = parseReadAfter(response.headers[readAfterHeader]);
    if (token) await saveToken(request, token);
    if (isFile) {
      reply.headers(responseHeaders(response.headers, config)).send(body);
      return;
    }
    const translated = response.statusCode < 300 ? translateBody(body, translation.response) : body;
    // Fastify sends a string and the headers in one write, which is faster for small bodies. Large
    // bodies stay buffers.
    const isSmall = translated.length <= minCompressedBytes;
    reply
      .headers(responseHeaders(response.headers, config))
      .send(isSmall ? translated.toString() : translated);
  } catch (error) {
    const apiError = toApiError(error);
    const unusable = response.statusCode === 401 ? 'unauthenticated' : 'unusable';
    if (hasLeft(request)) {
      span.end({ failed: true });
      reply.send(apiError);
      return;
    }
    onFailure(apiError.code === 504 ? 'timeout' : unusable);
    span.end({ failed: true, attributes: { 'error.type': unusable } });
    request.log.error({ err: error }, 'service response rejected');
    reply.send(apiError);
  }
}

/**
 * Returns whether the connection is closed. A response that waits behind a pipelined one is not
 * noticed.
 */
const hasLeft = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/**
 * Maps every failure to a fixed message, because a driver's message may contain an internal
 * address.
 */
function toApiError(error: unknown): ApiError {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof ApiError) return e;
    if (timeouts.has(String((e as { code?: unknown }).code))) return deadlineExceeded(error);
  }
  return unavailable(error);
}
