import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import pg from 'pg';
import { inject } from 'vitest';
import { prepareDatabase } from '../scripts/platform.ts';

/** With all tables and nothing in them, which is what each test's own is copied from. */
const template = 'migrated';
/** Any number that nobody else locks. */
const lock = 7_402_913;

/** A database of its own that has all tables. They are made once in a run, by whoever comes first. */
export async function createDatabaseFixture(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    const existing = await client.query('select from pg_database where datname = $1', [template]);
    if (existing.rowCount === 0) await createTemplate(client, new URL(serverUrl));
  } finally {
    await client.end();
  }
  return createTestDatabase(serverUrl, template);
}

/** Has its name when it is complete. */
async function createTemplate(client: pg.Client, url: URL): Promise<void> {
  const draft = `${template}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft}`);
  url.pathname = `/${draft}`;
  await prepareDatabase(url.href, new AbortController().signal);
  await client.query(`alter database ${draft} rename to ${template}`);
}
