import { createHash, randomUUID, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { unpackedPackage } from '@event-api/local-servers/debian-packages';
import { freePort } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { killWithParent, succeeds } from '@event-api/local-servers/tether';
import { createTestAuthority } from '@event-api/platform/testing/certificates';
import { root } from './image-tree.ts';

const SERVICE = 'registry of a test';
const ISSUER = 'issuer of a test';

/** A registry of images on this machine: the program of CNCF Distribution. */
export interface TestRegistry {
  url: string;
  /** The scopes for which tokens were issued. */
  scopes: string[];
  /** Pushes an image for two architectures, with content of its own. Returns its digest. */
  push(path: string, tag: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a registry that requires a token, or with `users`, a file of htpasswd, a password. Undefined
 * where the program is neither installed nor a package of this system.
 */
export async function startRegistry(
  folder: string,
  users?: { file: string; authorization: string },
): Promise<TestRegistry | undefined> {
  const program = await registryProgram();
  if (program === undefined) return undefined;
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tokens = await startTokenServer();
  const settings = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: `127.0.0.1:${port}` },
    auth: users
      ? { htpasswd: { realm: 'test', path: users.file } }
      : { token: { ...tokens.settings, rootcertbundle: join(folder, 'ca.crt') } },
  };
  writeFileSync(join(folder, 'ca.crt'), tokens.certificate);
  writeFileSync(join(folder, 'registry.yaml'), JSON.stringify(settings));
  const supervisor = createSupervisor(() => {});
  const stop = async () => {
    await supervisor.stopAll();
    await tokens.stop();
  };
  await supervisor.start({
    name: 'registry',
    command: [...killWithParent('SIGKILL'), program, 'serve', join(folder, 'registry.yaml')],
    env: { PATH: process.env.PATH, OTEL_TRACES_EXPORTER: 'none' },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5000,
    isReady: async () => (await fetch(`${url}/v2/`)).status === 401,
    startTimeoutMs: 30_000,
  });
  const authorizationFor = (path: string) =>
    users?.authorization ?? `Bearer ${tokens.issue(path, ['pull', 'push'])}`;
  return {
    url,
    scopes: tokens.scopes,
    push: (path, tag) => push(`${url}/v2/${path}`, tag, authorizationFor(path)),
    stop,
  };
}

async function registryProgram(): Promise<string | undefined> {
  if (succeeds('docker-registry', ['--version'])) return 'docker-registry';
  const folder = await unpackedPackage(join(root, '.toolchain/deb'), 'docker-registry', (line) =>
    console.error(line),
  );
  return folder && join(folder, 'usr/bin/docker-registry');
}

/** Issues tokens to everyone for what they want, as the registries of public images do. */
async function startTokenServer() {
  const authority = createTestAuthority();
  const signer = authority.issue();
  const scopes: string[] = [];
  const issue = (path: string, actions: string[]) => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      iss: ISSUER,
      aud: SERVICE,
      sub: '',
      exp: seconds + 300,
      nbf: seconds - 10,
      iat: seconds,
      jti: randomUUID(),
      access: [{ type: 'repository', name: path, actions }],
    };
    return signToken(claims, signer);
  };
  const http = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const scope = searchParams.get('scope') ?? '';
    const [, path = '', actions = ''] = scope.split(':');
    scopes.push(scope);
    const isForUs = searchParams.get('service') === SERVICE;
    response.writeHead(isForUs ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ token: issue(path, actions.split(',')) }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    issue,
    scopes,
    certificate: authority.ca,
    settings: { realm: `http://127.0.0.1:${port}/token`, service: SERVICE, issuer: ISSUER },
    stop: () => new Promise<void>((resolve) => http.close(() => resolve())),
  };
}

/** A JSON Web Token, signed by the key of a certificate that it contains. */
function signToken(claims: object, { key, cert }: { key: string; cert: string }): string {
  const certificate = cert.replace(/-----[^-]+-----|\s/g, '');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = encode({ typ: 'JWT', alg: 'ES256', x5c: [certificate] });
  const content = `${head}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** By the API of the OCI Distribution Specification. Errors: the response of the registry. */
async function push(repository: string, tag: string, authorization: string): Promise<string> {
  const send = async (method: string, url: string, body?: string, type?: string) => {
    const response = await fetch(url, {
      method,
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
    return response;
  };
  const describe = (mediaType: string, text: string) => ({
    mediaType,
    digest: digestOf(text),
    size: Buffer.byteLength(text),
  });
  const putManifest = async (reference: string, mediaType: string, content: object) => {
    const text = JSON.stringify({ schemaVersion: 2, mediaType, ...content });
    await send('PUT', `${repository}/manifests/${reference || digestOf(text)}`, text, mediaType);
    return describe(mediaType, text);
  };
  const blob = async (mediaType: string, text: string) => {
    const location = (await send('POST', `${repository}/blobs/uploads/`)).headers.get('location');
    const url = new URL(location ?? '');
    url.searchParams.set('digest', digestOf(text));
    await send('PUT', url.href, text, 'application/octet-stream');
    return describe(mediaType, text);
  };
  const manifests: object[] = [];
  for (const architecture of ['amd64', 'arm64']) {
    const image = JSON.stringify({ architecture, os: 'linux', id: randomUUID(), rootfs: {} });
    const config = await blob('application/vnd.oci.image.config.v1+json', image);
    const layers = [await blob('application/vnd.oci.image.layer.v1.tar', architecture)];
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = await putManifest('', type, { config, layers });
    manifests.push({ ...manifest, platform: { architecture, os: 'linux' } });
  }
  const type = 'application/vnd.oci.image.index.v1+json';
  return (await putManifest(tag, type, { manifests })).digest;
}
