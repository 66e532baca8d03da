import type { Options } from '@mikro-orm/postgresql';
import type { TestDatabase } from '../database.ts';
import { planStatements, withDeclaredStatements } from '../generic-plans.ts';
import { exceptionOf, isTableOfUnits } from './exceptions.ts';
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
 * Plans statements and reports which of them read or write rows of business units without a filter.
 * Statements other than select, insert, update and delete are skipped. Errors: a statement cannot
 * be planned.
 */
export async function readStatements(
  database: TestDatabase,
  texts: readonly string[],
): Promise<FilterReport> {
  const report: FilterReport = { read: 0, unfiltered: [], excepted: [] };
  const isException = (name: string) => exceptionOf(name) !== undefined;
  for (const { name, plan } of await planStatements(database, texts, isException)) {
    const tables = plan && unfilteredTables(plan, isTableOfUnits);
    report.read += 1;
    if (tables?.length === 0) continue;
    if (isException(name)) report.excepted.push(name);
    else report.unfiltered.push(`${name}: ${tables?.join(', ')}`);
  }
  return report;
}

/** Reads the statements that the loaded modules have declared on the tables of a service. */
export const readDeclaredStatements = (
  serverUrl: string,
  schema: string,
  ormOf: (url: string) => Options,
): Promise<FilterReport> => withDeclaredStatements(serverUrl, schema, ormOf, readStatements);
