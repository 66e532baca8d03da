import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of its own for one test file, on the run's PostgreSQL. */
export interface TestDatabase {
  url: string;
  /** Runs any SQL in it, for what a test has to arrange or to check behind the service's back. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Makes an empty database; `serverUrl` is a superuser's. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await once(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  pool.on('error', () => {});
  return {
    url: url.href,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async drop() {
      await pool.end();
      await once(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
