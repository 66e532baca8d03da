import { limits } from '@event-api/contracts/http/fields';
import type { Operation } from '@event-api/contracts/operation';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySerializerCompiler,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { systemClock } from '../core/clock.ts';
import type { ApiError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { httpTimeouts } from '../core/timeouts.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { clientError, writeToSocket } from './client-error.ts';
import { errorHandler } from './error-handler.ts';
import { registerJsonParser } from './json-parser.ts';
import { missingRoute } from './missing-route.ts';
import { newRequestId } from './request-id.ts';
import { observeRequests } from './request-telemetry.ts';
import { rejectUnknownFields } from './strict-routes.ts';
import { validatorCompiler } from './validation.ts';

export type HttpServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<Operation['config']> {}
}

export interface HttpServerOptions {
  log: Logger;
  /**
   * Validates each response against its schema: for tests and development. It costs CPU time in
   * production.
   */
  checkResponses: boolean;
  /**
   * Accepts the request id and the trace of the caller; only for listeners behind an authenticated
   * process.
   */
  trustRequestId: boolean;
  /** The telemetry of requests; by default none. */
  telemetry?: Telemetry;
  /** Headers of responses that are sent before there is a request. */
  preRequestHeaders?: () => Record<string, string>;
  /** The proxies whose `X-Forwarded-For` is trusted; by default none. */
  trustProxy?: string[];
  /** Returns the URL by which a request is routed. */
  rewriteUrl?: (request: import('node:http').IncomingMessage) => string;
  /** The error of a request without a route; by default 404. */
  notFoundError?: (url: string) => ApiError;
  /** The time-out for receiving a request. */
  requestTimeoutMs?: number;
}

/**
 * Creates a Fastify server whose every response, including its own errors, is JSON of the API or
 * its error envelope.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const requestTimeout = options.requestTimeoutMs ?? httpTimeouts.requestMs;
  const loggerInstance: FastifyBaseLogger = options.log;
  const app: HttpServer = fastify({
    loggerInstance,
    genReqId: (request) => {
      const requestId = options.trustRequestId ? request.headers['x-request-id'] : undefined;
      return typeof requestId === 'string' && /^req_[0-9a-z]{26}$/.test(requestId)
        ? requestId
        : newRequestId(systemClock.now());
    },
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    bodyLimit: limits.bodyBytes,
    requestTimeout,
    ...(options.trustRequestId && { keepAliveTimeout: httpTimeouts.keepAliveMs }),
    // A longer path parameter is an id that does not exist, not a different error.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: options.trustProxy?.length ? options.trustProxy : false,
    return503OnClosing: false,
    frameworkErrors: errorHandler,
    http: {
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      // With its longer default it would exceed the time-out of the whole request.
      headersTimeout: requestTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(httpTimeouts.requestCheckIntervalMs, requestTimeout),
    },
    ...(options.rewriteUrl && { rewriteUrl: options.rewriteUrl }),
    clientErrorHandler: (error, socket) =>
      writeToSocket(socket, clientError(error.code), options.preRequestHeaders?.() ?? {}),
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler(options.checkResponses));
  // First, so that requests rejected by a later hook are measured, too.
  if (options.telemetry) {
    const trustTraceparent = options.trustRequestId;
    observeRequests(app, options.telemetry, { trustTraceparent });
  }
  registerJsonParser(app);
  rejectUnknownFields(app);
  app.setErrorHandler(errorHandler);
  app.setNotFoundHandler((request) => {
    throw options.notFoundError?.(request.url) ?? missingRoute();
  });
  return app;
}

const serializerCompiler =
  (checkResponses: boolean): FastifySerializerCompiler<unknown> =>
  ({ schema }) =>
    checkResponses ? validatingSerializer(schema as z.ZodType) : JSON.stringify;

function validatingSerializer(schema: z.ZodType): (value: unknown) => string {
  return (value) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new Error(`response violates its contract: ${parsed.error.message}`);
    return JSON.stringify(value);
  };
}
