import { type SignInMethods, SignInQuery } from '@event-api/contracts/console/session';
import { demoOperators } from '@event-api/contracts/identity-sandbox';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { signInFailed } from '../errors.ts';
import { recognizeOperator } from '../operators/operators.commands.ts';
import type { ObserveSignIn } from '../sessions/observe-sign-in.ts';
import { setSessionCookie } from '../sessions/require-session.ts';
import { startSession } from '../sessions/sessions.commands.ts';
import type { CookieRules } from '../sessions/sessions.rules.ts';
import { keepAttempt, takeAttempt } from './attempt.ts';
import type { IdentityProvider } from './oidc.ts';
import { decideReturnTo } from './sign-in.rules.ts';

export interface SignInDeps {
  db: Database;
  /** Null without one: operators sign in with passkeys. */
  identityProvider: IdentityProvider | null;
  label: string;
  /** Whether the demo operators of the identity sandbox are offered. */
  hasDemo: boolean;
  consoleUrl: string;
  cookies: CookieRules;
  observeSignIn: ObserveSignIn;
}

/** The sign-in at the identity provider. */
export function signInRoutes(app: HttpServer, deps: SignInDeps): void {
  const { db, identityProvider, label, hasDemo, consoleUrl, cookies, observeSignIn } = deps;

  app.get(
    '/sign-in/methods',
    async (): Promise<SignInMethods> => ({
      oidc: identityProvider && { label },
      passkeys: identityProvider === null,
      demo: hasDemo ? demoSignIns : [],
    }),
  );

  if (!identityProvider) return;

  app.get('/sign-in', { schema: { querystring: SignInQuery } }, async ({ query }, reply) => {
    const returnTo = decideReturnTo(query.returnTo, consoleUrl);
    const { attempt, url } = await identityProvider.begin({ returnTo, hint: query.hint });
    keepAttempt(reply, cookies, attempt);
    return reply.redirect(url);
  });

  app.get('/sign-in/callback', async (request, reply) => {
    const attempt = takeAttempt(request, reply, cookies);
    const returnTo = await observeSignIn('oidc', async () => {
      if (!attempt) throw signInFailed(new Error('the browser has begun no sign-in'));
      const query = new URL(request.url, consoleUrl).search;
      const profile = await identityProvider.complete(attempt, query);
      const operatorId = await recognizeOperator(db, profile);
      const cookie = await startSession(db, operatorId, request.cookies[cookies.session]);
      setSessionCookie(reply, cookies, cookie);
      return attempt.returnTo;
    });
    return reply.redirect(decideReturnTo(returnTo, consoleUrl));
  });
}

const demoSignIns = demoOperators.map(({ subject, name, role }) => ({
  label: name,
  hint: role ?? 'platform administrator',
  href: `/api/sign-in?hint=${subject}`,
}));
