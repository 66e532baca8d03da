import assert from 'node:assert/strict';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { schemas, topology } from '@event-api/contracts/topology';
import { environmentOf } from '@event-api/deploy/test/process-environment';
import {
  images as allImages,
  sandboxes,
  startedScripts,
} from '@event-api/deploy/test/started-scripts';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy as responds, waitUntil } from '@event-api/local-servers/probe';
import { provisionedUrls } from '@event-api/provisioning/database-roles';
import { runInImage, startContainer } from '../images/container.ts';
import type { BuiltImage, ImageStore } from '../images/store.ts';
import type { Proof } from './proof.ts';

/** What the proofs about images work with. They run in order. */
export interface ImagesContext {
  store: ImageStore;
  /** The addresses of real servers, which nothing has provisioned. */
  servers: Record<'postgres' | 'nats' | 'redis', string>;
  /** A new empty folder. */
  createFolder(name: string): string;
}

/** On a machine with many busy programs, too. */
const START_TIMEOUT_MS = 5 * 60_000;
const USER_ID = 10001;

export const images: readonly Proof<ImagesContext>[] = [
  ...allImages.map((image) => ({
    title: `the image of ${image.name} is built`,
    prove: ({ store }: ImagesContext) => store.build(image),
  })),
  ...allImages.map(({ name }) => ({
    title: `the image of ${name} has every script that something runs in it`,
    async prove({ store }: ImagesContext) {
      const image = store.get(name);
      const started = startedScripts.filter((each) => each.image === name);
      assert.ok(started.length > 0);
      const missing = started.filter(
        ({ path }) => !existsSync(join(image.root, path.startsWith('/') ? '' : image.folder, path)),
      );
      assert.deepEqual(missing, []);
    },
  })),
  ...allImages.map(({ name }) => ({
    title: `the image of ${name} runs as user ${USER_ID} and writes to /tmp only`,
    async prove({ store }: ImagesContext) {
      const command = ['node', '--eval', WRITE];
      const { stdout, stderr } = await runInImage(store.get(name), { command });
      assert.deepEqual(JSON.parse(stdout || JSON.stringify(stderr)), {
        user: [USER_ID, USER_ID],
        '/app': 'EROFS',
        '/run/event-api': 'EROFS',
        '/tmp': 'written',
      });
    },
  })),
  {
    title: 'the image of tools generates secrets, provisions PostgreSQL, and lists its commands',
    async prove({ store, servers, createFolder }) {
      const tools = store.get('tools');
      const volume = createFolder('secrets');
      // A new volume gets the owner of the folder in the image.
      chownSync(volume, USER_ID, USER_ID);
      await expectSuccess(tools, {
        command: ['node', 'deploy/compose/init.ts'],
        volumes: { '/run/event-api': volume },
      });
      for (const { name } of topology) assert.ok(readdirSync(volume).includes(name), name);
      await expectSuccess(tools, {
        command: ['node', 'deploy/compose/provision.ts'],
        env: { PROVISION_DATABASE_URL: servers.postgres },
      });
      assert.match(await expectSuccess(tools, {}), /unit\.create/);
    },
  },
  ...topology.map((each) => ({
    title: `the image of ${each.name} migrates, becomes ready, and ends on SIGTERM`,
    async prove({ store, servers }: ImagesContext) {
      const urls = provisionedUrls(servers.postgres, schemas);
      const image = store.get(each.name);
      await expectSuccess(image, {
        command: ['node', 'src/migrate.ts'],
        env: { MIGRATION_DATABASE_URL: urls.schemaOwner[each.name] },
      });
      const addresses = { ...servers, database: urls.app[each.name] };
      await expectReady(image, environmentOf(each, addresses));
    },
  })),
  {
    title: 'the image of tools deletes old entries of the audit log',
    async prove({ store, servers }) {
      await expectSuccess(store.get('tools'), {
        command: ['node', 'deploy/retention/retention.ts'],
        env: {
          MIGRATION_DATABASE_URL: provisionedUrls(servers.postgres, schemas).owner,
          AUDIT_RETENTION_DAYS: '400',
        },
      });
    },
  },
  ...sandboxes.map((name) => ({
    title: `the image of ${name} becomes ready, and ends on SIGTERM`,
    prove: ({ store }: ImagesContext) => expectReady(store.get(name), settingsOfSandbox[name]),
  })),
];

/** Prints the user, and what a write to each folder results in. */
const WRITE = `
const { writeFileSync } = require('node:fs');
const result = { user: [process.getuid(), process.getgid()] };
for (const folder of ['/app', '/run/event-api', '/tmp'])
  try {
    writeFileSync(folder + '/written', '');
    result[folder] = 'written';
  } catch ({ code }) {
    result[folder] = code;
  }
console.log(JSON.stringify(result));
`;

const settingsOfSandbox: Record<(typeof sandboxes)[number], Record<string, string>> = {
  'payment-sandbox': {
    PUBLIC_URL: 'http://127.0.0.1:9',
    NOTIFICATION_URL: 'http://127.0.0.1:9',
    SANDBOX_SECRETS: 'a-secret-for-the-sandbox-of-this-test',
    DATA_FILE: '/tmp/payment-sandbox.jsonl',
    ALLOW_SANDBOX: '1',
  },
  'identity-sandbox': {
    NODE_ENV: 'development',
    ISSUER_URL: 'http://127.0.0.1:9',
    REDIRECT_URL: 'http://127.0.0.1:9',
    CLIENT_SECRET: 'a-secret-for-the-sandbox-of-this-test',
  },
};

/** Returns what it writes. */
async function expectSuccess(
  image: BuiltImage,
  options: Parameters<typeof runInImage>[1],
): Promise<string> {
  const { status, stdout, stderr } = await runInImage(image, options);
  assert.equal(status, 0, stderr + stdout);
  return stdout;
}

/** The process answers the probes of Kubernetes and the health check of the image. */
async function expectReady(image: BuiltImage, settings: Record<string, string>): Promise<void> {
  const internalPort = await freePort();
  const ports = { PORT: String(await freePort()), INTERNAL_PORT: String(internalPort) };
  const container = startContainer(image, { env: { ...settings, HOST: '127.0.0.1', ...ports } });
  try {
    for (const probe of ['healthz', 'readyz']) {
      const url = `http://127.0.0.1:${internalPort}/${probe}`;
      const answers = async () => container.hasEnded() || (await responds(url));
      const isInTime = await waitUntil(answers, START_TIMEOUT_MS);
      assert.ok(isInTime && !container.hasEnded(), `${probe}: ${container.output()}`);
    }
    // It waits for two seconds only, and Compose repeats it, too.
    const check = () => runInImage(image, { command: image.healthCheck, env: ports });
    const isHealthy = await waitUntil(async () => (await check()).status === 0, START_TIMEOUT_MS);
    assert.ok(isHealthy, 'the health check of the image fails');
  } finally {
    const { status, stdout, stderr } = await container.stop();
    assert.equal(status, 0, stderr + stdout);
  }
}
