import type { Db } from '../src/db/database.ts';
import type { Statement } from '../src/db/statement.ts';
import type { TestDatabase } from './database.ts';

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The plan of a statement. */
export interface Cost {
  kinds: string[];
  indexes: string[];
  /** The maximum number of rows that one step reads. */
  rows: number;
}

/** A row of the result of `explain (analyze, format json)`. */
export interface ExplainRow {
  'QUERY PLAN': { Plan: Plan }[];
}

/** Summarizes a plan. */
export function costOfPlan(rows: readonly ExplainRow[]): Cost {
  const steps = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)));
  return {
    // A Result only passes on a value that is computed once.
    kinds: [...new Set(steps.map((step) => step['Node Type']))].filter((kind) => kind !== 'Result'),
    indexes: [...new Set(steps.flatMap((step) => step['Index Name'] ?? []))],
    rows: Math.max(
      ...steps.map((step) => step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)),
    ),
  };
}

/** The statement and the values that `read` passes to the database. */
export async function statementOf(
  read: (db: Db) => Promise<unknown>,
): Promise<{ statement: Statement<unknown>; values: readonly unknown[] }> {
  const queries: { statement: Statement<unknown>; values: readonly unknown[] }[] = [];
  const db: Db = {
    query: async (statement, values = []) => {
      queries.push({ statement, values });
      return [];
    },
    omitsChanges: () => false,
  };
  await read(db);
  const [first] = queries;
  if (!first) throw new Error('nothing was read');
  return first;
}

/**
 * A connection with the settings of a service that keeps one plan for each statement, as a connection does after its
 * fifth execution. A statement that is planned while its table is empty keeps that plan: autovacuum, which would
 * discard it at a random moment of the test, is disabled for the tables of the database.
 */
export async function planSession(database: TestDatabase) {
  await database.sql(disableAutovacuum);
  const session = await database.session();
  await session.sql('set enable_seqscan = off');
  await session.sql('set plan_cache_mode = force_generic_plan');
  const prepared = new Set<string>();
  return {
    /** Plans and runs the statement of `read`. */
    async costOf(read: (db: Db) => Promise<unknown>): Promise<Cost> {
      const { statement, values } = await statementOf(read);
      if (!prepared.has(statement.name)) {
        await session.sql(`prepare ${statement.name} as ${statement.text}`);
        prepared.add(statement.name);
      }
      const literals = values.map(literal).join(', ');
      const result = (await session.sql(
        `explain (analyze, format json) execute ${statement.name}(${literals})`,
      )) as { rows: ExplainRow[] };
      return costOfPlan(result.rows);
    },
    end: () => session.end(),
  };
}

const disableAutovacuum = `do $$ declare t regclass; begin
  for t in select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') loop
    execute format('alter table %s set (autovacuum_enabled = false)', t);
  end loop;
end $$`;

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

const literal = (value: unknown): string =>
  value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`;
