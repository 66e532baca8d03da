import { serviceNames } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';

type Sql = <Row = Record<string, unknown>>(text: string) => Promise<Row[]>;

/**
 * Creating a trigger waits at most this long for running writes, so that it does not block the
 * writes that follow.
 */
const lockTimeoutSql = "select set_config('lock_timeout', '200ms', true)";

const tablesOfServices = (sql: Sql): Promise<{ name: string }[]> =>
  sql(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in (${serviceNames.map((name) => `'${name}'`).join()})`);

/**
 * Makes PostgreSQL reject every row that a service writes, with the error of a full disk.
 * Errors: PostgreSQL's; then some tables may reject rows and others not.
 */
export async function fillDisk(sql: Sql): Promise<void> {
  await sql(`create or replace function public.find_no_room() returns trigger language plpgsql as
    $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await onEachTable(
    sql,
    (name) => `create or replace trigger no_room before insert or update on ${name}
      for each row execute function public.find_no_room()`,
  );
}

/** Ends `fillDisk` on all tables. Errors: PostgreSQL's. */
export const freeDisk = (sql: Sql): Promise<void> =>
  onEachTable(sql, (name) => `drop trigger if exists no_room on ${name}`);

async function onEachTable(sql: Sql, statement: (name: string) => string): Promise<void> {
  for (const { name } of await tablesOfServices(sql)) {
    await eventually(() => sql(`${lockTimeoutSql}; ${statement(name)}`));
  }
}
