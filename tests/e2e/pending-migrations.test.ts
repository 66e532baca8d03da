import { schemas } from '@event-api/contracts/topology';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { withPendingMigrations } from '@event-api/tools/platform/pending-migrations';
import { currentSource } from '@event-api/tools/platform/process-source';
import { expect, test } from 'vitest';
import { createDatabaseFixture } from './fixtures/database.ts';

const migrated = currentSource.topology.filter(({ migrates }) => migrates);

async function pendingOf(database: TestDatabase): Promise<string[]> {
  try {
    const pending = await withPendingMigrations(database.url, currentSource, migrated);
    return pending.map(({ name }) => name);
  } finally {
    await database.drop();
  }
}

test('no migration is pending in a migrated database', async () => {
  expect(await pendingOf(await createDatabaseFixture())).toEqual([]);
});

test('all migrations are pending in an empty database', async () => {
  expect(await pendingOf(await createTestDatabase(await postgresUrl()))).toEqual(schemas);
});

test('a migration that is not applied is pending, and only its process is migrated', async () => {
  const database = await createDatabaseFixture();
  await database.sql(
    'delete from onsite.mikro_orm_migrations where name = (select max(name) from onsite.mikro_orm_migrations)',
  );
  expect(await pendingOf(database)).toEqual(['onsite']);
});
