import { eventually } from '@event-api/platform/testing/eventually';

type Sql = <Row = Record<string, unknown>>(text: string) => Promise<Row[]>;

/** Who writes something at this moment is waited for only so long, so that nobody has to wait for us. */
const lockTimeoutSql = "select set_config('lock_timeout', '200ms', true)";

const tablesOfServices = (sql: Sql): Promise<{ name: string }[]> =>
  sql(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('catalog', 'registration', 'commerce', 'onsite')`);

/**
 * From now on PostgreSQL refuses each row that a service writes, in the words in which it does so when its disk is full.
 * Errors: PostgreSQL's; some tables may then be full and others not.
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

/** There is room again, on whatever table there was none. Errors: PostgreSQL's. */
export const freeDisk = (sql: Sql): Promise<void> =>
  onEachTable(sql, (name) => `drop trigger if exists no_room on ${name}`);

async function onEachTable(sql: Sql, statement: (name: string) => string): Promise<void> {
  for (const { name } of await tablesOfServices(sql)) {
    await eventually(() => sql(`${lockTimeoutSql}; ${statement(name)}`));
  }
}
