import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Supervisor } from '@event-api/local-servers/supervise';
import { expect, test } from 'vitest';
import { startServers } from './servers.ts';

const settings = {
  PORT: 1,
  LOG_LEVEL: 'info',
  NATS_URL: 'nats://x',
  REDIS_URL: 'redis://x',
} as const;
/** Fails the test if a server is started. */
const supervisor = {
  start: () => Promise.reject(new Error('a server was started')),
} as unknown as Supervisor;

const attempt = (
  folder: string,
  own: { DATABASES?: 'one' | 'each'; DATABASE_URL?: string },
): Promise<unknown> =>
  startServers({ ...settings, DATA_DIR: folder, ...own }, supervisor, () => undefined);

test.each([
  ['postgres', { DATABASES: 'each' }, 'was created with DATABASES=one'],
  ['databases/catalog', { DATABASES: 'one' }, 'was created with DATABASES=each'],
  ['databases/catalog', {}, 'was created with DATABASES=each'],
  ['.', { DATABASES: 'each', DATABASE_URL: 'postgres://x' }, 'leave out DATABASE_URL'],
] as const)('with data in %s, %j starts nothing and says why', async (data, own, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-layout-'));
  mkdirSync(join(folder, data), { recursive: true });
  try {
    await expect(attempt(folder, own)).rejects.toThrow(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('uses one existing server for all processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-layout-'));
  const { databaseUrls } = (await attempt(folder, { DATABASE_URL: 'postgres://x' })) as {
    databaseUrls: Record<string, string>;
  };
  expect(new Set(Object.values(databaseUrls))).toEqual(new Set(['postgres://x']));
  rmSync(folder, { recursive: true });
});
