import type { Db } from '../src/db/database.ts';
import type { Statement } from '../src/db/statement.ts';
import type { TestDatabase } from './database.ts';
import { serviceSession } from './generic-plans.ts';

interface Plan {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
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
  };
  await read(db);
  const [first] = queries;
  if (!first) throw new Error('nothing was read');
  return first;
}

/**
 * A connection with the settings of a service, which keeps one plan for each statement. A statement
 * whose tables are empty when it is first run may keep that plan for long.
 *
 * The server can discard a plan at any time, for example when other databases have many changes of
 * their catalogs. So no test relies on a kept plan: the plan on empty tables must be the same as
 * the one after `analyze`, whose rows are counted.
 */
export async function planSession(database: TestDatabase) {
  const session = await serviceSession(database);
  const firstPlans = new Map<string, string[]>();
  return {
    /** Gives the planner the statistics of the rows that the test has written. */
    analyze: () => database.sql('analyze'),
    /**
     * Plans and runs the statement of `read`. Errors: the plan differs from that of its first run.
     */
    async costOf(read: (db: Db) => Promise<unknown>): Promise<Cost> {
      const { statement, values } = await statementOf(read);
      const first = firstPlans.get(statement.name);
      if (!first) await session.sql(`prepare ${statement.name} as ${statement.text}`);
      const literals = values.map(literal).join(', ');
      const { rows } = (await session.sql(
        `explain (analyze, format json) execute ${statement.name}(${literals})`,
      )) as { rows: ExplainRow[] };
      const steps = stepsOf(rows);
      firstPlans.set(statement.name, first ?? steps);
      if (first && first.join() !== steps.join()) {
        throw new Error(`the plan has changed from\n${first.join('\n')}\nto\n${steps.join('\n')}`);
      }
      return costOfPlan(rows);
    },
    end: () => session.end(),
  };
}

/**
 * How a plan finds its rows, without values that are computed once and what belongs to each row:
 * its first scan and, if it ends early, the steps before it, because a sort would read all rows.
 */
function stepsOf(rows: readonly ExplainRow[]): string[] {
  const ofRows = (plan: Plan): Plan[] =>
    plan['Parent Relationship'] === 'InitPlan' ? [] : [plan, ...(plan.Plans ?? []).flatMap(ofRows)];
  const steps = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => ofRows(Plan)));
  const scan = steps.findIndex((step) => step['Node Type'].includes('Scan'));
  return steps.slice(steps[0]?.['Node Type'] === 'Limit' ? 0 : scan, scan + 1).map(stepOf);
}

/** An index is read in its own order or in that of the table: the rows are the same. */
function stepOf(step: Plan): string {
  const isBitmap = step['Node Type'] === 'Bitmap Heap Scan';
  const [index = step] = isBitmap ? (step.Plans ?? []) : [];
  const kind = isBitmap ? 'Index Scan' : step['Node Type'];
  return [kind, index['Index Name'], index['Index Cond']].filter(Boolean).join(' ');
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    return literal(`{${value.map((item) => JSON.stringify(String(item))).join(',')}}`);
  }
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
