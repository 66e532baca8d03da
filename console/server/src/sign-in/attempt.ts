import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieOptions } from '../sessions/require-session.ts';
import type { CookieRules } from '../sessions/sessions.rules.ts';
import { timeouts } from '../timeouts.ts';
import type { SignInAttempt } from './oidc.ts';

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});

/** Keeps a sign-in in the browser that has begun it. */
export function keepAttempt(reply: FastifyReply, rules: CookieRules, attempt: SignInAttempt): void {
  const value = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  const options = { ...cookieOptions(rules), maxAge: timeouts.signInSeconds };
  reply.setCookie(rules.signIn, value, options);
}

/** Returns the sign-in of a browser and removes it, so that it ends once; null without one. */
export function takeAttempt(
  request: FastifyRequest,
  reply: FastifyReply,
  rules: CookieRules,
): SignInAttempt | null {
  const value = request.cookies[rules.signIn];
  reply.clearCookie(rules.signIn, cookieOptions(rules));
  if (!value) return null;
  try {
    return Attempt.parse(JSON.parse(Buffer.from(value, 'base64url').toString()));
  } catch {
    return null;
  }
}
