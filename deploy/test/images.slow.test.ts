import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killWithParent } from '@event-api/local-servers/tether';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readImages } from '../images/places.ts';
import { repositoryOf } from '../images/registry.ts';
import { copyOfDeployment } from './deployment-copy.ts';
import { root } from './image-tree.ts';
import { startRegistry, type TestRegistry } from './registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-registry-'));
const copy = copyOfDeployment();
const names = Object.keys(readImages(root));
const stops: (() => Promise<void>)[] = [];

let registry: TestRegistry | undefined;
/** The digests that the registry serves, by image. */
const pushed: Record<string, string> = {};
beforeAll(async () => {
  registry = await startRegistry(join(folder, 'with-tokens'));
  if (registry) stops.push(registry.stop);
  for (const [name, { tag }] of Object.entries(readImages(root)))
    pushed[name] = (await registry?.push(repositoryOf(name).path, tag)) ?? '';
});
afterAll(async () => {
  for (const stop of stops) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** `npm run images -- …` in the copy. */
async function images(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const script = join(copy.folder, 'deploy/images/cli.ts');
  const command = [...killWithParent('SIGKILL'), process.execPath, script, ...args];
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { PATH: process.env.PATH, DOCKER_CONFIG: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  await once(child, 'close');
  return { status: child.exitCode, ...output };
}

/** Both registries of the list are this one. */
const from = (url: string) =>
  ['docker.io', 'ghcr.io'].flatMap((host) => ['--registry', `${host}=${url}`]);
const digests = () =>
  Object.fromEntries(
    Object.entries(readImages(copy.folder)).map(([name, { digest }]) => [name, digest]),
  );

describe('npm run images, with a registry on this machine that requires tokens', () => {
  test('changes nothing while one of the images is missing there', async ({ skip }) => {
    if (!registry) return skip();
    const before = copy.read('docker-compose.yml');
    const { status, stderr } = await images(['update', 'nats', 'redis:9', ...from(registry.url)]);
    expect(stderr).toBe('redis:9: docker.io does not have it\n');
    expect(status).toBe(1);
    expect(copy.read('docker-compose.yml')).toBe(before);
    expect(readImages(copy.folder)).toEqual(readImages(root));
  });

  test('reads every digest, and writes it to the list and to every place', async ({ skip }) => {
    if (!registry) return skip();
    registry.scopes.length = 0;
    const { status, stdout, stderr } = await images(['update', ...from(registry.url)]);
    expect(status, stderr).toBe(0);
    expect(digests()).toEqual(pushed);
    expect(new Set(Object.values(pushed)).size).toBe(names.length);
    expect(stdout).toContain(`postgres:18@${pushed.postgres}\n`);
    expect(stdout).toContain('changed deploy/Dockerfile\n');
    for (const file of ['docker-compose.yml', 'deploy/kubernetes/rendered/kind/shared.yaml'])
      expect(copy.read(file)).toContain(`image: postgres:18@${pushed.postgres}\n`);
    expect(registry.scopes.toSorted()).toEqual(
      names.map((name) => `repository:${repositoryOf(name).path}:pull`).toSorted(),
    );
    expect((await images(['check'])).status).toBe(0);
  });

  test('changes the tag of one image', async ({ skip }) => {
    if (!registry) return skip();
    const digest = await registry.push('library/nats', '2.13-alpine');
    const args = ['update', 'nats:2.13-alpine', ...from(registry.url)];
    expect((await images(args)).status).toBe(0);
    expect(readImages(copy.folder).nats).toEqual({ tag: '2.13-alpine', digest });
    expect(digests()).toEqual({ ...pushed, nats: digest });
    expect(copy.read('deploy/compose/servers.yaml')).toContain(`nats:2.13-alpine@${digest}\n`);
  });

  test('names a place that was changed by hand, and repairs it without a registry', async () => {
    const file = 'deploy/compose/servers.yaml';
    copy.write(file, copy.read(file).replace(/image: redis.*/, 'image: redis:7'));
    const { status, stdout } = await images(['check']);
    expect(stdout).toMatch(/^deploy\/compose\/servers\.yaml:\d+ has redis:7 instead of redis:8/);
    expect(status).toBe(1);
    expect((await images(['write'])).stdout).toBe(`changed ${file}\n`);
    expect((await images(['check'])).status).toBe(0);
  });

  test('computes the digest where a proxy drops its header', async ({ skip }) => {
    if (!registry) return skip();
    const { url } = registry;
    const proxy = createServer(async (request, response) => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) =>
          ['accept', 'authorization'].includes(name),
        ),
      ) as Record<string, string>;
      const { method = 'GET' } = request;
      const upstream = await fetch(`${url}${request.url}`, { method, headers });
      const forwarded = ['www-authenticate', 'content-type'].flatMap((name) => {
        const value = upstream.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(upstream.status, Object.fromEntries(forwarded));
      response.end(Buffer.from(await upstream.arrayBuffer()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise((resolve) => proxy.close(() => resolve())));
    const { port } = proxy.address() as AddressInfo;
    const { status, stdout, stderr } = await images([
      'update',
      'redis',
      ...from(`http://127.0.0.1:${port}/`),
    ]);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(`redis:8-alpine@${pushed.redis}\n`);
  });
});

describe('npm run images, with a registry that requires a password', () => {
  const credential = Buffer.from('reader:a-password').toString('base64');
  const users = join(folder, 'users');
  let own: TestRegistry | undefined;
  beforeAll(async () => {
    // The hash of `a-password` by bcrypt, as htpasswd writes it.
    writeFileSync(users, 'reader:$2b$04$XZ3ElkzJK7PfyeGdHHHa2.JnwQZTaiL1Sj1hI0iFnCSkANhfL3mCC\n');
    own = await startRegistry(join(folder, 'with-passwords'), {
      file: users,
      authorization: `Basic ${credential}`,
    });
    if (own) stops.push(own.stop);
  });

  test('reads the password that docker login has stored', async ({ skip }) => {
    if (!own) return skip();
    const digest = await own.push('library/redis', '8-alpine');
    const args = ['update', 'redis', ...from(own.url)];
    const without = await images(args);
    expect(without.stderr).toContain('redis:8-alpine: the registry requires a user and a password');
    expect(without.status).toBe(1);
    const home = join(folder, 'home');
    mkdirSync(home);
    const login = (key: string, auth: string) =>
      writeFileSync(join(home, 'config.json'), JSON.stringify({ auths: { [key]: { auth } } }));
    login('docker.io', Buffer.from('reader:wrong').toString('base64'));
    expect((await images(args, { DOCKER_CONFIG: home })).stderr).toContain('refuses access (401)');
    for (const key of ['https://index.docker.io/v1/', 'docker.io']) {
      login(key, credential);
      const { status, stderr, stdout } = await images(args, { DOCKER_CONFIG: home });
      expect(status, stderr).toBe(0);
      expect(stdout).toContain(`redis:8-alpine@${digest}\n`);
    }
  });
});

test.each([
  [['update', 'mariadb'], 'mariadb is not in deploy/images.json'],
  [['update', '--registry', 'docker.io'], '--registry docker.io is not <host>=<url>'],
  [
    ['update', 'redis', '--registry', 'docker.io=http://127.0.0.1:2'],
    'redis:8-alpine: docker.io does not respond',
  ],
  [['check', 'redis'], 'npm run -s images -- <command>'],
  [[], 'npm run -s images -- <command>'],
])('npm run images -- %j fails and says why', async (args, message) => {
  const { status, stderr } = await images(args);
  expect(stderr).toContain(message);
  expect(status).toBe(1);
});
