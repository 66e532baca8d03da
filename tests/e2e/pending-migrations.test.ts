import { schemas } from '@event-api/contracts/topology';
import { postgresUrls } from '@event-api/platform/testing/servers';
import { databasesOf } from '@event-api/provisioning/database-urls';
import { withPendingMigrations } from '@event-api/tools/platform/pending-migrations';
import { currentSource } from '@event-api/tools/platform/process-source';
import { expect, test } from 'vitest';
import { createDatabaseFixture, createEmptyDatabases } from './fixtures/database.ts';
import type { PlatformDatabases } from './fixtures/databases.ts';

const migrated = currentSource.topology.filter(({ migrates }) => migrates);

async function pendingOf(databases: PlatformDatabases): Promise<string[]> {
  try {
    const pending = databasesOf(databases.urls).map(({ url, names }) =>
      withPendingMigrations(
        url,
        currentSource,
        migrated.filter(({ name }) => names.includes(name)),
      ),
    );
    return (await Promise.all(pending)).flat().map(({ name }) => name);
  } finally {
    await databases.drop();
  }
}

test('no migration is pending in a migrated database', async () => {
  expect(await pendingOf(await createDatabaseFixture())).toEqual([]);
});

test('all migrations are pending in an empty database', async () => {
  expect(await pendingOf(await createEmptyDatabases(await postgresUrls()))).toEqual(schemas);
});

test('a migration that is not applied is pending, and only its process is migrated', async () => {
  const databases = await createDatabaseFixture();
  await databases.sql(
    'delete from onsite.mikro_orm_migrations where name = (select max(name) from onsite.mikro_orm_migrations)',
  );
  expect(await pendingOf(databases)).toEqual(['onsite']);
});
