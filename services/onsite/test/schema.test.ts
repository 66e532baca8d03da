import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onsiteOrm } from '../src/orm.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
});
afterAll(() => database?.drop());

test('the migrations create the tables of the entities', async () => {
  await migrate(onsiteOrm(database.url));
  const orm = await MikroORM.init(onsiteOrm(database.url));
  try {
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  } finally {
    await orm.close(true);
  }
});
