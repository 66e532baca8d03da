import * as oidc from 'openid-client';
import { partUnavailable, signInFailed } from '../errors.ts';
import type { Profile } from '../operators/operators.commands.ts';
import { timeouts } from '../timeouts.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Where this process reaches the issuer, if not by its own address. */
  internalUrl: string | undefined;
  redirectUrl: string;
}

/** What a browser keeps during a sign-in, so that no other browser can end it. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

export interface IdentityProvider {
  /** Begins a sign-in. Errors: 503 while the provider is down. */
  begin(input: { returnTo: string; hint: string | undefined }): Promise<{
    attempt: SignInAttempt;
    /** The page of the provider. */
    url: string;
  }>;
  /**
   * Ends a sign-in with the address to which the provider has sent the browser. Errors: 401 if
   * state, nonce, code or a signature is wrong; 503 while the provider is down.
   */
  complete(attempt: SignInAttempt, query: string): Promise<Profile>;
}

const scope = 'openid profile email';

/**
 * The authorization code flow with PKCE, state and nonce. The metadata of the provider is read at
 * the first sign-in.
 */
export function createIdentityProvider(settings: OidcSettings): IdentityProvider {
  let known: Promise<oidc.Configuration> | null = null;

  async function configuration(): Promise<oidc.Configuration> {
    known ??= discover(settings);
    try {
      return await known;
    } catch (error) {
      known = null;
      throw partUnavailable('identity provider', error);
    }
  }

  return {
    async begin({ returnTo, hint }) {
      const config = await configuration();
      const verifier = oidc.randomPKCECodeVerifier();
      const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUrl,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(hint !== undefined && { login_hint: hint }),
      });
      return { attempt: { state, nonce, verifier, returnTo }, url: url.href };
    },

    async complete({ state, nonce, verifier }, query) {
      const config = await configuration();
      const callback = new URL(settings.redirectUrl);
      callback.search = query;
      try {
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('the provider sent no identity token');
        const { issuer, userinfo_endpoint } = config.serverMetadata();
        const info = userinfo_endpoint
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {};
        return profileOf(issuer, { ...claims, ...info });
      } catch (error) {
        throw isUnreachable(error)
          ? partUnavailable('identity provider', error)
          : signInFailed(error);
      }
    },
  };
}

async function discover(settings: OidcSettings): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret, internalUrl } = settings;
  const server = new URL(issuer);
  return oidc.discovery(
    server,
    clientId,
    clientSecret,
    clientSecret === undefined ? oidc.None() : undefined,
    {
      timeout: timeouts.identityProviderSeconds,
      // The settings allow HTTP on this machine only.
      ...(server.protocol === 'http:' && { execute: [oidc.allowInsecureRequests] }),
      ...(internalUrl && { [oidc.customFetch]: fetchAt(server.origin, internalUrl) }),
    },
  );
}

/** Sends the requests for the issuer to another address. */
const fetchAt =
  (origin: string, internalUrl: string): oidc.CustomFetch =>
  (url, options) =>
    fetch(url.replace(origin, new URL(internalUrl).origin), options as RequestInit);

/** A failure of the connection, as opposed to a response that is wrong. */
function isUnreachable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof TypeError && e.message === 'fetch failed') return true;
    if (e.name === 'TimeoutError') return true;
  }
  return false;
}

function profileOf(issuer: string, claims: Record<string, unknown> & { sub: string }): Profile {
  const email = typeof claims.email === 'string' ? claims.email : null;
  const names = [claims.name, claims.preferred_username, email, claims.sub];
  const name = names.find((each): each is string => typeof each === 'string' && each !== '') ?? '';
  return {
    issuer,
    subject: claims.sub,
    name: name.slice(0, 200),
    email,
    emailVerified: email !== null && claims.email_verified === true,
  };
}
