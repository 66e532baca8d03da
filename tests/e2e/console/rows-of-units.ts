import type { TestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { expect } from 'vitest';

/**
 * Tables that follow the others in the background: copies of records, the feed, and deliveries of
 * it.
 */
const followers = /_projection$|\.feed_|\.change_inbox$|\.webhook_(attempt|delivery)$/;

/** A part of a table that says what has changed. */
const parts: Record<string, string> = {
  // Refused and ineffective attempts have entries, too.
  audit_entry: "result not in ('refused', 'unchanged')",
};

/** What background work writes into the rows of requests. */
const backgroundColumns: Record<string, readonly string[]> = {
  webhook_endpoint: [
    ...['watermark', 'next', 'failures', 'failing_since', 'backoff_until', 'backoff_attempts'],
    ...['ping_attempts', 'ping_at', 'lease_holder', 'lease_until'],
  ],
};

/**
 * Returns a digest of the rows that each table has of some business units, once all their changes
 * have numbers.
 */
export async function rowsOfUnits(
  databases: readonly TestDatabase[],
  unitIds: readonly string[],
): Promise<Record<string, string>> {
  const digests = await Promise.all(databases.map(({ sql }) => rowsIn(sql, unitIds)));
  return Object.assign({}, ...digests);
}

async function rowsIn(
  sql: TestDatabase['sql'],
  unitIds: readonly string[],
): Promise<Record<string, string>> {
  const columns = await sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.columns
       join information_schema.tables using (table_catalog, table_schema, table_name)
     where column_name = 'business_unit_id' and table_type = 'BASE TABLE' order by 1`,
  );
  const tables = columns.map(({ name }) => name);
  const isWaiting = tables
    .filter((table) => table.endsWith('.change_inbox'))
    .map((table) => `select from ${table} where business_unit_id = any($1)`)
    .join(' union all ');
  if (isWaiting !== '')
    await eventually(async () => expect(await sql(isWaiting, [unitIds])).toEqual([]));
  const digests = await Promise.all(
    tables
      .filter((table) => !followers.test(table))
      .map(async (table) => {
        const [, name = ''] = table.split('.');
        const [row] = await sql<{ digest: string }>(
          `select count(*) || ' rows ' || coalesce(md5(string_agg(text, '' order by text)), '') as digest
           from (select (to_jsonb(t) - $2::text[])::text as text from ${table} t
             where business_unit_id = any($1) and ${parts[name] ?? 'true'}) as own`,
          [unitIds, backgroundColumns[name] ?? []],
        );
        return [table, row?.digest ?? ''];
      }),
  );
  return Object.fromEntries(digests);
}
