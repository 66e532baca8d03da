import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { internalUrlSetting } from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import { killWithParent } from '@event-api/local-servers/tether';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  createPostgresFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Line {
  time: string;
  msg: string;
  dependency?: string;
  reason?: string;
  suppressed?: number;
}

let postgres: PrivatePostgres;
let child: ChildProcess;
let internalUrl: string;
const lines: Line[] = [];

beforeAll(async () => {
  postgres = await startPrivatePostgres({ folder: createPostgresFolder().data });
  await postgres.sql('create schema catalog');
  const { PATH } = process.env;
  await promisify(execFile)(process.execPath, [join(root, 'services/catalog/src/migrate.ts')], {
    env: { PATH, MIGRATION_DATABASE_URL: postgres.url },
  });
  const { privateJwks, publicJwks } = await createTestCallers(['catalog']);
  const [port, internalPort] = [await freePort(), await freePort()];
  internalUrl = `http://127.0.0.1:${internalPort}`;
  const command = [...killWithParent('SIGKILL'), process.execPath];
  const [program = '', ...words] = [...command, join(root, 'services/catalog/src/main.ts')];
  child = spawn(program, words, {
    env: {
      PATH,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      DATABASE_URL: postgres.url,
      // Nothing listens there: the process serves without NATS.
      NATS_URL: 'nats://127.0.0.1:9',
      [internalUrlSetting('registration')]: 'http://127.0.0.1:9',
      CALLER_PRIVATE_KEY: JSON.stringify(privateJwks.catalog),
      CALLER_PUBLIC_KEYS: JSON.stringify(publicJwks),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
}, 120_000);
afterAll(async () => {
  if (child && child.exitCode === null) {
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
  await postgres?.close();
});

/**
 * The reports of the process about PostgreSQL since this time. On a busy machine there are some
 * before.
 */
const reportsSince = (since: number) =>
  lines.filter((line) => line.dependency === 'postgres' && timeOf(line) >= since);

const expectUp = (value: 0 | 1) =>
  eventually(async () => {
    const response = await fetch(`${internalUrl}/metrics`);
    const up = /^dependency_up\{[^}]*dependency="postgres"[^}]*\} (\d)/m.exec(
      await response.text(),
    );
    expect(up?.[1]).toBe(String(value));
  });

test('a service whose PostgreSQL stops and comes back shows it in the metric, and logs it at a decreasing rate', async () => {
  await expectUp(1);
  const ready = async () => (await fetch(`${internalUrl}/readyz`)).status;
  await eventually(async () => expect(await ready()).toBe(200));
  const reports = () => reportsSince(stoppedAt);
  const connected = `select from pg_stat_activity where application_name = 'catalog'`;
  expect((await postgres.sql(connected)).length).toBeGreaterThan(0);

  const stoppedAt = Date.now();
  await postgres.stop();
  await expectUp(0);
  await eventually(() => expect(reports()).toHaveLength(2));
  const [first, second] = reports();
  expect(first).toMatchObject({
    msg: 'dependency unavailable',
    reason: expect.stringMatching(/refused|reset|terminat|closed|shutting down/i),
    suppressed: 0,
  });
  // The process tries every two seconds.
  expect(second).toMatchObject({ msg: 'dependency unavailable', suppressed: expect.any(Number) });
  expect(second?.suppressed).toBeGreaterThan(0);
  expect(timeOf(second) - timeOf(first)).toBeGreaterThan(9000);
  // A lost database is lost for all replicas: the process stays ready.
  expect(await ready()).toBe(200);

  await postgres.start();
  await expectUp(1);
  await eventually(() => expect(reports().at(-1)?.msg).toBe('dependency available again'));
  expect(reports().filter(({ msg }) => msg === 'dependency available again')).toHaveLength(1);
});

const timeOf = (line: Line | undefined): number => Date.parse(line?.time ?? '');
