import { cellPath } from '@event-api/contracts/cells';
import { claimOperations } from '@event-api/contracts/http/operations';
import { notificationPath } from '@event-api/contracts/internal/notifications';
import type { Operation } from '@event-api/contracts/operation';
import { newId } from '@event-api/platform/core/ids';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { auditHooks } from '@event-api/platform/http/audit-hooks';
import { auditRoute } from '@event-api/platform/http/audit-route';
import type { CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Agent } from 'undici';
import { keyOperatorRoutes } from './api-keys/api-keys.routes.operator.ts';
import { unitOperatorRoutes } from './business-units/business-units.routes.operator.ts';
import { claimRoutes, maxClaimsInFlight } from './claims/claims.routes.ts';
import { claimPreflights } from './claims/other-origins.ts';
import { clientPackagePath, clientPackageRoute } from './client-package/client-package.routes.ts';
import type { ConnectionLimits } from './connections/connections.rules.ts';
import { limitConnections } from './connections/limit.ts';
import { guardOutput, type OutputLimits } from './connections/output.ts';
import { startDeletingOldDevices } from './devices/delete-old.job.ts';
import type { DeviceDeps } from './devices/devices.commands.ts';
import { deviceOperatorRoutes } from './devices/devices.routes.operator.ts';
import { deviceRoutes } from './devices/devices.routes.ts';
import { createEventSource } from './devices/fetch-event.ts';
import { docsPaths, docsRoutes } from './docs/docs.routes.ts';
import { openApiRoute } from './docs/openapi.ts';
import type { TurnLimits } from './fairness/fairness.rules.ts';
import { limitInFlight } from './fairness/hook.ts';
import type { KeyClaims } from './idempotency/claims.ts';
import { claimKeys } from './idempotency/hooks.ts';
import { notificationRoute } from './payment-notifications/payment-notifications.routes.ts';
import { createNotFoundError } from './proxy/not-found.ts';
import { type ProxyOptions, proxyRoutes } from './proxy/proxy.ts';
import { createOriginForm, rejectUnsupportedRequests } from './proxy/request-line.ts';
import { createUpstreamAgent } from './proxy/upstream-request.ts';
import { type RequestStepDeps, requestSteps, tokenScope } from './request-steps.ts';
import { largeBodies } from './responses/body-hooks.ts';
import { scannerRoutes } from './scanner/scanner.routes.ts';
import { timeouts } from './timeouts.ts';
import { startReportingUsage } from './unit-usage/report.job.ts';
import type { SharedUsage } from './unit-usage/shared-usage.ts';
import { unitUsageRoutes } from './unit-usage/unit-usage.routes.operator.ts';
import { createUsageCounter } from './unit-usage/unit-usage.rules.ts';

export interface GatewayDeps extends Omit<RequestStepDeps, 'usageCounter'> {
  claims: KeyClaims;
  usage: SharedUsage;
  db: Database;
  callers: CallerVerifier;
  log: Logger;
  telemetry: Telemetry;
  checkResponses: boolean;
  upstreams: ProxyOptions['upstreams'] & { catalog: string; commerce: string; onsite: string };
  /** The address of this gateway for scanners. */
  publicUrl: string;
  /** The folder of the built scanner. */
  scannerFolder: string;
  /** The file of the built client library. */
  clientPackage: string;
  upstreamTimeoutMs: number;
  /** How long a request may take to arrive, in milliseconds. The default is the platform's. */
  requestTimeoutMs?: number;
  /** Addresses of trusted proxies whose `X-Forwarded-For` sets the client's address. */
  trustProxy: string[];
  /** Maximum number of payment notifications that commerce verifies at the same time. */
  maxNotificationVerifications: number;
  connectionLimits: ConnectionLimits;
  outputLimits: OutputLimits;
  turnLimits: TurnLimits;
  /** How long a request may wait for its turn, in milliseconds. The default is the gateway's. */
  turnMaxWaitMs?: number;
  /** Interval of reports of the usage of units, in milliseconds. The default is the gateway's. */
  usageReportIntervalMs?: number;
}

