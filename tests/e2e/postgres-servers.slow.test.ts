import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { contentsOf, type SecretContent } from '@event-api/deploy/secrets/contents';
import { createSecrets, rotateSecrets } from '@event-api/deploy/secrets/secrets.commands';
import { readStore } from '@event-api/deploy/secrets/store';
import {
  createPostgresFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'event-api-servers-'));
let shared: PrivatePostgres;
let own: PrivatePostgres;
beforeAll(async () => {
  const start = () => startPrivatePostgres({ folder: createPostgresFolder().data });
  [shared, own] = await Promise.all([start(), start()]);
  createSecrets(folder, {
    paymentProvider: 'sandbox',
    addresses: { postgres: withoutPassword(shared.url) },
  });
}, 300_000);
afterAll(async () => {
  await Promise.all([shared?.close(), own?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}

function settingsOf(reader: string): Record<string, string> {
  const store = readStore(folder);
  const contents: Record<string, SecretContent> = store ? contentsOf(store) : {};
  return contents[reader]?.settings ?? {};
}

/** Runs a program of the images with these settings and nothing else. */
async function run(file: string, settings: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, file)], { env });
  return stdout;
}

/**
 * Runs the provisioning job of a server. `previous` is the superuser's address from before the first
 * run, in which the server has another password.
 */
async function provisionServer(reader: string, previous?: string): Promise<void> {
  const { NATS_URL: _, ...settings } = settingsOf(reader);
  await run('deploy/compose/provision.ts', {
    ...settings,
    ...(previous && { PREVIOUS_PROVISION_DATABASE_URL: previous }),
  });
}

/** The error code of PostgreSQL, or undefined if the login works. */
async function rejectionOf(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

/** Rows of a query of a server's superuser. */
async function queryAs(reader: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: settingsOf(reader).PROVISION_DATABASE_URL });
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** The address of one server with the login of another address. */
function loginAt(server: PrivatePostgres, url: string): string {
  const moved = new URL(url);
  const { hostname, port } = new URL(server.url);
  moved.hostname = hostname;
  moved.port = port;
  return moved.href;
}

const urlOf = (process: string) => settingsOf(process).DATABASE_URL ?? '';

describe('a process that gets a PostgreSQL server of its own', () => {
  let before: string;

  test('shares one before', async () => {
    await provisionServer('provision', shared.url);
    before = urlOf('commerce');
    expect(await rejectionOf(before)).toBeUndefined();
    expect(await rejectionOf(urlOf('catalog'))).toBeUndefined();
  });

  test('logs in at its own one, with the same password, and can no longer at the shared one', async () => {
    const session = new Client({ connectionString: before });
    const ended = new Promise((resolve) => session.on('error', resolve));
    await session.connect();
    createSecrets(folder, { postgresOf: [`commerce=${withoutPassword(own.url)}`] });
    await provisionServer('provision-commerce', own.url);
    await provisionServer('provision');
    expect(urlOf('commerce')).toBe(loginAt(own, before));
    expect(await rejectionOf(urlOf('commerce'))).toBeUndefined();
    expect(await rejectionOf(before)).toBe('28P01');
    await ended;
  });

  test('is alone there', async () => {
    const roles = await queryAs(
      'provision-commerce',
      `select rolname as name from pg_roles where rolcanlogin and rolname <> 'postgres' order by 1`,
    );
    expect(roles).toEqual([{ name: 'commerce_app' }, { name: 'commerce_owner' }]);
    expect(await rejectionOf(loginAt(own, urlOf('catalog')))).toMatch(/^28/);
    expect(await rejectionOf(urlOf('catalog'))).toBeUndefined();
  });

  test('migrates its schema there as its owner', async () => {
    await run('services/commerce/src/migrate.ts', settingsOf('commerce-owner'));
    const owners = `select distinct tableowner as name from pg_tables where schemaname = 'commerce'`;
    expect(await queryAs('provision-commerce', owners)).toEqual([{ name: 'commerce_owner' }]);
    expect(await queryAs('provision', owners)).toEqual([]);
  });

  test('gets another superuser and other passwords without the others', async () => {
    const catalog = urlOf('catalog');
    const replaced = urlOf('commerce');
    for (const step of ['accept', 'use', 'finish'] as const) {
      rotateSecrets(folder, step, ['commerce']);
      await provisionServer('provision-commerce');
      await provisionServer('provision');
      expect([step, await rejectionOf(urlOf('commerce'))]).toEqual([step, undefined]);
      expect([step, await rejectionOf(catalog)]).toEqual([step, undefined]);
    }
    expect(await rejectionOf(replaced)).toBe('28P01');
    const { PROVISION_DATABASE_URL = '' } = settingsOf('provision-commerce');
    expect(await rejectionOf(PROVISION_DATABASE_URL)).toBeUndefined();
  });

  test('shares again when its address is empty', async () => {
    createSecrets(folder, { postgresOf: ['commerce='] });
    await provisionServer('provision');
    expect(urlOf('commerce')).toContain(new URL(shared.url).host);
    expect(await rejectionOf(urlOf('commerce'))).toBeUndefined();
  });
});

test('the job that has no server left prepares the stream alone', async () => {
  const { NATS_URL = '' } = settingsOf('provision');
  await run('deploy/compose/provision.ts', { NATS_URL });
  await expect(run('deploy/compose/provision.ts', {})).rejects.toThrow(
    'PROVISION_DATABASE_URL is missing',
  );
});
