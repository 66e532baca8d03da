import { randomUUID } from 'node:crypto';
import { type Database, openDatabase, type Tx } from '../src/db/database.ts';
import { ormOptions } from '../src/db/migrations.ts';
import { statement } from '../src/db/statement.ts';
import { createTestDatabase } from '../testing/database.ts';
import { postgresUrl } from '../testing/servers.ts';

export const addOne = statement(
  'test_add_one',
  'update account set balance = balance + 1 where id = $1',
);
export const ownPid = statement<{ pid: number }>('test_own_pid', 'select pg_backend_pid() as pid');

export const pidOf = async (tx: Tx): Promise<number | undefined> =>
  (await tx.query(ownPid))[0]?.pid;

/** A database with a table of accounts. */
export async function createBank() {
  const { url, sql, drop } = await createTestDatabase(await postgresUrl());
  await sql('create table account (id text primary key, balance integer not null)');
  const opened: Database[] = [];
  return {
    sql,
    url,
    /** A pool of its own for one test, by default without a proxy. */
    async open(poolMax: number, through = url): Promise<Database> {
      const migrations = new URL('./no-migrations', import.meta.url);
      const options = ormOptions({ url: through, schema: 'public', entities: [], migrations });
      const db = await openDatabase(options, poolMax);
      opened.push(db);
      return db;
    },
    /** The ids of accounts of this test alone, each with a balance of 0. */
    async accounts<const Names extends readonly string[]>(...names: Names) {
      const ids = names.map((name) => `${name}-${randomUUID()}`);
      await sql('insert into account select unnest($1::text[]), 0', [ids]);
      return ids as { [I in keyof Names]: string };
    },
    async balanceOf(id: string): Promise<number | undefined> {
      const text = 'select balance from account where id = $1';
      return (await sql<{ balance: number }>(text, [id]))[0]?.balance;
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((db) => db.close()));
      await drop();
    },
  };
}

export type Bank = Awaited<ReturnType<typeof createBank>>;
