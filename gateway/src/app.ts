import { limits } from '@event-api/contracts/http/fields';
import { mayCall } from '@event-api/contracts/may-call';
import type { Operation } from '@event-api/contracts/operation';
import { processActivity } from '@event-api/platform/core/activity';
import type { Clock } from '@event-api/platform/core/clock';
import {
  type ApiError,
  invalidArgument,
  notFound,
  unauthenticated,
} from '@event-api/platform/core/errors';
import type { Faults } from '@event-api/platform/core/faults';
import { newId } from '@event-api/platform/core/ids';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { auditHooks } from '@event-api/platform/http/audit-hooks';
import { auditRoute } from '@event-api/platform/http/audit-route';
import type { CallerSigner, CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { callError, requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { ReadAfterStore, TokenScope } from '@event-api/platform/messaging/read-after/store';
import type { ReadAfterToken } from '@event-api/platform/messaging/read-after/token';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Agent } from 'undici';
import type { ApiKeyCache } from './api-keys/authenticate.ts';
import { keyOperatorRoutes } from './api-keys/routes.operator.ts';
import type { ApiKeyRecord, Authentication } from './api-keys/rules.ts';
import type { VersionRegistry } from './api-versions/registry.ts';
import { decideVersion } from './api-versions/rules.ts';
import { unitOperatorRoutes } from './business-units/routes.operator.ts';
import { limitConnections } from './connections/limit.ts';
import { guardOutput, type OutputLimits } from './connections/output.ts';
import type { ConnectionLimits } from './connections/rules.ts';
import type { DeviceDeps } from './devices/commands.ts';
import { startDeletingOldDevices } from './devices/delete-old.job.ts';
import { createEventSource } from './devices/fetch-event.ts';
import { deviceOperatorRoutes } from './devices/routes.operator.ts';
import { deviceRoutes } from './devices/routes.ts';
import { limitInFlight } from './fairness/hook.ts';
import type { TurnLimits } from './fairness/rules.ts';
import { guidePaths, guideRoutes } from './guides/routes.ts';
import { notificationPath, notificationRoute } from './payment-notifications/routes.ts';
import { rejectUnsupportedEncodings } from './proxy/body.ts';
import { createNotFoundError } from './proxy/not-found.ts';
import { type ProxyOptions, proxyRoutes } from './proxy/proxy.ts';
import { countHeader, originForm, rejectUnsupportedRequests } from './proxy/request-line.ts';
import { createUpstreamAgent } from './proxy/upstream-request.ts';
import { budgetOf, type DefaultLimits } from './rate-limit/budget.ts';
import { createFailureLimit } from './rate-limit/failures.ts';
import { limitExceeded, rateLimitHeaders } from './rate-limit/http.ts';
import type { RateLimiter } from './rate-limit/limit.ts';
import { openApiRoute } from './reference/openapi.ts';
import { docsRoutes } from './reference/routes.ts';
import { largeBodies } from './responses/body-hooks.ts';
import { scannerRoutes } from './scanner/routes.ts';
import { timeouts } from './timeouts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of a request under `/v1`. */
    apiKey: ApiKeyRecord;
    /** The dated version that applies to this request. */
    apiVersion: string;
    /** The sequences that the services' projections must reach for this caller. */
    readAfterToken: ReadAfterToken | null;
    /** The signed token that names the caller to the services. */
    callerToken: string;
  }
}

export interface GatewayDeps {
  db: Database;
  keys: ApiKeyCache;
  limiter: RateLimiter;
  readAfter: ReadAfterStore;
  signer: CallerSigner;
  callers: CallerVerifier;
  clock: Clock;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
  operations: readonly Operation[];
  upstreams: ProxyOptions['upstreams'] & { catalog: string; commerce: string; onsite: string };
  /** The address of this gateway for scanners. */
  publicUrl: string;
  /** The folder of the built scanner. */
  scannerFolder: string;
  faults: Pick<Faults, 'isDisabled'>;
  upstreamTimeoutMs: number;
  /** How long a request may take to arrive, in milliseconds. The default is the platform's. */
  requestTimeoutMs?: number;
  /** Addresses of trusted proxies whose `X-Forwarded-For` sets the client's address. */
  trustProxy: string[];
  defaultRateLimits: DefaultLimits;
  /** Requests without a valid key per window and address. */
  anonymousRateLimit: number;
  /** Maximum number of payment notifications that commerce verifies at the same time. */
  maxNotificationVerifications: number;
  connectionLimits: ConnectionLimits;
  outputLimits: OutputLimits;
  turnLimits: TurnLimits;
  /** How long a request may wait for its turn, in milliseconds. The default is the gateway's. */
  turnMaxWaitMs?: number;
  versions: VersionRegistry;
}

