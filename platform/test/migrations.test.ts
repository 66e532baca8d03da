import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sqlState } from '../src/core/error-reason.ts';
import { migrate } from '../src/db/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { eventually } from '../testing/eventually.ts';
import { nextRelease } from '../testing/next-release.ts';
import { postgresUrl } from '../testing/servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql('create schema shop');
});
afterAll(() => database?.drop());
beforeEach(async () => {
  await database.sql('drop table if exists shop.mikro_orm_migrations, shop.item');
  await database.sql('create table shop.item (id int)');
});

const addColumn = () =>
  nextRelease({ url: database.url, schema: 'shop' }, 'alter table shop.item add column note text');

const waiting = () =>
  database.sql(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query like 'alter table shop.item%'`,
  );

/** A transaction that has read the table and stays open. */
async function startReading() {
  const session = await database.session();
  await session.sql('begin');
  await session.sql('select * from shop.item');
  return session;
}

describe('a migration of a table that is in use', () => {
  test('releases its place in the lock queue within a second, and completes later', async () => {
    const reader = await startReading();
    const migrated = migrate(addColumn());
    // The migration waits again and again, so a busy machine gets several measurements.
    await eventually(async () => {
      expect(await waiting()).toHaveLength(1);
      const begun = performance.now();
      await database.sql('select * from shop.item');
      expect(performance.now() - begun).toBeLessThan(1500);
    });
    await eventually(async () => expect(await waiting()).toHaveLength(0));
    await reader.end();
    expect(await migrated).toEqual(['Migration29991231000000_next']);
    expect(await migrate(addColumn())).toEqual([]);
    expect(await database.sql('select note from shop.item')).toEqual([]);
  });

  test('fails after its time-out, without any change', async () => {
    const reader = await startReading();
    const failure = await migrate(addColumn(), { timeoutMs: 1 }).catch((error: unknown) => error);
    expect(sqlState(failure)).toBe('55P03');
    await reader.end();
    await expect(database.sql('select note from shop.item')).rejects.toThrow('note');
  });

  test('runs once when it is started twice', async () => {
    const reader = await startReading();
    const both = [migrate(addColumn()), migrate(addColumn())];
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    await eventually(async () => expect(await waiting()).toHaveLength(0));
    await reader.end();
    expect((await Promise.all(both)).flat()).toEqual(['Migration29991231000000_next']);
  });
});

describe('an index of a table that is in use', () => {
  const addIndex = (...before: string[]) =>
    nextRelease(
      { url: database.url, schema: 'shop' },
      ...before,
      'create index if not exists item_by_id on shop.item (id)',
    );
  const building = () =>
    database.sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like 'create index concurrently%'`,
    );
  const indexes = async () =>
    (
      await database.sql<{ name: string }>(
        `select indexrelid::regclass::text as name from pg_index where indrelid = 'shop.item'::regclass and indisvalid`,
      )
    ).map(({ name }) => name);

  test('is built while transactions write to the table, also when the migration is started twice', async () => {
    const writer = await database.session();
    await writer.sql('begin');
    await writer.sql('insert into shop.item values (1)');
    const both = [migrate(addIndex()), migrate(addIndex())];
    await eventually(async () => expect(await building()).toHaveLength(1));
    await database.sql('insert into shop.item values (2)');
    await writer.end();
    expect((await Promise.all(both)).flat()).toEqual(['Migration29991231000000_next']);
    expect(await indexes()).toEqual(['shop.item_by_id']);
  });

  test('is built again after a run that failed', async () => {
    const writer = await database.session();
    await writer.sql('begin');
    await writer.sql('insert into shop.item values (1)');
    const failure = await migrate(addIndex(), { timeoutMs: 50 }).catch((error: unknown) => error);
    expect(sqlState(failure)).toBe('55P03');
    await writer.end();
    expect(await indexes()).toEqual([]);
    expect(await migrate(addIndex())).toHaveLength(1);
    expect(await indexes()).toEqual(['shop.item_by_id']);
  });

  test('is created by the migration if that creates its table or its column', async () => {
    const addColumnAndIndex = nextRelease(
      { url: database.url, schema: 'shop' },
      'alter table shop.item add column note text',
      'create index if not exists item_by_note on shop.item (note)',
    );
    expect(await migrate(addColumnAndIndex)).toHaveLength(1);
    await database.sql('drop table shop.item, shop.mikro_orm_migrations');
    expect(await migrate(addIndex('create table shop.item (id int)'))).toHaveLength(1);
    expect(await indexes()).toEqual(['shop.item_by_id']);
  });
});

test('a migration of tables that other migrations created fails with an instruction', async () => {
  const initial = nextRelease(
    { url: database.url, schema: 'shop' },
    'create table shop.item (id int)',
  );
  await expect(migrate(initial)).rejects.toThrow('migrations that no longer exist');
  expect(await database.sql('select * from shop.item')).toEqual([]);
});
