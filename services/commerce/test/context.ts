import { type Database, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { afterAll, beforeAll } from 'vitest';
import { commerceOrm } from '../src/orm.ts';

/** The database of the test file, for SQL without the service. */
export let database: TestDatabase;
/** The same database, as the service uses it. */
export let db: Database;

/**
 * Creates the database for the tests of a file. The variables of this module are set before the
 * first test.
 */
export function useDatabase(): void {
  beforeAll(async () => {
    database = await createTestDatabase(await postgresUrl());
    await database.sql('create schema commerce');
    await migrate(commerceOrm(database.url));
    db = await openDatabase(commerceOrm(database.url), 4);
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });
}
