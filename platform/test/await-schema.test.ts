import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../src/core/log.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { awaitSchema } from '../src/service/await-schema.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { httpClient } from '../testing/http-client.ts';
import { postgresUrl } from '../testing/servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'event-api-migrations-'));
for (const file of ['M1_first.ts', 'M2_second.ts', 'M3_third.ts', 'M2_second.test.ts'])
  writeFileSync(join(folder, file), '');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql('create schema shop');
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => database.sql('drop table if exists shop.mikro_orm_migrations'));

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const apply = async (...names: string[]) => {
  await database.sql('create table if not exists shop.mikro_orm_migrations (name text)');
  for (const name of names)
    await database.sql('insert into shop.mikro_orm_migrations values ($1)', [name]);
};

async function start(url = database.url) {
  const lines: { level: string; msg: string; missing?: string[] }[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = createLogger({ service: 'test', level: 'info', destination: { write } });
  const migrations = new URL(`file://${folder}/`);
  const orm = ormOptions({ url, schema: 'shop', entities: [], migrations });
  const db: Database = await openDatabase(orm, 1);
  cleanUps.push(() => db.close());
  const internalPort = await freePort();
  const stopping = new AbortController();
  const started = awaitSchema({
    orm,
    db,
    log,
    host: '127.0.0.1',
    internalPort,
    stopping: stopping.signal,
  });
  const internal = httpClient(`http://127.0.0.1:${internalPort}`);
  return { lines, started, stopping, internal };
}

describe('a process whose schema lacks migrations of its release', () => {
  test('waits, says so on its internal port and in its log, and starts after the last one', async () => {
    await apply('M1_first');
    const { lines, started, internal } = await start();
    let hasStarted = false;
    void started.then(() => {
      hasStarted = true;
    });
    const missing = ['M2_second', 'M3_third'];
    await eventually(async () => {
      const { status, body } = await internal('GET', '/readyz');
      expect([status, body]).toEqual([503, { status: 'not ready', missingMigrations: missing }]);
    });
    expect((await internal('GET', '/healthz')).status).toBe(200);
    await apply('M2_second');
    await eventually(async () => {
      const { body } = await internal('GET', '/readyz');
      expect(body.missingMigrations).toEqual(['M3_third']);
    });
    expect(hasStarted).toBe(false);
    await apply('M3_third');
    const check = await started;
    await expect(check()).resolves.toBeUndefined();
    await expect(internal('GET', '/healthz')).rejects.toThrow();
    expect(lines[0]).toMatchObject({
      msg: 'waiting for the migrations of this release',
      missing,
    });
    expect(lines.at(-1)?.msg).toBe('the schema has the migrations of this release');
  });

  test('waits for the first migration too', async () => {
    const { started, stopping, internal } = await start();
    await eventually(async () => {
      const { body } = await internal('GET', '/readyz');
      expect(body.missingMigrations).toHaveLength(3);
    });
    stopping.abort();
    await expect(started).rejects.toMatchObject({ name: 'AbortError' });
    await expect(internal('GET', '/healthz')).rejects.toThrow();
  });
});

test('a process starts at once with its own schema, and with that of a later release', async () => {
  await apply('M1_first', 'M2_second', 'M3_third', 'M4_of_the_next_release');
  const { lines, started } = await start();
  await (await started)();
  expect(lines).toEqual([]);
});

test('a process starts without its database, and is not ready before its schema is known', async () => {
  const unreachable = new URL(database.url);
  unreachable.port = String(await freePort());
  const { started } = await start(unreachable.href);
  await expect((await started)()).rejects.toThrow(/ECONNREFUSED/);
});
