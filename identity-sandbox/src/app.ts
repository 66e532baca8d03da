import { demoOperators } from '@event-api/contracts/identity-sandbox';
import type { Logger } from '@event-api/platform/core/log';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { choicePage, contentSecurityPolicy, endedPage } from './page.ts';
import { interactionPath } from './provider.ts';

export interface SandboxDeps {
  provider: Provider;
  /** The issuer, without a slash at the end. */
  issuer: string;
  log: Logger;
}

/**
 * Builds the stand-in for an identity provider: OpenID Connect for the console, and a page without
 * passwords.
 */
export function buildSandbox({ provider, issuer, log }: SandboxDeps): HttpServer {
  const app = createHttpServer({ log, checkResponses: false, trustRequestId: false });
  const { host } = new URL(issuer);
  app.addHook('onRequest', async ({ raw }) => {
    // The addresses in the metadata are those of the issuer, also when the console calls an
    // internal one.
    raw.headers.host = host;
  });
  app.removeAllContentTypeParsers();
  // The provider reads the bodies of its own routes.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.register(async (inner) => interactionRoutes(inner as unknown as HttpServer, provider));
  const handle = provider.callback();
  const passOn = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    void handle(request.raw, reply.raw);
  };
  app.route({ method: ['GET', 'POST'], url: '/*', handler: passOn });
  return app;
}

function interactionRoutes(app: HttpServer, provider: Provider): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });
  const html = (reply: FastifyReply, code: number, text: string) =>
    reply.code(code).type('text/html; charset=utf-8').serializer(String).send(text);
  /** Lets the provider redirect the browser back to the console. */
  const signIn = async ({ raw }: FastifyRequest, reply: FastifyReply, subject: string) => {
    const result = { login: { accountId: subject, remember: false } };
    const location = await provider.interactionResult(raw, reply.raw, result);
    return reply.code(303).header('location', location).send();
  };
  const isOperator = (subject: unknown): subject is string =>
    demoOperators.some((operator) => operator.subject === subject);
  app.setErrorHandler((error, _request, reply) => {
    const isEnded = error instanceof errors.OIDCProviderError;
    return html(reply, isEnded ? 404 : 500, endedPage());
  });

  app.get(interactionPath(':uid'), async (request, reply) => {
    const { params, uid } = await provider.interactionDetails(request.raw, reply.raw);
    if (isOperator(params.login_hint)) return signIn(request, reply, params.login_hint);
    return html(reply, 200, choicePage(demoOperators, interactionPath(uid)));
  });

  app.post(interactionPath(':uid'), async (request, reply) => {
    const { uid } = await provider.interactionDetails(request.raw, reply.raw);
    const subject = (request.body as URLSearchParams | undefined)?.get('subject');
    if (!isOperator(subject)) {
      return html(reply, 400, choicePage(demoOperators, interactionPath(uid)));
    }
    return signIn(request, reply, subject);
  });
}
