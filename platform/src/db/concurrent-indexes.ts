import { pathToFileURL } from 'node:url';
import type { Migration } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { sqlState } from '../core/error-reason.ts';
import { tlsOptions } from '../core/server-urls.ts';

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

const indexStatement = /^create index if not exists (?<name>\S+) on (?<schema>\w+)\.(?<table>\w+) /;

/**
 * Builds the indexes that pending migrations create with `create index if not exists`, if their
 * tables exist. Writes of the running services do not wait for it. It waits for transactions that
 * began before, each at most `lockTimeoutMs`. The caller prevents concurrent runs. Errors: 55P03
 * after that time. The next run builds such an index again.
 */
export async function buildPendingIndexes(
  orm: MikroORM,
  { url, lockTimeoutMs }: { url: string; lockTimeoutMs: number },
): Promise<void> {
  const statements = await pendingIndexes(orm);
  if (statements.length === 0) return;
  const client = new pg.Client({
    connectionString: url,
    ssl: tlsOptions(url),
    lock_timeout: lockTimeoutMs,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const statement of statements) await build(client, statement);
  } finally {
    await client.end();
  }
}

async function pendingIndexes(orm: MikroORM): Promise<string[]> {
  const statements = [];
  for (const { name, path } of await orm.migrator.getPending()) {
    const migration = new (await classOf(orm, name, path))(orm.em.getDriver(), orm.config);
    await migration.up();
    statements.push(...migration.getQueries());
  }
  return statements
    .filter((sql) => typeof sql === 'string')
    .filter((sql) => indexStatement.test(sql));
}

async function classOf(orm: MikroORM, name: string, path?: string): Promise<MigrationClass> {
  if (path) return Object.values(await import(pathToFileURL(path).href))[0] as MigrationClass;
  const listed = orm.config.get('migrations').migrationsList ?? [];
  for (const entry of listed) {
    if ('class' in entry && entry.name === name) return entry.class as MigrationClass;
  }
  throw new Error(`migration ${name} has no file`);
}

async function build(client: pg.Client, statement: string): Promise<void> {
  const { name = '', schema = '', table = '' } = indexStatement.exec(statement)?.groups ?? {};
  const index = `${schema}.${name}`;
  const { rows } = await client.query<{ hasTable: boolean; isUnfinished: boolean | null }>(
    `select to_regclass($1) is not null as "hasTable",
       (select not indisvalid from pg_index where indexrelid = to_regclass($2)) as "isUnfinished"`,
    [`${schema}.${table}`, index],
  );
  if (!rows[0]?.hasTable) return;
  if (rows[0].isUnfinished) await client.query(`drop index concurrently ${index}`);
  try {
    await client.query(statement.replace('create index', 'create index concurrently'));
  } catch (error) {
    // `undefined_column`: a pending migration adds the column, and creates the index afterwards.
    if (sqlState(error) !== '42703') throw error;
  }
}
