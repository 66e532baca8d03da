import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database for one test file, on the PostgreSQL server of the run. */
export interface TestDatabase {
  url: string;
  /** Runs SQL directly, to prepare or check data without the service. */
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * A time in whole milliseconds, as clients send it, that is later than every change before the
   * call. The database stores microseconds, so the current millisecond could include an earlier
   * change.
   */
  timeAfterChanges(): Promise<string>;
  /** A separate connection, for locks that outlive a statement. */
  session(): Promise<{
    sql(text: string, values?: unknown[]): Promise<unknown>;
    end(): Promise<void>;
  }>;
  /** A copy of this database. No connection may be open to this one meanwhile. */
  copy(): Promise<TestDatabase>;
  drop(): Promise<void>;
}

/** Creates an empty database, or a copy of `template`; `serverUrl` belongs to a superuser. */
export async function createTestDatabase(
  serverUrl: string,
  template = 'template1',
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await once(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const open = () => {
    const opened = new pg.Pool({ connectionString: url.href, max: 4 });
    opened.on('error', () => {});
    return opened;
  };
  let pool = open();
  return {
    url: url.href,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    async timeAfterChanges() {
      const later = 'select clock_timestamp() as now from pg_sleep(0.001)';
      const [row] = (await pool.query<{ now: Date }>(later)).rows;
      return row?.now.toISOString() ?? '';
    },
    async session() {
      const client = new pg.Client({ connectionString: url.href });
      // The database may be dropped under it.
      client.on('error', () => {});
      await client.connect();
      return { sql: (text, values) => client.query(text, values), end: () => client.end() };
    },
    async copy() {
      await pool.end();
      pool = open();
      return createTestDatabase(serverUrl, name);
    },
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
