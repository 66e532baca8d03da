import type { Cell } from '@event-api/contracts/cells';
import { parseShortCode } from '@event-api/contracts/http/devices';
import type { Operation } from '@event-api/contracts/operation';
import type { Clock } from '@event-api/platform/core/clock';
import { type ApiError, notFound, unauthenticated } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { CallerSigner } from '@event-api/platform/http/caller-tokens';
import { callError } from '@event-api/platform/http/require-caller';
import type { ReadAfterStore, TokenScope } from '@event-api/platform/messaging/read-after/store';
import type { ReadAfterToken } from '@event-api/platform/messaging/read-after/token';
import { mayCall } from '@event-api/rules/may-call';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyRecord, Authentication } from './api-keys/api-keys.rules.ts';
import { type ApiKeyCache, bearerSecret } from './api-keys/authenticate.ts';
import { createShortCodes } from './api-keys/short-codes.ts';
import type { VersionRegistry } from './api-versions/registry.ts';
import { versionOf } from './api-versions/requested-version.ts';
import { credentialOfOtherCell } from './errors.ts';
import { acceptJsonBodies } from './proxy/body.ts';
import { createNotFoundError } from './proxy/not-found.ts';
import { bearerCredential } from './proxy/request-line.ts';
import { budgetsOf, type DefaultLimits } from './rate-limit/budget.ts';
import { countRequest } from './rate-limit/count-request.ts';
import { createFailureLimit } from './rate-limit/failures.ts';
import { limitExceeded, rateLimitHeaders } from './rate-limit/http.ts';
import type { RateLimiter } from './rate-limit/limit.ts';
import { countUnitUsage } from './unit-usage/hook.ts';
import type { UsageCounter } from './unit-usage/unit-usage.rules.ts';

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

export interface RequestStepDeps {
  db: Db;
  keys: ApiKeyCache;
  limiter: RateLimiter;
  usageCounter: UsageCounter;
  readAfter: ReadAfterStore;
  signer: CallerSigner;
  clock: Clock;
  /** The cell of this gateway. */
  cell: Cell;
  operations: readonly Operation[];
  defaultRateLimits: DefaultLimits;
  /** Requests without a valid key per window and address. */
  anonymousRateLimit: number;
  versions: VersionRegistry;
}

/**
 * The steps of every request under `/v1` before its route, from top to bottom: key (401), rate
 * limit (429), version (400), path and method (404, 405), permission (403), type and size of the
 * body (415, 413), and the token that names the caller to the services.
 */
export function requestSteps(app: FastifyInstance, deps: RequestStepDeps): void {
  const { clock, defaultRateLimits, keys, limiter, readAfter, signer, versions } = deps;

  const failures = createFailureLimit({
    name: 'address',
    limit: deps.anonymousRateLimit,
    limiter,
    clock,
  });

  const shortCodes = createShortCodes(deps);

  // The 429 does not contain the limit.
  const rejectUnauthenticated = async (
    { ip }: FastifyRequest,
    error = unauthenticated(),
  ): Promise<ApiError> => {
    const usage = await failures.count(ip);
    return usage.allowed ? error : limitExceeded(usage.resetSeconds);
  };

  app.decorateRequest('apiKey');
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
    if (authentication.outcome === 'throttled') throw limitExceeded(authentication.resetSeconds);
    if (authentication.outcome === 'invalid') throw await rejectUnauthenticated(request);
    if (authentication.outcome === 'other_cell') {
      const error = credentialOfOtherCell(authentication.cell, deps.cell);
      throw await rejectUnauthenticated(request, error);
    }
    accept(request, reply, authentication.key);
  };

  // Hooks that need not wait call `done`: a promise costs more than most of them.
  app.addHook('onRequest', function credential(request, reply, done) {
    const limited = failures.isBlocked(request.ip);
    const authorization = bearerCredential(request);
    const shortCode = parseShortCode(bearerSecret(authorization) ?? '');
    const found = shortCode
      ? shortCodes.authenticate(shortCode, request.ip)
      : keys.authenticate(authorization, { limited });
    if (found instanceof Promise || found.outcome !== 'valid') return admit(request, reply, found);
    accept(request, reply, found.key);
    done();
  });

  countUnitUsage(app, deps.usageCounter);

  app.addHook('onRequest', async function rateLimit(request, reply) {
    const scope = tokenScope(request);
    const budget = request.routeOptions.config.rateLimitBudget ?? 'default';
    const budgets = budgetsOf(request.apiKey, budget, defaultRateLimits);
    const counted = await countRequest(limiter, budgets, readAfter.keysOf(scope));
    const { owner, usage, readAfterFields } = counted;
    reply.headers(rateLimitHeaders(budget, counted, clock));
    if (!usage.allowed) throw limitExceeded(usage.resetSeconds, owner);
    request.readAfterToken = readAfter.merge(scope, readAfterFields);
  });

  app.addHook('onRequest', function version(request, reply, done) {
    const { apiKey, headers } = request;
    request.apiVersion = versionOf(headers, apiKey.version, versions.supported);
    reply.header('service-version', request.apiVersion);
    done();
  });

  const notFoundError = createNotFoundError(deps.operations);
  // A hook, because handlers run after body parsing: the body of an unknown path would be rejected
  // first.
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
    done(callError(decision, caller) ?? undefined);
  });

  acceptJsonBodies(app);

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
}

/** What a request reads and writes, for the sequences that its caller must see. */
export const tokenScope = ({ apiKey, params }: FastifyRequest): TokenScope => ({
  businessUnitId: apiKey.businessUnitId,
  eventId: (params as { eventId?: string } | null)?.eventId ?? null,
});
