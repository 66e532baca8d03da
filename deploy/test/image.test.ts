import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  callerIssuers,
  type Process,
  schemas,
  topology,
  urlSettingsOf,
} from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy, waitUntil } from '@event-api/local-servers/probe';
import { killWithParent } from '@event-api/local-servers/tether';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { callerKeys } from '@event-api/provisioning/keys';
import { provision } from '@event-api/provisioning/provision';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildImageTree, isInContext, nodeIn, removeImageTree, root } from './image-tree.ts';

const UNPRIVILEGED_UID = 65_534;
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');

describe('the Dockerfile', () => {
  const instructions = dockerfile.split('\n').filter((line) => /^[A-Z]+ /.test(line));
  const last = (word: string) => instructions.findLast((line) => line.startsWith(`${word} `));

  test('runs as a numeric user other than root, with node as PID 1', () => {
    expect(last('USER')).toBe('USER 1000:1000');
    expect(last('CMD')).toMatch(/^CMD \["node", /);
    expect(last('ENTRYPOINT')).toBeUndefined();
  });

  test('has the versions of Node and pnpm that the tests use', () => {
    const bootstrap = readFileSync(join(root, 'tools/bootstrap.mjs'), 'utf8');
    const tested = (what: string) => new RegExp(`const ${what} = '([\\d.]+)'`).exec(bootstrap)?.[1];
    const images = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(images).toEqual([tested('NODE'), tested('NODE')]);
    expect(dockerfile).toContain(`pnpm@${tested('PNPM')}\n`);
  });

  test('has a health check that the image contains', () => {
    const [, script = ''] = /HEALTHCHECK .*"node", "([^"]+)"/.exec(dockerfile) ?? [];
    expect(existsSync(join(root, script))).toBe(true);
    expect(isInContext(script, ignoreFile)).toBe(true);
  });

  test.each([
    ['.env', false],
    ['.git/config', false],
    ['.data/caller-keys.json', false],
    ['docs/rules.md', false],
    ['gateway/test/harness.ts', false],
    ['platform/testing/http-client.ts', false],
    ['deploy/kubernetes/base/kustomization.yaml', false],
    ['gateway/src/main.ts', true],
    ['services/catalog/src/migrations/any.ts', true],
    ['deploy/provisioning/provision.ts', true],
    ['pnpm-lock.yaml', true],
  ])('includes %s: %s', (path, isIncluded) => {
    expect(isInContext(path, ignoreFile)).toBe(isIncluded);
  });
});

describe('a process of the image, as an unprivileged user on a read-only file system', () => {
  const tested = process.env.TEST_SIZE === 'full' ? topology : topology.slice(0, 1);
  let tree: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-image-keys-'));

  beforeAll(async () => {
    tree = buildImageTree();
    database = await createTestDatabase(inject('postgresUrl'));
  });

  afterAll(async () => {
    await database.drop();
    removeImageTree(tree);
    rmSync(dataDir, { recursive: true, force: true });
  });

  function environmentOf(each: Process, url: string): Record<string, string> {
    const keys = callerKeys(dataDir, callerIssuers);
    const unreachable = urlSettingsOf(each).map((setting) => [setting, 'http://127.0.0.1:9']);
    return {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: url,
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
      CALLER_PRIVATE_KEY: JSON.stringify(keys.private[each.name]),
      CALLER_PUBLIC_KEYS: JSON.stringify(keys.public),
      PAYMENT_PROVIDER: 'sandbox',
      ALLOW_SANDBOX: '1',
      SANDBOX_URL: 'http://127.0.0.1:9',
      SANDBOX_SECRETS: 'a-secret-for-the-sandbox-of-this-test',
      ...Object.fromEntries(unreachable),
    };
  }

  const unprivileged = () =>
    process.getuid?.() === 0
      ? ['setpriv', `--reuid=${UNPRIVILEGED_UID}`, `--regid=${UNPRIVILEGED_UID}`, '--clear-groups']
      : [];

  function launch(
    args: string[],
    env: Record<string, string>,
  ): { child: ChildProcess; output: () => string } {
    const [program = '', ...rest] = [
      ...unprivileged(),
      ...killWithParent('SIGKILL'),
      nodeIn(tree),
      ...args,
    ];
    const child = spawn(program, rest, { cwd: tree, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        text += part.toString();
      });
    }
    return { child, output: () => text };
  }

  test('has no development dependencies', () => {
    const found = ['vitest', 'typescript', '@biomejs'].filter((name) =>
      existsSync(join(tree, 'node_modules', name)),
    );
    expect(found).toEqual([]);
  });

  test('cannot write to its source folder', () => {
    const [program = '', ...words] = [...unprivileged(), 'touch', join(tree, 'gateway/src/x')];
    expect(spawnSync(program, words).status).not.toBe(0);
  });

  // Without settings each script fails after it has loaded all its modules.
  test.each([
    ['payment-sandbox/src/main.ts', 'SANDBOX_SECRETS is missing'],
    ['deploy/compose/init.ts', 'EACCES'],
    ['deploy/compose/provision.ts', 'PROVISION_DATABASE_URL'],
    ['tools/admin/cli/admin.ts', 'unit.create'],
    ['load-tests/in-containers.ts', 'DATA_DIR'],
  ])('%s finds all modules that it imports', async (script, message) => {
    const { child, output } = launch([script, 'help'], { PATH: process.env.PATH ?? '' });
    await once(child, 'close');
    expect(output()).toContain(message);
  });

  test.each(tested)('$name migrates, becomes ready, and ends on SIGTERM', async (each) => {
    const urls = await provision(database.url, schemas);
    const migration = launch([`${each.folder}/src/migrate.ts`], {
      PATH: process.env.PATH ?? '',
      MIGRATION_DATABASE_URL: urls.owner,
    });
    await once(migration.child, 'close');
    expect(migration.child.exitCode, migration.output()).toBe(0);

    const [port, internalPort] = [await freePort(), await freePort()];
    const { child, output } = launch([`${each.folder}/src/main.ts`], {
      ...environmentOf(each, urls.app[each.name]),
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
    });
    const ended = once(child, 'close');
    const isReady = () => isHealthy(`http://127.0.0.1:${internalPort}/readyz`);
    const ready = await waitUntil(isReady, 60_000);
    const check = launch(['deploy/compose/healthcheck.ts'], {
      PATH: process.env.PATH ?? '',
      INTERNAL_PORT: String(internalPort),
    });
    await once(check.child, 'close');
    child.kill('SIGTERM');
    await ended;
    expect(ready, output()).toBe(true);
    expect(check.child.exitCode).toBe(0);
    expect(child.exitCode).toBe(0);
  });
});
