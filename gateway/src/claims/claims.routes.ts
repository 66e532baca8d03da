import type { Cell } from '@event-api/contracts/cells';
import { claimLimits, claimTokenPattern } from '@event-api/contracts/http/claims';
import { claimOperations } from '@event-api/contracts/http/operations';
import { permissionsOfClaim } from '@event-api/contracts/permissions';
import type { Clock } from '@event-api/platform/core/clock';
import { hashSecret } from '@event-api/platform/core/credentials';
import type { Logger } from '@event-api/platform/core/log';
import type { CallerSigner } from '@event-api/platform/http/caller-tokens';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Agent } from 'undici';
import { bearerSecret } from '../api-keys/authenticate.ts';
import type { VersionRegistry } from '../api-versions/registry.ts';
import { versionOf } from '../api-versions/requested-version.ts';
import { credentialOfOtherCell, invalidClaimToken } from '../errors.ts';
import { acceptJsonBodies } from '../proxy/body.ts';
import { type ProxyOptions, proxyRoutes } from '../proxy/proxy.ts';
import { bearerCredential } from '../proxy/request-line.ts';
import { networkOf } from '../rate-limit/address.ts';
import { limitExceeded, rateLimitHeaders } from '../rate-limit/http.ts';
import type { RateLimiter, RateLimitResult } from '../rate-limit/limit.ts';
import { allowOtherOrigins } from './other-origins.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The hash of the token of a claim. */
    claimHash: string;
    /** Whether the request is one of the claims in flight. */
    isClaimInFlight: boolean;
  }
}

/** The most claims in flight, each with a connection of its own. Claims have no key, and no turns. */
export const maxClaimsInFlight = 32;

/**
 * Forwards the operations of claim links to commerce, which knows the tokens. Commerce gets the
 * hash of a token, in the signed caller token, so the token itself ends here. The steps, from top
 * to bottom: limit of the address (429), token (401), limit of the token (429), version (400), type
 * and size of the body (415, 413). Pages of other origins may send claims.
 */
export function claimRoutes(
  app: FastifyInstance,
  deps: {
    cell: Cell;
    limiter: RateLimiter;
    signer: CallerSigner;
    clock: Clock;
    versions: VersionRegistry;
    upstreams: ProxyOptions['upstreams'];
    agent: Agent;
    telemetry: Telemetry;
    log: Logger;
    upstreamTimeoutMs: number;
  },
): void {
  const { limiter, signer, clock, versions } = deps;
  app.decorateRequest('claimHash', '');
  app.decorateRequest('isClaimInFlight', false);
  app.decorateRequest('apiVersion', '');
  app.decorateRequest('callerToken', '');
  app.decorateRequest('readAfterToken', null);

  const requireAllowed = ({ allowed, resetSeconds }: RateLimitResult): void => {
    if (!allowed) throw limitExceeded(resetSeconds);
  };

  allowOtherOrigins(app);

  app.addHook('onRequest', async function addressLimit({ ip }) {
    const subject = `claim-address:${networkOf(ip)}`;
    requireAllowed(await limiter.consume(subject, claimLimits.address));
  });

  app.addHook('onRequest', function token(request, _reply, done) {
    const secret = bearerSecret(bearerCredential(request)) ?? '';
    const parts = claimTokenPattern.exec(secret);
    if (!parts) throw invalidClaimToken();
    const cell = parts[1] ?? null;
    if (cell !== deps.cell) throw credentialOfOtherCell(cell, deps.cell, 'claim token');
    request.claimHash = hashSecret(secret);
    done();
  });

  app.addHook('onRequest', async function tokenLimit({ claimHash }, reply) {
    const usage = await limiter.consume(`claim:${claimHash}`, claimLimits.token);
    const counted = { owner: 'key' as const, usage, readAfterFields: [] };
    reply.headers(rateLimitHeaders('claims', counted, clock));
    requireAllowed(usage);
  });

  app.addHook('onRequest', function version(request, reply, done) {
    request.apiVersion = versionOf(request.headers, versions.current, versions.supported);
    reply.header('service-version', request.apiVersion);
    done();
  });

  limitClaimsInFlight(app);
  acceptJsonBodies(app);

  app.addHook('preHandler', async function caller(request) {
    request.callerToken = await signer.sign({
      audience: 'api',
      keyId: request.claimHash,
      permissions: permissionsOfClaim,
      actor: { type: 'system', id: 'claim' },
    });
  });

  proxyRoutes(app, {
    operations: claimOperations,
    upstreams: deps.upstreams,
    agentOf: () => deps.agent,
    versions,
    // The response says all that a claim reads.
    saveToken: async () => {},
    metrics: deps.telemetry.metrics,
    log: deps.log,
    timeoutMs: deps.upstreamTimeoutMs,
  });
}

/** Rejects a claim that would wait for a connection. Errors: 429. */
function limitClaimsInFlight(app: FastifyInstance): void {
  let inFlight = 0;
  app.addHook('onRequest', function claimsInFlight(request, _reply, done) {
    if (inFlight >= maxClaimsInFlight) throw limitExceeded(1);
    inFlight += 1;
    request.isClaimInFlight = true;
    done();
  });
  app.addHook('onResponse', async ({ isClaimInFlight }) => {
    if (isClaimInFlight) inFlight -= 1;
  });
}
