import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLeaderLock, type LeaderLock } from '../../src/messaging/projections/leader.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { postgresUrl } from '../../testing/servers.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

let database: TestDatabase;
const locks: LeaderLock[] = [];
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(async () => {
  await Promise.all(locks.map((lock) => lock.close()));
  await database?.drop();
});

function candidate(name: string, databaseUrl = database.url): LeaderLock {
  const lock = createLeaderLock({ databaseUrl, name });
  locks.push(lock);
  return lock;
}

const leads = (lock: LeaderLock) =>
  eventually(async () => expect(await lock.isLeader()).toBe(true));

test('a leader whose connection is dead without a sign stops leading, and leads again on a new one', async () => {
  const proxy = await startTcpProxy(database.url);
  const lock = candidate('half open', proxy.url);
  await leads(lock);
  proxy.abandon();
  await eventually(async () => expect(await lock.isLeader()).toBe(false), 20_000);
  // The server still has the session behind the proxy, and ends it.
  await database.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'half open'",
  );
  await leads(lock);
  await proxy.close();
});

test('a leader that resigns lets another one lead at once', async () => {
  const [one, other] = [candidate('resigned'), candidate('resigned')];
  await leads(one);
  expect(await other.isLeader()).toBe(false);
  await one.resign();
  await leads(other);
  expect(await one.isLeader()).toBe(false);
});
