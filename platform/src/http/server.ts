import { limits } from '@event-api/contracts/http/fields';
import type { Operation } from '@event-api/contracts/operation';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchemaCompiler,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { systemClock } from '../core/clock.ts';
import { type ApiError, notFound } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { clientError, writeToSocket } from './client-error.ts';
import { errorHandler } from './error-handler.ts';
import { registerJsonParser } from './json-parser.ts';
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
  /** Checks each answer against its schema: for tests and development. Costs CPU in production. */
  checkResponses: boolean;
  /** Takes the request id and the trace from the caller; only for listeners that an authenticated process asks. */
  trustRequestId: boolean;
  /** Where requests are measured and traced; nowhere by default. */
  telemetry?: Telemetry;
  /** Headers of answers that are given before there is a request. */
  preRequestHeaders?: () => Record<string, string>;
  /** Whose `X-Forwarded-For` says where a request comes from; by default nobody's. */
  trustProxy?: string[];
  /** What a request is routed by, from what its request line says. */
  rewriteUrl?: (request: import('node:http').IncomingMessage) => string;
  /** What a request that no route takes is answered; by default 404. */
  notFoundError?: (url: string) => ApiError;
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number;
}

/**
 * How long other processes are told that they may keep a connection which they do not use. They let go of it two seconds
 * earlier, so that a drain can wait for that: nobody then sends a request on a connection that is being closed.
 */
const insideKeepAliveMs = 3000;

/** A Fastify whose every answer, its own refusals included, is the API's JSON or error envelope. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const requestTimeout = options.requestTimeoutMs ?? 15_000;
  const app = fastify({
    loggerInstance: options.log,
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
    ...(options.trustRequestId && { keepAliveTimeout: insideKeepAliveMs }),
    // A longer path parameter is an id that does not exist, not an error of its own.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: options.trustProxy?.length ? options.trustProxy : false,
    return503OnClosing: false,
    frameworkErrors: errorHandler,
    http: {
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      // Left at its longer default it would change places with the limit of the whole request.
      headersTimeout: requestTimeout,
      requestTimeout,
      // Node looks for requests that are out of time every 30 seconds unless told otherwise.
      connectionsCheckingInterval: Math.min(1000, requestTimeout),
    },
    ...(options.rewriteUrl && { rewriteUrl: options.rewriteUrl }),
    clientErrorHandler: (error, socket) =>
      writeToSocket(socket, clientError(error.code), options.preRequestHeaders?.() ?? {}),
  }).withTypeProvider<ZodTypeProvider>();
  // First, so that whatever a later hook refuses is measured, too.
  if (options.telemetry) {
    const trustTraceparent = options.trustRequestId;
    observeRequests(app as unknown as FastifyInstance, options.telemetry, { trustTraceparent });
  }
  registerJsonParser(app as unknown as FastifyInstance);
  app.setValidatorCompiler(validatorCompiler as FastifySchemaCompiler<unknown>);
  rejectUnknownFields(app as unknown as FastifyInstance);
  app.setSerializerCompiler(({ schema }) =>
    options.checkResponses ? validatingSerializer(schema as z.ZodType) : JSON.stringify,
  );
  app.setErrorHandler(errorHandler);
  app.setNotFoundHandler((request) => {
    throw options.notFoundError?.(request.url) ?? notFound();
  });
  return app as unknown as HttpServer;
}

function validatingSerializer(schema: z.ZodType): (value: unknown) => string {
  return (value) => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw new Error(`answer breaks its contract: ${parsed.error.message}`);
    return JSON.stringify(value);
  };
}
