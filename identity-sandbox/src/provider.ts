import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { demoOperators, sandboxClientId } from '@event-api/contracts/identity-sandbox';
import Provider, { interactionPolicy } from 'oidc-provider';
import { createMemoryAdapter } from './memory.ts';
import { timeouts } from './timeouts.ts';

const { Check, base } = interactionPolicy;

/** The path of the page on which a person chooses an operator. */
export const interactionPath = (uid: string): string => `/interaction/${uid}`;

/**
 * An OpenID Connect provider with the demo operators and one client, the console. Everything is in
 * memory, with keys that each start generates. The console has every consent; each sign-in chooses
 * the operator again.
 */
export function createProvider(options: {
  issuer: string;
  redirectUrl: string;
  clientSecret: string;
}): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Provider(options.issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: sandboxClientId,
        client_secret: options.clientSecret,
        redirect_uris: [options.redirectUrl],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => interactionPath(uid), policy: alwaysChoose() },
    loadExistingGrant: consentToEverything,
    findAccount(_ctx, subject) {
      const operator = demoOperators.find((each) => each.subject === subject);
      if (!operator) return undefined;
      const { name, email } = operator;
      return {
        accountId: subject,
        claims: () => ({ sub: subject, name, email, email_verified: true }),
      };
    },
    ttl: {
      AuthorizationCode: timeouts.codeSeconds,
      AccessToken: timeouts.accessTokenSeconds,
      IdToken: timeouts.identityTokenSeconds,
      Interaction: timeouts.interactionSeconds,
      Grant: timeouts.sessionSeconds,
      Session: timeouts.sessionSeconds,
    },
  });
}

/** Requests a choice for every sign-in, also in a browser that has already chosen an operator. */
function alwaysChoose() {
  const policy = base();
  const isChosen = new Check('choice', 'An operator must be chosen', (ctx) =>
    ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  );
  policy.get('login')?.checks.add(isChosen);
  return policy;
}

type LoadGrant = NonNullable<
  NonNullable<ConstructorParameters<typeof Provider>[1]>['loadExistingGrant']
>;

const consentToEverything: LoadGrant = async (ctx) => {
  const { client, session, provider } = ctx.oidc;
  const grant = new provider.Grant({
    clientId: client?.clientId ?? '',
    accountId: session?.accountId ?? '',
  });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
};
