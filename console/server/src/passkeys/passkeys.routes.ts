import {
  PasskeyRegistration,
  PasskeyRegistrationOptions,
  PasskeySignIn,
  Passkeys,
  RemovePasskey,
} from '@event-api/contracts/console/passkeys';
import { invalidArgument } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invitationEnded, notSignedIn } from '../errors.ts';
import { isOpenToken } from '../invitations/invitations.queries.ts';
import type { ObserveSignIn } from '../sessions/observe-sign-in.ts';
import { setSessionCookie } from '../sessions/require-session.ts';
import { hashOf, startSession } from '../sessions/sessions.commands.ts';
import { findSession } from '../sessions/sessions.queries.ts';
import type { CookieRules } from '../sessions/sessions.rules.ts';
import {
  beginRegistration,
  beginSignIn,
  completeRegistration,
  completeSignIn,
  type PasskeyDeps,
  type Registrant,
  removePasskey,
} from './passkeys.commands.ts';
import { listPasskeys } from './passkeys.queries.ts';

type Deps = PasskeyDeps & { cookies: CookieRules; observeSignIn: ObserveSignIn };

/**
 * Registration and sign-in. Only with the link of an open invitation can somebody become a new
 * operator.
 */
export function passkeySignInRoutes(app: HttpServer, deps: Deps): void {
  const { db, cookies, observeSignIn } = deps;

  const sessionOf = async (request: FastifyRequest) => {
    const cookie = request.cookies[cookies.session];
    return cookie ? findSession(db, hashOf(cookie), null) : null;
  };

  async function signIn(request: FastifyRequest, reply: FastifyReply, operatorId: string) {
    const cookie = await startSession(db, operatorId, request.cookies[cookies.session]);
    setSessionCookie(reply, cookies, cookie);
    return {};
  }

  async function registrantOf(
    request: FastifyRequest,
    { invitation, name }: { invitation?: string | undefined; name?: string | undefined },
  ): Promise<Registrant> {
    const session = await sessionOf(request);
    if (session) return { operatorId: session.operatorId, name: session.name };
    if (invitation === undefined) throw notSignedIn();
    if (!(await isOpenToken(db, hashOf(invitation)))) throw invitationEnded();
    if (name === undefined) {
      throw invalidArgument([{ field: 'name', issue: 'is required', code: 'required' }]);
    }
    return { operatorId: null, name };
  }

  app.post(
    '/passkeys/registration/options',
    { schema: { body: PasskeyRegistrationOptions } },
    async (request) => beginRegistration(deps, await registrantOf(request, request.body)),
  );

  app.post(
    '/passkeys/registration',
    { schema: { body: PasskeyRegistration } },
    async (request, reply) => {
      const session = await sessionOf(request);
      const response = request.body.response as unknown as RegistrationResponseJSON;
      const operatorId = await completeRegistration(deps, response, {
        operatorId: session?.operatorId ?? null,
        requestId: request.id,
      });
      return session ? {} : signIn(request, reply, operatorId);
    },
  );

  app.post('/passkeys/sign-in/options', async () => beginSignIn(deps));

  app.post('/passkeys/sign-in', { schema: { body: PasskeySignIn } }, async (request, reply) => {
    const response = request.body.response as unknown as AuthenticationResponseJSON;
    const operatorId = await observeSignIn('passkey', () => completeSignIn(deps, response));
    return signIn(request, reply, operatorId);
  });
}

/** The passkeys of the signed-in operator. */
export function passkeyRoutes(app: HttpServer, { db }: PasskeyDeps): void {
  app.get('/passkeys', { schema: { response: { 200: Passkeys } } }, async (request) => {
    const passkeys = await listPasskeys(db, request.operatorSession.operatorId);
    return {
      passkeys: passkeys.map(({ id, createdAt, lastUsedAt }) => ({
        id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    };
  });

  app.post('/passkeys/remove', { schema: { body: RemovePasskey } }, async (request) => {
    const { operatorId } = request.operatorSession;
    await removePasskey(db, { operatorId, id: request.body.id, requestId: request.id });
    return {};
  });
}
