import type { Db } from '@event-api/platform/db/database';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notSignedIn } from '../errors.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { hashOf } from './sessions.commands.ts';
import { findSession, type SessionRow, touchSession } from './sessions.queries.ts';
import type { CookieRules } from './sessions.rules.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the request. Routes below `requireSession` have one. */
    operatorSession: SessionRow & { idHash: string };
  }
  interface FastifyContextConfig {
    /** Pages send it by themselves, so it does not keep the session of a person who has left. */
    isUnattended?: boolean;
  }
}

export interface SessionDeps {
  db: Db;
  cookies: CookieRules;
  rateLimit: RateLimit;
  /** Requests of a session per minute. */
  sessionLimit: number;
}

/**
 * Responds with 401 to requests without a session, and with 429 to a session above its limit. The
 * session, the operator and its role in the business unit of the path are read for each request, so
 * that a change of them takes effect with the next one.
 */
export function requireSession(app: FastifyInstance, deps: SessionDeps): void {
  const { db, cookies, rateLimit, sessionLimit } = deps;
  app.decorateRequest('operatorSession', null as never);
  app.addHook('onRequest', async (request) => {
    const cookie = request.cookies[cookies.session];
    if (!cookie) throw notSignedIn();
    const idHash = hashOf(cookie);
    const session = await findSession(db, idHash, unitOf(request));
    if (!session) throw notSignedIn();
    await rateLimit.count(`session:${idHash}`, sessionLimit);
    const { isUnattended = false } = request.routeOptions.config;
    if (session.isStale && !isUnattended) await touchSession(db, idHash);
    request.operatorSession = { ...session, idHash };
  });
}

const unitOf = ({ params }: FastifyRequest): string | null =>
  (params as { unitId?: string } | null)?.unitId ?? null;

/**
 * Gives the browser its session. The cookie ends with the browser; the session itself ends by its
 * times.
 */
export const setSessionCookie = (reply: FastifyReply, rules: CookieRules, cookie: string) =>
  reply.setCookie(rules.session, cookie, cookieOptions(rules));

export const clearSessionCookie = (reply: FastifyReply, rules: CookieRules) =>
  reply.clearCookie(rules.session, cookieOptions(rules));

/**
 * `Lax`: a link of another site opens the console signed in, but no request of another site changes
 * anything.
 */
export const cookieOptions = ({ secure }: CookieRules) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const;
