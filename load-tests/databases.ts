import { type ProcessName, processNames } from '@event-api/contracts/topology';
import { type DatabaseUrls, databasesOf } from '@event-api/provisioning/database-urls';
import { Client } from 'pg';
import { homeOf, tablesIn, withCopies } from './tables.rules.ts';

/** Reads the databases of a platform as if they were one. */
export interface Databases {
  /**
   * Rows of a query. Every table has its schema before its name. If the tables are in several
   * databases, those of the others are copied into temporary tables of the first one; a table is
   * copied once. Errors: PostgreSQL's.
   */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Whether a table, with its schema, exists. */
  hasTable(table: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Rows of a copy that are in memory at the same time. */
const PART = 2000;

/**
 * Connects to each database once. The copies last until `close`. The addresses are those of a role
 * that reads every table there. Errors: PostgreSQL's.
 */
export async function openDatabases(urls: DatabaseUrls<ProcessName>): Promise<Databases> {
  const clients = new Map<string, Client>();
  const close = async () => {
    await Promise.all([...clients.values()].map((client) => client.end()));
  };
  try {
    for (const { url } of databasesOf(urls)) {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      clients.set(url, client);
      await client.connect();
    }
  } catch (error) {
    await close();
    throw error;
  }
  const copied = new Set<string>();
  const clientAt = (url: string): Client => {
    const client = clients.get(url);
    if (client === undefined) throw new Error('there is no database with this address');
    return client;
  };
  return {
    async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
      const tables = tablesIn(sql, processNames);
      const { home, foreign } = homeOf(tables, urls);
      const client = clientAt(home);
      for (const table of foreign) {
        if (copied.has(`${home} ${table.name}`)) continue;
        await copyTable(clientAt(urls[table.process]), client, table.name);
        copied.add(`${home} ${table.name}`);
      }
      const text = withCopies(
        sql,
        foreign.map(({ name }) => name),
      );
      return (await client.query(text, values)).rows as Row[];
    },
    async hasTable(table) {
      const [found] = tablesIn(table, processNames);
      if (found === undefined) return false;
      const client = clientAt(urls[found.process]);
      const { rows } = await client.query('select to_regclass($1) is not null as here', [table]);
      return rows[0]?.here === true;
    },
    close,
  };
}

/** Through this process: the servers do not reach each other. */
async function copyTable(from: Client, to: Client, table: string): Promise<void> {
  const { rows: columns } = await from.query<{ declaration: string }>(
    `select format('%I %s', attname, format_type(atttypid, atttypmod)) as declaration from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  const copy = withCopies(table, [table]);
  const list = columns.map(({ declaration }) => declaration).join(', ');
  await to.query(`create temporary table ${copy.replace('pg_temp.', '')} (${list})`);
  await from.query('begin read only');
  try {
    await from.query(`declare part cursor for select to_jsonb(t)::text as row from ${table} t`);
    for (;;) {
      const { rows } = await from.query<{ row: string }>(`fetch ${PART} from part`);
      if (rows.length === 0) break;
      // As text: a number of JavaScript is less precise than one of PostgreSQL.
      const all = `[${rows.map(({ row }) => row).join()}]`;
      await to.query(
        `insert into ${copy} select * from jsonb_populate_recordset(null::${copy}, $1::jsonb)`,
        [all],
      );
    }
  } finally {
    await from.query('rollback');
  }
  await to.query(`analyze ${copy}`);
}
