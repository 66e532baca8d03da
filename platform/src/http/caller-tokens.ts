import { Actor } from '@event-api/contracts/actor';
import type { Audience } from '@event-api/contracts/operation';
import { topology } from '@event-api/contracts/topology';
import type { PermittedCaller } from '@event-api/rules/may-call';
import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { boundedCache } from '../core/bounded-cache.ts';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import { callerTokenTimeouts } from '../core/timeouts.ts';

/**
 * The caller of a request, as one process states it to another. Its business unit is empty for the
 * command line.
 */
export interface Caller extends PermittedCaller {
  audience: Audience;
  defaultCurrency: string;
  keyId: string;
  /** Who sent the command that this request is a part of. */
  actor: Actor;
}

/** The audiences that each issuer may sign for. Tokens for other audiences are rejected. */
const audiencesOf: Record<string, readonly Audience[]> = {
  ...Object.fromEntries(
    topology.map(({ name, callsApi, callsInternal }) => [
      name,
      [
        ...(callsApi.length > 0 ? (['api', 'notification'] as const) : []),
        ...(callsInternal.length > 0 ? (['service'] as const) : []),
      ],
    ]),
  ),
  admin: ['operator'],
  // It forwards the commands and the requests of the people who are signed in.
  console: ['operator', 'api', 'service'],
};

/**
 * The most events, and the most doors, of a caller. With more, a token could exceed the limit of a
 * header.
 */
export const maxScopeEntries = 20;
const maxPermissions = 50;
const maxTokenLength = 4000;

/**
 * Marks a token that limits its caller. A verifier that does not know the mark rejects the token,
 * so a process of a release without permissions never takes a limited caller for an unlimited one.
 */
const limited = 'perm';

const Limits = z.object({
  perm: z.array(z.string()).max(maxPermissions).nullable().default(null),
  events: z.array(z.string()).max(maxScopeEntries).nullable().default(null),
  doors: z.array(z.string()).max(maxScopeEntries).nullable().default(null),
});

const { lifetimeSeconds, clockToleranceSeconds } = callerTokenTimeouts;

export type CallerClaims = Partial<Omit<Caller, 'issuer'>> & { audience: Audience };

export interface CallerSigner {
  /**
   * Returns an Ed25519 token for the header `x-caller`, valid for 60 seconds and cached for 30;
   * without a promise if it is cached. Errors: more than 20 events or doors.
   */
  sign(claims: CallerClaims): string | Promise<string>;
}

/** Signs as `issuer`. Each process has its own key. */
export async function createCallerSigner(options: {
  issuer: string;
  privateJwk: JWK;
  clock?: Clock;
}): Promise<CallerSigner> {
  const key = await importJWK(options.privateJwk, 'EdDSA');
  const clock = options.clock ?? systemClock;
  const cache = boundedCache<string, { token: string; until: number }>(10_000);

  async function createToken(claims: Claims, now: number): Promise<string> {
    const { aud, ...payload } = claims;
    Limits.parse(payload);
    const isLimited = options.issuer !== 'admin' && hasLimits(claims);
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', ...(isLimited && { crit: [limited], [limited]: true }) })
      .setIssuer(options.issuer)
      .setAudience(aud)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(key, { crit: { [limited]: true } });
  }

  return {
    sign(caller) {
      const now = Math.floor(clock.now().getTime() / 1000);
      const claims = claimsOf(caller);
      const cacheKey = JSON.stringify(claims);
      const cached = cache.get(cacheKey);
      if (cached && cached.until > now) return cached.token;
      return createToken(claims, now).then((token) => {
        cache.set(cacheKey, { token, until: now + lifetimeSeconds / 2 });
        return token;
      });
    },
  };
}

interface Claims extends JWTPayload {
  aud: Audience;
  perm?: readonly string[] | undefined;
  events?: readonly string[] | undefined;
  doors?: readonly string[] | undefined;
}

/**
 * All claims of a token except its issuer and its times, in one order. They are also the key of the
 * cache, so two callers share a token only if nothing in it differs.
 */
function claimsOf(caller: CallerClaims): Claims {
  const { audience, businessUnitId, defaultCurrency, keyId, actor } = caller;
  return {
    aud: audience,
    unit: businessUnitId ?? '',
    cur: defaultCurrency ?? '',
    key: keyId ?? '',
    actor: actor && { type: actor.type, id: actor.id },
    perm: caller.permissions ?? undefined,
    events: caller.events ?? undefined,
    doors: caller.doors ?? undefined,
  };
}

const hasLimits = ({ perm, events, doors }: Claims): boolean =>
  perm !== undefined || events !== undefined || doors !== undefined;

export interface CallerVerifier {
  /** Returns the caller of a token, or null if the token is invalid for this audience. */
  verify(token: string | undefined, audience: Audience): Promise<Caller | null>;
}

/**
 * Accepts tokens of the issuers whose public keys are given; two keys each, so that a key can be
 * rotated.
 */
export async function createCallerVerifier(options: {
  publicJwks: Record<string, readonly JWK[]>;
  clock?: Clock;
}): Promise<CallerVerifier> {
  const clock = options.clock ?? systemClock;
  const keys = new Map<string, Awaited<ReturnType<typeof importJWK>>[]>();
  for (const [issuer, jwks] of Object.entries(options.publicJwks)) {
    keys.set(issuer, await Promise.all(jwks.map((jwk) => importJWK(jwk, 'EdDSA'))));
  }
  const verified = boundedCache<string, { caller: Caller; until: number }>(10_000);

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
            crit: { [limited]: true },
          });
          const { aud, unit, cur, key: keyClaim, iat, exp } = payload;
          const audience = audiencesOf[issuer]?.find((allowed) => allowed === aud);
          if (!audience || (exp ?? 0) - (iat ?? 0) > lifetimeSeconds) return null;
          if ((iat ?? 0) > clock.now().getTime() / 1000 + clockToleranceSeconds) return null;
          const limits = Limits.safeParse(payload);
          if (!limits.success) return null;
          const keyId = String(keyClaim ?? '');
          const caller = {
            issuer,
            audience,
            permissions: limits.data.perm,
            events: limits.data.events,
            doors: limits.data.doors,
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
      if (!token || token.length > maxTokenLength) return null;
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
 * The actor that a token names. Without one it follows from the audience: the key of an integrator,
 * the command line, or the process that signed it, also in a release that does not name actors.
 */
function actorOf(claim: unknown, caller: Pick<Caller, 'issuer' | 'audience' | 'keyId'>): Actor {
  const named = Actor.safeParse(claim);
  if (named.success) return named.data;
  if (caller.issuer === 'gateway' && caller.audience === 'api') {
    return { type: 'key', id: caller.keyId };
  }
  if (caller.issuer === 'admin') return { type: 'cli', id: null };
  return { type: 'system', id: caller.issuer };
}
