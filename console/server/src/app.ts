import type { Cell } from '@event-api/contracts/cells';
import { notFound } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import { auditHooks } from '@event-api/platform/http/audit-hooks';
import { auditRoute } from '@event-api/platform/http/audit-route';
import type { CallerSigner, CallerVerifier } from '@event-api/platform/http/caller-tokens';
import { deleteExpiredKeys } from '@event-api/platform/http/idempotency/cleanup';
import { registerIdempotency } from '@event-api/platform/http/idempotency/hooks';
import { requireCaller } from '@event-api/platform/http/require-caller';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { ReadAfterStore } from '@event-api/platform/messaging/read-after/store';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { auditLogRoutes } from './audit-log/audit-log.routes.ts';
import { securityHeaders } from './browser/headers.ts';
import { requireOrigin } from './browser/require-origin.ts';
import { startCleanup } from './cleanup/cleanup.job.ts';
import { commandRoutes } from './commands/commands.routes.ts';
import { exportRoutes } from './exports/exports.routes.ts';
import { platformRoutes, requireMember, unitRoutes } from './forwarding/forwarding.routes.ts';
import { createRecordRefusal } from './forwarding/record-refusal.ts';
import { invitationOperatorRoutes } from './invitations/invitations.routes.operator.ts';
import { invitationRoutes } from './invitations/invitations.routes.ts';
import { liveRoutes } from './live/live.routes.ts';
import { createShareRead } from './live/shared-reads.ts';
import { createLiveEvents } from './live/watch.ts';
import { memberOperatorRoutes } from './members/members.routes.operator.ts';
import { detectHang } from './owners/detect-hang.ts';
import type { ReadReadiness } from './owners/readiness.ts';
import { type SendRequest, withOwnOperations } from './owners/send.ts';
import { messageRoutes } from './parts/messages.routes.ts';
import { partRoutes } from './parts/parts.routes.ts';
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/passkeys.routes.ts';
import type { RateLimit } from './rate-limit/rate-limit.ts';
import { observeSessions } from './sessions/metrics.job.ts';
import { createSignInObserver } from './sessions/observe-sign-in.ts';
import { requireSession } from './sessions/require-session.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { decideCookies } from './sessions/sessions.rules.ts';
import type { IdentityProvider } from './sign-in/oidc.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { createUnits, type Units } from './units/units.ts';
import { webFiles } from './web/files.ts';

export interface ConsoleDeps {
  db: Database;
  log: Logger;
  telemetry: Telemetry;
  signer: CallerSigner;
  callers: CallerVerifier;
  readAfter: ReadAfterStore;
  rateLimit: RateLimit;
  /** Requests per minute of a session, and of an address without a session. */
  limits: { session: number; address: number };
  /** Sends requests to the other processes. */
  send: SendRequest;
  /** Whether another process accepts requests, and what it does not reach. */
  readReadiness: ReadReadiness;
  /** Null without one: operators sign in with passkeys. */
  identityProvider: IdentityProvider | null;
  label: string;
  hasDemo: boolean;
  consoleUrl: string;
  /** The address of the gateway in a browser, if it is known. */
  gatewayUrl: string | null;
  /** The cell of this deployment. */
  cell: Cell;
  webFolder: string;
  trustProxy: string[];
  checkResponses: boolean;
  /** Interval of heartbeats of a live stream, and of checks of its session and role. */
  liveHeartbeatMs?: number;
  /** From when on a read of another process is slow. */
  slowReadMs?: number;
}

/** Builds both listeners: the one for browsers, and the internal one for operator commands. */
export async function buildConsole(
  deps: ConsoleDeps,
): Promise<{ api: HttpServer; internal: HttpServer }> {
  const { signer } = deps;
  const sendToOthers = detectHang(deps);
  const units = createUnits({ send: sendToOthers, db: deps.db });
  const internal = buildInternal(deps, units);
  const send = withOwnOperations(sendToOthers, { signer, own: internal });
  return { api: await buildBrowserListener({ ...deps, send }, units), internal };
}