/** Builds both listeners: the public one for integrators and the internal one for operators. */
export async function buildGateway(
  deps: GatewayDeps,
): Promise<{ api: HttpServer; internal: HttpServer }> {
  const { log, telemetry, checkResponses } = deps;
  const common = { log, telemetry, checkResponses };
  const commonHeaders = headersOf(deps.publicUrl);
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
    rewriteUrl: createOriginForm(deps.cell),
    notFoundError: createNotFoundError(publicRoutes),
  });
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
  const place = { cell: deps.cell, publicUrl: deps.publicUrl };
  await openApiRoute(api, deps.operations, place);
  docsRoutes(api, deps.operations, cellPath(deps.cell));
  scannerRoutes(api, { folder: deps.scannerFolder, basePath: cellPath(deps.cell) });
  clientPackageRoute(api, deps.clientPackage);
  const agent = createUpstreamAgent({
    // No request waits for a connection: requests wait for their turn, and notifications have a
    // limit of their own.
    connections: deps.turnLimits.maxInFlight + deps.maxNotificationVerifications,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  // Each request that waits on purpose occupies a connection, which must not delay other requests.
  const waitingAgent = createUpstreamAgent({
    connections: maxWaitingConnections,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  const claimAgent = createUpstreamAgent({
    connections: maxClaimsInFlight,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  const agents = [agent, waitingAgent, claimAgent];
  api.addHook('onClose', () => Promise.all(agents.map((each) => each.close())));
  const agentOf = ({ mayWait }: Operation['config']) => (mayWait ? waitingAgent : agent);
  const usageCounter = createUsageCounter();
  const devices = { ...deps, usageCounter, events: createEventSource(deps) };
  await api.register(async (keyed) => apiRoutes(keyed, devices, agentOf), { prefix: '/v1' });
  await api.register(async (claims) => claimPreflights(claims), { prefix: '/v1' });
  await api.register(async (claims) => claimRoutes(claims, { ...deps, agent: claimAgent }), {
    prefix: '/v1',
  });
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
  const reporting = startReportingUsage({
    ...deps,
    counter: usageCounter,
    metrics: telemetry.metrics,
    intervalMs: deps.usageReportIntervalMs ?? timeouts.usageReportIntervalMs,
  });
  internal.addHook('onClose', reporting.stop);
  await internal.register(async (operator) => {
    requireCaller(operator, deps.callers);
    auditHooks(operator, { db: deps.db, log, metrics: telemetry.metrics });
    registerIdempotency(operator, idempotency);
    auditRoute(operator, { owner: 'gateway', db: deps.db });
    unitUsageRoutes(operator, deps);
    unitOperatorRoutes(operator, deps);
    keyOperatorRoutes(operator, deps);
    deviceOperatorRoutes(operator, devices);
  });
  return { api, internal };
}

/** The most connections to a service for requests that wait on purpose. */
const maxWaitingConnections = 1024;

/**
 * Headers of every response. Only the description of the API is public and replaces
 * `Cache-Control`. Clients that have reached the public address by HTTPS use nothing else for a
 * year.
 */
const headersOf = (publicUrl: string): Record<string, string> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
});

function guardConnections(app: HttpServer, deps: GatewayDeps): void {
  const { connectionLimits, outputLimits, trustProxy, telemetry } = deps;
  const { metrics } = telemetry;
  limitConnections(app.server, { limits: connectionLimits, trustProxy, metrics });
  const output = guardOutput(app.server, { limits: outputLimits, metrics });
  app.addHook('preClose', async () => output.tighten(timeouts.drainStallMs));
  largeBodies(app, output);
}

/** Routes without a key: the description of the API, and the notifications of payment providers. */
const publicRoutes = [
  { method: 'GET', url: '/openapi.json' },
  ...docsPaths.map((url) => ({ method: 'GET', url }) as const),
  { method: 'GET', url: clientPackagePath },
  { method: 'GET', url: '/scanner' },
  { method: 'GET', url: '/scanner/' },
  { method: 'GET', url: '/scanner/:file' },
  { method: 'GET', url: '/scanner/assets/:file' },
  { method: 'POST', url: notificationPath },
] as const;

/** The routes under `/v1`. Every error becomes the error envelope. */
function apiRoutes(
  app: FastifyInstance,
  deps: GatewayDeps & RequestStepDeps & DeviceDeps,
  agentOf: (config: Operation['config']) => Agent,
): void {
  requestSteps(app, deps);
  claimKeys(app, deps.claims);
  limitInFlight(app, {
    limits: deps.turnLimits,
    metrics: deps.telemetry.metrics,
    maxWaitMs: deps.turnMaxWaitMs ?? timeouts.turnMaxWaitMs,
  });
  proxyRoutes(app, {
    operations: deps.operations.filter(
      (each) => each.config.owner !== 'gateway' && !claimOperations.includes(each),
    ),
    upstreams: deps.upstreams,
    agentOf,
    versions: deps.versions,
    saveToken: (request, token) => deps.readAfter.save(tokenScope(request), token),
    metrics: deps.telemetry.metrics,
    log: deps.log,
    timeoutMs: deps.upstreamTimeoutMs,
  });
  app.register(async (own) => deviceRoutes(own, deps));
}
