import type { Options } from '@mikro-orm/postgresql';
import { plannerSettings } from '../src/db/database.ts';
import { migrate } from '../src/db/migrations.ts';
import { declaredStatements } from '../src/db/statement.ts';
import { querySummary } from '../src/db/trace-statement.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import type { PlanNode } from './unit-filters/plan.ts';

type Session = Awaited<ReturnType<TestDatabase['session']>>;

/** A connection that plans statements as those of the services do. */
export async function serviceSession(database: TestDatabase): Promise<Session> {
  const session = await database.session();
  for (const setting of plannerSettings) await session.sql(`set ${setting}`);
  return session;
}

/** The plan of a statement; null for one that could not be planned and may fail. */
export interface PlannedStatement {
  name: string;
  plan: PlanNode | null;
}

/**
 * Plans statements. Those other than select, insert, update and delete are skipped. Errors: a
 * statement cannot be planned, unless `mayFail` accepts its name.
 */
export async function planStatements(
  database: TestDatabase,
  texts: readonly string[],
  mayFail: (name: string) => boolean = () => false,
): Promise<PlannedStatement[]> {
  const session = await serviceSession(database);
  const planned: PlannedStatement[] = [];
  try {
    for (const text of texts.filter(isPlannable)) {
      const name = nameOf(text);
      const plan = await planOf(session, text).catch((error: unknown) => {
        if (!mayFail(name)) throw error;
        return null;
      });
      planned.push({ name, plan });
    }
  } finally {
    await session.end();
  }
  return planned;
}

/**
 * The name of a declared statement. Those of the entity manager are named after the verb, the table
 * and the condition.
 */
const nameOf = (text: string): string =>
  `${querySummary({ text })}${/ where "id" = \$\d+( returning [^()]*)?$/.test(text) ? ' by id' : ''}`;

/**
 * Calls `read` with the empty tables of a service and the statements that the loaded modules have
 * declared on them.
 */
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

/**
 * Whether a statement uses tables of the schema, and only existing ones: other tests in this
 * process declare their own.
 */
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

const isPlannable = (text: string): boolean =>
  /^\s*\(?\s*(select|insert|update|delete|with)\b/i.test(text);

/**
 * The generic plan of a statement with parameters, also of one whose constants the server has
 * replaced by parameters.
 */
async function planOf(session: Session, text: string): Promise<PlanNode> {
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
