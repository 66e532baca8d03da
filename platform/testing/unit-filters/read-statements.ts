import type { Options } from '@mikro-orm/postgresql';
import { plannerSettings } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrations.ts';
import { declaredStatements } from '../../src/db/statement.ts';
import { querySummary } from '../../src/db/trace-statements.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { exceptionOf, isTableOfUnits } from './exceptions.ts';
import type { PlanNode } from './plan.ts';
import { unfilteredTables } from './unfiltered-tables.ts';

/** What a test has found about the filters of statements. */
export interface FilterReport {
  /** How many statements were planned. */
  read: number;
  /** `name: tables` of statements without a filter that are no exception. */
  unfiltered: string[];
  /** The names of statements without a filter that are an exception. */
  excepted: string[];
}

/**
 * Plans statements and reports which of them read or write rows of business units without a filter. Statements other than
 * select, insert, update and delete are skipped. Errors: a statement cannot be planned.
 */
export async function readStatements(
  database: TestDatabase,
  texts: readonly string[],
): Promise<FilterReport> {
  const session = await database.session();
  for (const setting of plannerSettings) await session.sql(`set ${setting}`);
  const report: FilterReport = { read: 0, unfiltered: [], excepted: [] };
  try {
    for (const text of texts.filter(isPlannable)) {
      const name = nameOf(text);
      const isException = exceptionOf(name) !== undefined;
      const plan = await planOf(session, text).catch((error: unknown) => {
        if (!isException) throw error;
      });
      const tables = plan && unfilteredTables(plan, isTableOfUnits);
      report.read += 1;
      if (tables?.length === 0) continue;
      if (isException) report.excepted.push(name);
      else report.unfiltered.push(`${name}: ${tables?.join(', ')}`);
    }
  } finally {
    await session.end();
  }
  return report;
}

/** The name of a declared statement. Those of the entity manager are named after the verb, the table and the condition. */
export const nameOf = (text: string): string =>
  `${querySummary({ text })}${/ where "id" = \$\d+( returning [^()]*)?$/.test(text) ? ' by id' : ''}`;

/** Reads the statements that the loaded modules have declared on the tables of a service. */
export const readDeclaredStatements = (
  serverUrl: string,
  schema: string,
  ormOf: (url: string) => Options,
): Promise<FilterReport> => withDeclaredStatements(serverUrl, schema, ormOf, readStatements);

/** Calls `read` with the empty tables of a service and the statements that the loaded modules have declared on them. */
export async function withDeclaredStatements<Result>(
  serverUrl: string,
  schema: string,
  ormOf: (url: string) => Options,
  read: (database: TestDatabase, texts: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const database = await createTestDatabase(serverUrl);
  try {
    await database.sql(`create schema ${schema}`);
    await migrate(ormOf(database.url));
    const hasTables = await tableCheck(database, schema);
    const own = declaredStatements().filter(
      ({ name, text }) => !name.startsWith('test_') && hasTables(text),
    );
    return await read(
      database,
      own.map(({ text }) => text),
    );
  } finally {
    await database.drop();
  }
}

/** Whether a statement uses tables of the schema, and only existing ones: other tests in this process declare their own. */
async function tableCheck(
  database: TestDatabase,
  schema: string,
): Promise<(text: string) => boolean> {
  const rows = await database.sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = '${schema}'`,
  );
  const tables = new Set(rows.map(({ name }) => name));
  const used = new RegExp(`\\b${schema}\\.(\\w+)`, 'gi');
  return (text) => {
    const names = [...text.matchAll(used)].map(([, name = '']) => name);
    return names.length > 0 && names.every((name) => tables.has(name));
  };
}

export const isPlannable = (text: string): boolean =>
  /^\s*\(?\s*(select|insert|update|delete|with)\b/i.test(text);

type Session = Awaited<ReturnType<TestDatabase['session']>>;

/** The generic plan of a statement with parameters, also of one whose constants the server has replaced by parameters. */
export async function planOf(session: Session, text: string): Promise<PlanNode> {
  let repaired = text
    .replaceAll(/\binterval (\$\d+)/g, '$1::interval')
    .replaceAll(/\bextract\(\$\d+ from/g, 'extract(epoch from');
  for (;;) {
    try {
      const { rows } = (await session.sql(
        `explain (generic_plan, verbose, costs off, format json) ${repaired}`,
      )) as { rows: [{ 'QUERY PLAN': [{ Plan: PlanNode }] }] };
      return rows[0]['QUERY PLAN'][0].Plan;
    } catch (error) {
      // A constant had a type, and its parameter has none.
      const untyped = /data type of parameter (\$\d+)/.exec((error as Error).message)?.[1];
      const typed = repaired.replaceAll(
        new RegExp(`\\${untyped}(?![\\d:])`, 'g'),
        `${untyped}::text`,
      );
      if (!untyped || typed === repaired)
        throw new Error(`failed to plan ${text}`, { cause: error });
      repaired = typed;
    }
  }
}
