import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  createPostgresFolder,
  createServerFolder,
  type PrivatePostgres,
  startPrivatePostgres,
} from '@event-api/platform/testing/private-postgres';
import { archiveSettings } from '@event-api/provisioning/backup/archive';
import { listBackups } from '@event-api/provisioning/backup/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './image-tree.ts';

const backups = mkdtempSync(join(tmpdir(), 'event-api-backups-'));
const { folder, data } = createPostgresFolder();
let server: PrivatePostgres;

beforeAll(async () => {
  createServerFolder(backups);
  createServerFolder(join(backups, 'wal'));
  server = await startPrivatePostgres({ folder, settings: archiveSettings(backups) });
});

afterAll(async () => {
  await server?.close();
  rmSync(backups, { recursive: true, force: true });
});

const main = join(root, 'deploy/provisioning/backup/main.ts');
const environment = () => ({ ...process.env, PROVISION_DATABASE_URL: server.url });

test('the schedule takes the first backup at once, shows it, and ends with SIGTERM', async () => {
  const port = await freePort();
  const options = ['--backups', backups, '--data', data, '--port', String(port)];
  const child = spawn(process.execPath, [main, 'schedule', ...options], {
    env: environment(),
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  try {
    await eventually(async () => expect((await get('/readyz')).status).toBe(200));
    const [newest] = listBackups(backups);
    expect(await (await get('/metrics')).text()).toContain(
      `backup_newest_timestamp_seconds ${Date.parse(newest?.startedAt ?? '') / 1000}\n`,
    );
    expect((await get('/other')).status).toBe(404);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});

test('the commands of operators take, list and check backups', () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [main, ...args, '--backups', backups],
      { encoding: 'utf8', env: environment() },
    );
    return { status, output: `${stdout}${stderr}` };
  };
  const [first] = listBackups(backups);
  const taken = run('take', '--data', data, '--keep', '1');
  const [newest] = listBackups(backups);
  expect(taken).toEqual({
    status: 0,
    output: `backup ${newest?.name} is complete\ndeleted ${first?.name}\n`,
  });
  expect(run('list').output).toMatch(new RegExp(`^${newest?.name}  restores to .* MB\\n$`));
  expect(run('check')).toEqual({ status: 0, output: '1 backups and their log are complete\n' });
  expect(run('restore', '--data', data)).toEqual({
    status: 1,
    output: expect.stringMatching(/stop it first/),
  });
  expect(run('take').output).toBe('--data is missing\n');
});