/** Builds both listeners: the public one for integrators and the internal one for operators. */
export async function buildGateway(
  deps: GatewayDeps,
): Promise<{ api: HttpServer; internal: HttpServer }> {
  const { log, telemetry, checkResponses } = deps;
  const common = { log, telemetry, checkResponses };
  const preRequestHeaders = () => ({
    'request-id': newId('req'),
    'service-version': deps.versions.current,
    ...commonHeaders,
  });

  const api = createHttpServer({
    ...common,
    trustProxy: deps.trustProxy,
    requestTimeoutMs: deps.requestTimeoutMs,
    trustRequestId: false,
    preRequestHeaders,
    rewriteUrl: originForm,
    notFoundError: createNotFoundError(publicRoutes),
  });
  // Before the handler of the framework, which authenticates the request at once.
  api.server.prependListener('request', processActivity.note);
  api.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'request-id': request.id,
      'service-version': deps.versions.current,
      ...commonHeaders,
    });
    done();
  });
  guardConnections(api, deps);
  rejectUnsupportedRequests(api, preRequestHeaders);
  await openApiRoute(api, deps.operations);
  docsRoutes(api);
  guideRoutes(api);
  scannerRoutes(api, deps.scannerFolder);
  const agent = createUpstreamAgent({
    // No request waits for a connection: requests wait for their turn, and notifications have a limit of their own.
    connections: deps.turnLimits.maxInFlight + deps.maxNotificationVerifications,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  // Each request that waits on purpose occupies a connection, which must not delay other requests.
  const waitingAgent = createUpstreamAgent({
    connections: maxWaitingConnections,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  api.addHook('onClose', () => Promise.all([agent.close(), waitingAgent.close()]));
  const agentOf = ({ mayWait }: Operation['config']) => (mayWait ? waitingAgent : agent);
  const devices = { ...deps, events: createEventSource(deps) };
  await api.register(async (keyed) => apiRoutes(keyed, devices, agentOf), { prefix: '/v1' });
  await api.register(async (inner) =>
    notificationRoute(inner, {
      commerceUrl: deps.upstreams.commerce,
      signer: deps.signer,
      limiter: deps.limiter,
      agent,
      metrics: deps.telemetry.metrics,
      clock: deps.clock,
      rateLimit: deps.anonymousRateLimit,
      maxVerifications: deps.maxNotificationVerifications,
      timeoutMs: deps.upstreamTimeoutMs,
    }),
  );

  const internal = createHttpServer({ ...common, trustRequestId: true });
  const idempotency = { db: deps.db, schema: 'gateway' };
  deleteExpiredKeys(internal, { ...idempotency, log, metrics: telemetry.metrics });
  internal.addHook('onClose', startDeletingOldDevices(deps).stop);
  await internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    auditHooks(operator, { db: deps.db, log, metrics: telemetry.metrics });
    registerIdempotency(operator, idempotency);
    auditRoute(operator as unknown as HttpServer, { owner: 'gateway', db: deps.db });
    unitOperatorRoutes(operator, deps.db);
    keyOperatorRoutes(operator, deps);
    deviceOperatorRoutes(operator, devices);
  });
  return { api, internal };
}

/** The most connections to a service for requests that wait on purpose. */
const maxWaitingConnections = 1024;

/** Headers of every response. Only the description of the API is public and replaces `Cache-Control`. */
const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function guardConnections(app: HttpServer, deps: GatewayDeps): void {
  const { connectionLimits, outputLimits, trustProxy, telemetry } = deps;
  const { metrics } = telemetry;
  limitConnections(app.server, { limits: connectionLimits, trustProxy, metrics });
  const output = guardOutput(app.server, { limits: outputLimits, metrics });
  app.addHook('preClose', async () => output.tighten(timeouts.drainStallMs));
  largeBodies(app as unknown as FastifyInstance, output);
}

/** Routes without a key: the description of the API, and the notifications of payment providers. */
const publicRoutes = [
  { method: 'GET', url: '/openapi.json' },
  { method: 'GET', url: '/docs' },
  { method: 'GET', url: '/docs/' },
  { method: 'GET', url: '/docs/js/scalar.js' },
  { method: 'GET', url: '/docs/guides' },
  ...guidePaths.map((url) => ({ method: 'GET', url }) as const),
  { method: 'GET', url: '/scanner' },
  { method: 'GET', url: '/scanner/' },
  { method: 'GET', url: '/scanner/:file' },
  { method: 'GET', url: '/scanner/assets/:file' },
  { method: 'POST', url: notificationPath },
] as const;

/** The steps of a request under `/v1`, from top to bottom. Every error becomes the error envelope. */
function apiRoutes(
  app: FastifyInstance,
  deps: GatewayDeps & DeviceDeps,
  agentOf: (config: Operation['config']) => Agent,
): void {
  const { clock, defaultRateLimits, keys, limiter, readAfter, signer, versions } = deps;

  const failures = createFailureLimit({
    name: 'address',
    limit: deps.anonymousRateLimit,
    limiter,
    clock,
  });

  // The 429 does not contain the limit.
  const rejectUnauthenticated = async ({ ip }: FastifyRequest): Promise<ApiError> => {
    const usage = await failures.count(ip);
    return usage.allowed ? unauthenticated() : limitExceeded(usage.resetSeconds);
  };

  app.decorateRequest('apiKey', null as unknown as ApiKeyRecord);
  app.decorateRequest('apiVersion', '');
  app.decorateRequest('callerToken', '');
  app.decorateRequest('readAfterToken', null);

  const accept = (request: FastifyRequest, reply: FastifyReply, key: ApiKeyRecord): void => {
    request.apiKey = key;
    reply.header('service-version', key.version);
  };

  const admit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    found: Authentication | Promise<Authentication>,
  ): Promise<void> => {
    const authentication = await found;
    if (authentication.outcome === 'throttled') throw limitExceeded(1);
    if (authentication.outcome === 'invalid') throw await rejectUnauthenticated(request);
    accept(request, reply, authentication.key);
  };

  // Hooks that need not wait call `done`: a promise costs more than most of them.
  app.addHook('onRequest', function credential(request, reply, done) {
    const limited = failures.isBlocked(request.ip);
    const found = keys.authenticate(bearerCredential(request), { limited });
    if (found instanceof Promise || found.outcome !== 'valid') return admit(request, reply, found);
    accept(request, reply, found.key);
    done();
  });

  app.addHook('onRequest', async function rateLimit(request, reply) {
    const scope = tokenScope(request);
    const budget = request.routeOptions.config.rateLimitBudget ?? 'default';
    const { subject, limit } = budgetOf(request.apiKey, budget, defaultRateLimits);
    const usage = await limiter.consume(subject, limit, readAfter.keysOf(scope));
    reply.headers(rateLimitHeaders(budget, usage, clock));
    if (!usage.allowed) throw limitExceeded(usage.resetSeconds);
    request.readAfterToken = readAfter.merge(scope, usage.readAfterFields);
  });

  app.addHook('onRequest', function version(request, reply, done) {
    const { apiKey, headers } = request;
    const requested = headers['service-version'];
    const decision = decideVersion(requested?.toString(), apiKey.version, versions.supported);
    if (decision.outcome === 'unknown_version') throw unknownVersion(versions.supported);
    request.apiVersion = decision.version;
    reply.header('service-version', decision.version);
    done();
  });

  const notFoundError = createNotFoundError(deps.operations);
  // A hook, because handlers run after body parsing: the body of an unknown path would be rejected first.
  app.addHook('onRequest', function pathAndMethod(request, _reply, done) {
    done(request.is404 ? notFoundError(request.url) : undefined);
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });

  // The service decides again, and also by the body.
  app.addHook('onRequest', function permission(request, _reply, done) {
    const { access, businessUnitId } = request.apiKey;
    if (access === null) return done();
    const caller = { issuer: 'gateway', businessUnitId, ...access };
    const { url = '', config } = request.routeOptions;
    const called = { url, config: { ...config, audience: config.audience ?? ('api' as const) } };
    const decision = mayCall(caller, called, request.params as Record<string, string>);
    done(callError(decision) ?? undefined);
  });

  app.addHook('preParsing', function bodyType(request, _reply, _payload, done) {
    rejectUnsupportedEncodings(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    // The proxy would serialize an empty buffer as a JSON object.
    (_request, body, done) => done(null, body.length === 0 ? undefined : body),
  );

  app.addHook('preHandler', function caller(request, _reply, done) {
    const { id: keyId, businessUnitId, defaultCurrency, access, deviceId } = request.apiKey;
    const token = signer.sign({
      audience: 'api',
      businessUnitId,
      defaultCurrency,
      keyId,
      actor: deviceId === null ? { type: 'key', id: keyId } : { type: 'device', id: deviceId },
      ...access,
    });
    const use = (signed: string): void => {
      request.callerToken = signed;
    };
    if (token instanceof Promise) return token.then(use);
    use(token);
    done();
  });

  limitInFlight(app, {
    limits: deps.turnLimits,
    metrics: deps.telemetry.metrics,
    maxWaitMs: deps.turnMaxWaitMs ?? timeouts.turnMaxWaitMs,
  });

  proxyRoutes(app, {
    operations: deps.operations.filter(({ config }) => config.owner !== 'gateway'),
    upstreams: deps.upstreams,
    agentOf,
    versions,
    saveToken: (request, token) => readAfter.save(tokenScope(request), token),
    metrics: deps.telemetry.metrics,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  app.register(async (own) => deviceRoutes(own as unknown as HttpServer, deps));
}

/**
 * Returns the credential of a request. A request with two credentials has none, because a proxy may have used the other
 * one.
 */
const bearerCredential = ({ headers, raw }: FastifyRequest): string | undefined =>
  countHeader(raw, 'authorization') === 1 ? headers.authorization : undefined;

const tokenScope = ({ apiKey, params }: FastifyRequest): TokenScope => ({
  businessUnitId: apiKey.businessUnitId,
  eventId: (params as { eventId?: string } | null)?.eventId ?? null,
});

function unknownVersion(supported: readonly string[]): ApiError {
  const issue = `must be one of the supported versions: ${supported.join(', ')}`;
  return invalidArgument([{ field: 'Service-Version', issue, code: 'unknown_version' }]);
}
