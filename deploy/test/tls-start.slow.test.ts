import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { killWithParent } from '@event-api/local-servers/tether';
import { openDatabase } from '@event-api/platform/db/database';
import { ormOptions } from '@event-api/platform/db/migrations';
import { statement } from '@event-api/platform/db/statement';
import { createTestAuthority } from '@event-api/platform/testing/certificates';
import { eventually } from '@event-api/platform/testing/eventually';
import { startTlsServers, withTls } from '@event-api/platform/testing/tls-servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../secrets/contents.ts';
import { completeStore, type SecretStore } from '../secrets/store.ts';
import { root } from './image-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-tls-start-'));
const authority = createTestAuthority();
const fileWith = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const ca = fileWith('ca.crt', authority.ca);
const otherCa = fileWith('other-ca.crt', createTestAuthority().ca);
const secrets = completeStore(undefined, { paymentProvider: 'sandbox' });

let servers: Awaited<ReturnType<typeof startTlsServers>>;
beforeAll(async () => {
  // The users of NATS are those of its Secret.
  const authorization = contentsOf(secrets).nats?.files['authorization.conf'] ?? '';
  servers = await startTlsServers({ folder, authority, host: 'localhost', authorization });
});
afterAll(async () => {
  await servers?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The Secrets of a platform whose addresses name the authorities of these files. */
function secretsWith(files: { postgres: string; nats: string }) {
  const { username, password, host, pathname } = new URL(servers.postgres);
  const postgres = `postgres://${username}@${host}${pathname}`;
  const store: SecretStore = completeStore(secrets, {
    addresses: {
      postgres: withTls.postgres(postgres, files.postgres),
      nats: withTls.nats(servers.nats, files.nats),
    },
  });
  const superuser = { phase: 'stable', value: { slot: 'a', secret: password } } as const;
  store.credentials['postgres/superuser'] = superuser;
  return contentsOf(store);
}

/** Starts a script as its container does. */
function start(script: string, ...settings: (object | undefined)[]) {
  const command = [...killWithParent('SIGKILL'), process.execPath, join(root, script)];
  const [program = '', ...words] = command;
  const env = Object.assign({ PATH: process.env.PATH }, ...settings);
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  const ended = once(child, 'close').then(() => ({ status: child.exitCode, output }));
  return { child, ended, output: () => output };
}

const provisioning = (files: { postgres: string; nats: string }) =>
  start('deploy/compose/provision.ts', secretsWith(files).provision?.settings, {
    STREAM_REPLICAS: '1',
  }).ended;

/** The settings of catalog, with ports of their own. */
async function catalogSettings(files: { postgres: string; nats: string }) {
  const contents = secretsWith(files);
  const [port, internalPort] = [await freePort(), await freePort()];
  const ports = { HOST: '127.0.0.1', PORT: String(port), INTERNAL_PORT: String(internalPort) };
  const unreachable = { REGISTRATION_INTERNAL_URL: 'http://127.0.0.1:9' };
  return {
    internalPort,
    settings: [contents.catalog?.settings, contents.callers?.settings, ports, unreachable],
  };
}

test('the provisioning, a migration and a process use TLS to PostgreSQL and NATS', async () => {
  const files = { postgres: ca, nats: ca };
  expect(await provisioning(files)).toMatchObject({ status: 0 });
  const owner = secretsWith(files).owner?.settings;
  expect(await start('services/catalog/src/migrate.ts', owner).ended).toMatchObject({ status: 0 });

  const { settings, internalPort } = await catalogSettings(files);
  const { child, ended, output } = start('services/catalog/src/main.ts', ...settings);
  await eventually(async () => {
    const metrics = await fetch(`http://127.0.0.1:${internalPort}/metrics`);
    const text = await metrics.text();
    for (const name of ['postgres', 'nats'])
      expect(text, output().slice(-2000)).toMatch(
        new RegExp(`^dependency_up\\{[^}]*"${name}"[^}]*\\} 1$`, 'm'),
      );
  }, 60_000);
  const migrations = new URL('.', import.meta.url);
  const options = { url: servers.postgres, schema: 'public', entities: [], migrations };
  const superuser = await openDatabase(ormOptions(options), 1);
  const connections = await superuser.query(
    statement<{ ssl: boolean }>(
      'encrypted_logins',
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where usename <> 'postgres' and backend_type = 'client backend'`,
    ),
  );
  await superuser.close();
  expect(connections).toEqual([{ ssl: true }]);
  child.kill('SIGTERM');
  expect((await ended).status).toBe(0);
});

test.each([
  ['PostgreSQL', { postgres: otherCa, nats: ca }],
  ['NATS', { postgres: ca, nats: otherCa }],
])('the provisioning rejects a certificate of %s from another authority', async (_, files) => {
  const { status, output } = await provisioning(files);
  expect(status).toBe(1);
  expect(output).toMatch(/certificate/);
});

test('a process whose authority is not mounted names the settings and exits', async () => {
  const missing = join(folder, 'missing.crt');
  const { settings } = await catalogSettings({ postgres: missing, nats: missing });
  const { status, output } = await start('services/catalog/src/main.ts', ...settings).ended;
  expect(status).not.toBe(0);
  expect(output).toContain('DATABASE_URL: names a file that cannot be read');
  expect(output).toContain('NATS_URL: names a file that cannot be read');
});
