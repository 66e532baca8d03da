import { Actor } from '@event-api/contracts/actor';
import { topology } from '@event-api/contracts/topology';
import type { FastifyInstance } from 'fastify';
import { importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { runAsActor } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { unauthenticated } from '../core/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. It is set before any other hook of a route runs. */
    caller: Caller;
  }
}

import { callerTokenTimeouts } from '../core/timeouts.ts';

/** The caller of a request, as one process states it to another. */
export interface Caller {
  issuer: string;
  audience: CallerAudience;
  /** The business unit whose data the caller may see; empty for operators. */
  businessUnitId: string;
  defaultCurrency: string;
  keyId: string;
  /** Who sent the command that this request is a part of. */
  actor: Actor;
}

export type CallerAudience = 'api' | 'operator' | 'service' | 'notification';

/** The audiences that each issuer may sign for. Tokens for other audiences are rejected. */
const audiencesOf: Record<string, readonly CallerAudience[]> = {
  admin: ['operator'],
  ...Object.fromEntries(
    topology.map(({ name, callsApi, callsInternal }) => [
      name,
      [
        ...(callsApi.length > 0 ? (['api', 'notification'] as const) : []),
        ...(callsInternal.length > 0 ? (['service'] as const) : []),
      ],
    ]),
  ),
};

const { lifetimeSeconds, clockToleranceSeconds } = callerTokenTimeouts;

type Claims = Partial<Omit<Caller, 'issuer'>> & { audience: CallerAudience };

export interface CallerSigner {
  /**
   * Returns an Ed25519 token for the header `x-caller`, valid for 60 seconds and cached for 30; without a promise if it is
   * cached.
   */
  sign(claims: Claims): string | Promise<string>;
}

/** Signs as `issuer`. Each process has its own key. */
export async function createCallerSigner(options: {
  issuer: string;
  privateJwk: JWK;
  clock?: Clock;
}): Promise<CallerSigner> {
  const key = await importJWK(options.privateJwk, 'EdDSA');
  const clock = options.clock ?? systemClock;
  const cache = new LRUCache<string, { token: string; until: number }>({ max: 10_000 });

  async function createToken(
    { audience, businessUnitId, defaultCurrency, keyId, actor }: Claims,
    now: number,
  ): Promise<string> {
    const claims = { unit: businessUnitId ?? '', cur: defaultCurrency ?? '', key: keyId ?? '' };
    return new SignJWT(actor ? { ...claims, actor } : claims)
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(options.issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(key);
  }

  return {
    sign(claims) {
      const { audience, businessUnitId = '', defaultCurrency = '', keyId = '', actor } = claims;
      const now = Math.floor(clock.now().getTime() / 1000);
      const cacheKey = JSON.stringify([audience, businessUnitId, defaultCurrency, keyId, actor]);
      const cached = cache.get(cacheKey);
      if (cached && cached.until > now) return cached.token;
      return createToken(claims, now).then((token) => {
        cache.set(cacheKey, { token, until: now + lifetimeSeconds / 2 });
        return token;
      });
    },
  };
}

export interface CallerVerifier {
  /** Returns the caller of a token, or null if the token is invalid for this audience. */
  verify(token: string | undefined, audience: CallerAudience): Promise<Caller | null>;
}

/** Accepts tokens of the issuers whose public keys are given; two keys each, so that a key can be rotated. */
export async function createCallerVerifier(options: {
  publicJwks: Record<string, readonly JWK[]>;
  clock?: Clock;
}): Promise<CallerVerifier> {
  const clock = options.clock ?? systemClock;
  const keys = new Map<string, Awaited<ReturnType<typeof importJWK>>[]>();
  for (const [issuer, jwks] of Object.entries(options.publicJwks)) {
    keys.set(issuer, await Promise.all(jwks.map((jwk) => importJWK(jwk, 'EdDSA'))));
  }
  const verified = new LRUCache<string, { caller: Caller; until: number }>({ max: 10_000 });

  async function verifyToken(token: string): Promise<{ caller: Caller; until: number } | null> {
    for (const [issuer, candidates] of keys) {
      for (const key of candidates) {
        try {
          const { payload } = await jwtVerify(token, key, {
            issuer,
            algorithms: ['EdDSA'],
            clockTolerance: clockToleranceSeconds,
            currentDate: clock.now(),
            requiredClaims: ['iat', 'exp', 'aud'],
          });
          const { aud, unit, cur, key: keyClaim, iat, exp } = payload;
          const audience = audiencesOf[issuer]?.find((allowed) => allowed === aud);
          if (!audience || (exp ?? 0) - (iat ?? 0) > lifetimeSeconds) return null;
          if ((iat ?? 0) > clock.now().getTime() / 1000 + clockToleranceSeconds) return null;
          const keyId = String(keyClaim ?? '');
          const caller = {
            issuer,
            audience,
            businessUnitId: String(unit ?? ''),
            defaultCurrency: String(cur ?? ''),
            keyId,
            actor: actorOf(payload.actor, { issuer, audience, keyId }),
          };
          return { caller, until: (exp ?? 0) + clockToleranceSeconds };
        } catch {
          // The signature is not this key's; try the next one.
        }
      }
    }
    return null;
  }

  return {
    async verify(token, audience) {
      if (!token || token.length > 2000) return null;
      const now = clock.now().getTime() / 1000;
      let cached = verified.get(token);
      if (!cached) {
        const result = await verifyToken(token);
        if (!result) return null;
        verified.set(token, result);
        cached = result;
      }
      return cached.until > now && cached.caller.audience === audience ? cached.caller : null;
    },
  };
}

/**
 * The actor that a token names. Without one it follows from the audience: the key of an integrator, the command line, or
 * the process that signed it, also in a release that does not name actors.
 */
function actorOf(claim: unknown, caller: Pick<Caller, 'issuer' | 'audience' | 'keyId'>): Actor {
  const named = Actor.safeParse(claim);
  if (named.success) return named.data;
  if (caller.audience === 'api') return { type: 'key', id: caller.keyId };
  if (caller.audience === 'operator') return { type: 'cli', id: null };
  return { type: 'system', id: caller.issuer };
}

/**
 * Responds with 401 to every request without a valid caller token for the audience of its route, including
 * unknown paths.
 */
export function requireCaller(app: FastifyInstance, callers: CallerVerifier): void {
  app.decorateRequest('caller', null as unknown as Caller);
  app.addHook('onRequest', async (request) => {
    const token = request.headers['x-caller'];
    const audience = request.routeOptions.config.audience ?? 'api';
    const caller = await callers.verify(typeof token === 'string' ? token : undefined, audience);
    if (!caller) throw unauthenticated();
    request.caller = caller;
  });
  app.addHook('onRequest', ({ caller }, _reply, done) => runAsActor(caller.actor, done));
  // A body arrives in events of the socket, outside the scope of the request.
  app.addHook('preValidation', ({ caller }, _reply, done) => runAsActor(caller.actor, done));
}