function buildInternal(deps: ConsoleDeps, units: Units): HttpServer {
  const { db, log, telemetry, checkResponses, callers } = deps;
  const internal = createHttpServer({ log, telemetry, checkResponses, trustRequestId: true });
  const idempotency = { db, schema: 'console' };
  deleteExpiredKeys(internal, { ...idempotency, log, metrics: telemetry.metrics });
  const cleanup = startCleanup({ db, log });
  internal.addHook('onClose', cleanup.stop);
  const sessions = observeSessions({ db, log, metrics: telemetry.metrics });
  internal.addHook('onClose', sessions.stop);
  // In a scope of its own: health and metrics, which `listen` adds, need no caller.
  internal.register(async (inner) => {
    requireCaller(inner, callers);
    auditHooks(inner, { db, log, metrics: telemetry.metrics });
    auditRoute(inner, { owner: 'console', db });
    registerIdempotency(inner, idempotency);
    const operator = inner;
    memberOperatorRoutes(operator, { ...deps, units });
    invitationOperatorRoutes(operator, { ...deps, units });
  });
  return internal;
}

async function buildBrowserListener(deps: ConsoleDeps, units: Units): Promise<HttpServer> {
  const { log, telemetry, checkResponses, consoleUrl, trustProxy } = deps;
  const browser = createHttpServer({
    log,
    telemetry,
    checkResponses,
    trustProxy,
    trustRequestId: false,
  });
  const plain = browser;
  securityHeaders(plain, consoleUrl);
  await plain.register(fastifyCookie);
  await plain.register(
    async (api) => {
      requireOrigin(api, consoleUrl);
      api.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      api.setNotFoundHandler(() => {
        throw notFound();
      });
      await api.register(async (open) => openRoutes(open, deps));
      await api.register(async (signedIn) => signedInRoutes(signedIn, deps, units));
    },
    { prefix: '/api' },
  );
  await plain.register(async (files) => webFiles(files, deps.webFolder));
  return browser;
}

/** Routes without a session. Each address has a limit of its own. */
function openRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { rateLimit, limits, consoleUrl } = deps;
  const cookies = decideCookies(consoleUrl);
  app.addHook('onRequest', ({ ip }) => rateLimit.count(`address:${ip}`, limits.address));
  const open = app;
  const observeSignIn = createSignInObserver(deps.telemetry.metrics);
  signInRoutes(open, { ...deps, cookies, observeSignIn });
  if (!deps.identityProvider) passkeySignInRoutes(open, { ...deps, cookies, observeSignIn });
}

async function signedInRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps,
  units: Units,
): Promise<void> {
  const { consoleUrl, limits } = deps;
  const cookies = decideCookies(consoleUrl);
  requireSession(app, { ...deps, cookies, sessionLimit: limits.session });
  const signedIn = app;
  sessionRoutes(signedIn, { ...deps, units, cookies });
  invitationRoutes(signedIn, deps);
  commandRoutes(signedIn);
  messageRoutes(signedIn, deps);
  if (!deps.identityProvider) passkeyRoutes(signedIn, deps);
  const live = createLiveEvents(deps.send);
  const { db, log, telemetry } = deps;
  const recordRefusal = createRecordRefusal({ db, log, metrics: telemetry.metrics });
  await app.register(
    async (inner) => {
      requireMember(inner, recordRefusal);
      // In a scope of its own: it passes bodies on without reading them.
      await inner.register(async (forwarded) =>
        unitRoutes(forwarded, { ...deps, units, recordRefusal, shareRead: createShareRead() }),
      );
      auditLogRoutes(inner, { ...deps, units });
      exportRoutes(inner, { ...deps, units, recordRefusal });
      liveRoutes(inner, { ...deps, units, live });
    },
    { prefix: '/units/:unitId' },
  );
  await app.register(
    async (inner) => {
      platformRoutes(inner, { ...deps, units, recordRefusal });
      partRoutes(inner, deps);
    },
    { prefix: '/platform' },
  );
}
