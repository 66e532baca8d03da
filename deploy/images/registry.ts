import { createHash } from 'node:crypto';
import { isDigest } from './references.ts';

/** A registry did not serve a digest. The message names the image and the reason. */
export class RegistryError extends Error {}

/** How registries are reached. */
export interface RegistryAccess {
  /** Addresses by the host in the name of an image: a mirror, for example. */
  addresses: ReadonlyMap<string, string>;
  /** User and password for a host as Base64, as `docker login` stores them. */
  credentials: ReadonlyMap<string, string>;
}

/** The registry of names without a host, and the host of its API, by convention. */
const DEFAULT_REGISTRY = { host: 'docker.io', address: 'https://registry-1.docker.io' } as const;

/** The registry also converts a manifest for a client that does not accept its type. */
const ACCEPTED = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const TIMEOUT_MS = 30_000;

/** Where the repository of an image is: the host of its registry, and its path there. */
export function repositoryOf(name: string): { host: string; path: string } {
  const [first = '', ...rest] = name.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  if (isHost && first !== DEFAULT_REGISTRY.host) return { host: first, path: rest.join('/') };
  const path = isHost ? rest : [first, ...rest];
  return {
    host: DEFAULT_REGISTRY.host,
    path: path.length === 1 ? `library/${path[0]}` : path.join('/'),
  };
}

/** What a registry requires of a request: the header `WWW-Authenticate` of its response. */
export type Challenge =
  | { scheme: 'bearer'; realm: string; service: string | undefined; scope: string | undefined }
  | { scheme: 'basic' }
  | { scheme: 'unsupported' };

export function parseChallenge(header: string): Challenge {
  const [, scheme = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(header) ?? [];
  const parameters = new Map(
    [...rest.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)].map(([, key = '', quoted, plain]) => [
      key.toLowerCase(),
      quoted ?? plain ?? '',
    ]),
  );
  const realm = parameters.get('realm');
  if (scheme.toLowerCase() === 'basic') return { scheme: 'basic' };
  if (scheme.toLowerCase() !== 'bearer' || realm === undefined) return { scheme: 'unsupported' };
  return {
    scheme: 'bearer',
    realm,
    service: parameters.get('service'),
    scope: parameters.get('scope'),
  };
}

/**
 * Reads from its registry the digest of a tag, by the API of the OCI Distribution Specification.
 * That of an image for several architectures is the digest of their list.
 * Errors: RegistryError.
 */
export async function fetchDigest(
  name: string,
  tag: string,
  access: RegistryAccess,
): Promise<string> {
  const { host, path } = repositoryOf(name);
  const address = access.addresses.get(host) ?? addressOf(host);
  const url = `${address.replace(/\/$/, '')}/v2/${path}/manifests/${tag}`;
  const credential = access.credentials.get(host);
  const fail = (reason: string): never => {
    throw new RegistryError(`${name}:${tag}: ${reason}`);
  };
  const read = async (method: 'HEAD' | 'GET', authorization?: string): Promise<Response> =>
    request(url, { method, authorization, accept: ACCEPTED }).catch((error: Error) =>
      fail(`${host} does not respond: ${reasonOf(error)}`),
    );

  let authorization: string | undefined;
  let response = await read('HEAD');
  if (response.status === 401) {
    authorization = await authorize(response, path, credential, fail);
    response = await read('HEAD', authorization);
  }
  if (!response.ok) fail(failureOf(response.status, host));
  const digest = response.headers.get('docker-content-digest') ?? '';
  if (isDigest(digest)) return digest;
  // The header is optional. The digest is that of the bytes of the manifest.
  const manifest = await read('GET', authorization);
  if (!manifest.ok) fail(failureOf(manifest.status, host));
  const bytes = new Uint8Array(await manifest.arrayBuffer());
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const addressOf = (host: string): string =>
  host === DEFAULT_REGISTRY.host ? DEFAULT_REGISTRY.address : `https://${host}`;

/** The header `Authorization` that a challenge requires. A token is for reading one repository. */
async function authorize(
  response: Response,
  path: string,
  credential: string | undefined,
  fail: (reason: string) => never,
): Promise<string> {
  const challenge = parseChallenge(response.headers.get('www-authenticate') ?? '');
  const basic = credential === undefined ? undefined : `Basic ${credential}`;
  switch (challenge.scheme) {
    case 'unsupported':
      return fail('the registry requires a way of signing in that is not supported');
    case 'basic':
      return basic ?? fail('the registry requires a user and a password: docker login');
    case 'bearer': {
      const url = URL.parse(challenge.realm) ?? fail(`invalid realm ${challenge.realm}`);
      if (challenge.service !== undefined) url.searchParams.set('service', challenge.service);
      url.searchParams.set('scope', challenge.scope ?? `repository:${path}:pull`);
      const issued = await request(url.href, { method: 'GET', authorization: basic }).catch(
        (error: Error) => fail(`${url.host} does not respond: ${reasonOf(error)}`),
      );
      if (!issued.ok) fail(`${url.host} issues no token (${issued.status})`);
      const body = (await issued.json().catch(() => ({}))) as Record<string, unknown>;
      const token = body.token ?? body.access_token;
      return typeof token === 'string' ? `Bearer ${token}` : fail(`${url.host} issues no token`);
    }
  }
}

const request = (
  url: string,
  options: { method: 'HEAD' | 'GET'; authorization: string | undefined; accept?: string },
): Promise<Response> => {
  const { method, authorization, accept } = options;
  return fetch(url, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { ...(accept && { accept }), ...(authorization && { authorization }) },
  });
};

function failureOf(status: number, host: string): string {
  switch (status) {
    case 401:
    case 403:
      return `${host} refuses access (${status})`;
    case 404:
      return `${host} does not have it`;
    case 429:
      return `${host} limits requests (429); docker login raises the limit`;
    default:
      return `${host} responds with ${status}`;
  }
}

/** `fetch failed` has its reason as its cause. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message;
