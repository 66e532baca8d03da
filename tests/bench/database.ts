import { processNames } from '@event-api/contracts/topology';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { ormOptions } from '@event-api/platform/db/migrations';
import { type Statement, statement } from '@event-api/platform/db/statement';
import { type AppUrls, prepareDatabases } from '@event-api/tools/platform/prepare-database';

/** Opens connections for statements of a bench, without entities and migrations. */
export const openBenchDatabase = (
  url: string,
  schema: string,
  poolMax: number,
): Promise<Database> =>
  openDatabase(
    ormOptions({ url, schema, entities: [], migrations: new URL('./none', import.meta.url) }),
    poolMax,
  );

/** Opens one connection to each PostgreSQL server of a platform. */
export const openDatabases = (urls: Readonly<Record<string, string>>): Promise<Database[]> =>
  Promise.all([...new Set(Object.values(urls))].map((url) => openBenchDatabase(url, 'public', 1)));

/** Runs a statement on each PostgreSQL server of a platform, one after the other. */
export async function queryEachServer(
  urls: Readonly<Record<string, string>>,
  query: Statement<never>,
): Promise<void> {
  const databases = await openDatabases(urls);
  try {
    for (const db of databases) await db.query(query);
  } finally {
    await Promise.all(databases.map((db) => db.close()));
  }
}

const createDatabase = statement('bench_create_database', 'create database event_bench');

/**
 * Creates another database on the platform's server, with the schemas of all services and without
 * any process that uses it. Returns the address of the role of `schema`.
 */
export async function createQuietDatabase(databaseUrl: string, schema: 'catalog'): Promise<string> {
  const db = await openBenchDatabase(databaseUrl, 'public', 1);
  await db.query(createDatabase);
  await db.close();
  const url = new URL(databaseUrl);
  url.pathname = '/event_bench';
  const urls = Object.fromEntries(processNames.map((name) => [name, url.href])) as AppUrls;
  const app = await prepareDatabases(urls, new AbortController().signal);
  return app[schema];
}
