import type { Options } from '@mikro-orm/postgresql';
import { plannerSettings } from '../src/db/database.ts';
import type { TestDatabase } from './database.ts';
import type { PlanNode } from './unit-filters/plan.ts';
import {
  isPlannable,
  nameOf,
  planOf,
  withDeclaredStatements,
} from './unit-filters/read-statements.ts';

/** What a test has found about the scans of statements on tables without rows and statistics. */
export interface ScanReport {
  /** How many statements were planned. */
  read: number;
  /** `name: index (condition)` of each scan that reads a whole unit, event or table to find few rows. */
  wide: string[];
  /** `name` of each statement that runs a limited sub-select once for each row of a join. */
  repeated: string[];
}

/** Columns that many rows of a table share. */
const sharedColumns = new Set(['business_unit_id', 'event_id', 'status', 'state', 'subject_type']);

const tablesOfOneRow = new Set(['change_counter', 'roster_epoch', 'stream_state']);

/**
 * Plans the statements of a service as its connections do in a new database. A connection keeps this plan while the tables
 * grow, so a scan must use an index on the column that identifies its rows, and not one on the event. Afterwards it plans
 * them for tables that were empty at the last `analyze`, such as a queue between two bursts.
 */
export const findWideScans = (
  serverUrl: string,
  schema: string,
  ormOf: (url: string) => Options,
): Promise<ScanReport> => withDeclaredStatements(serverUrl, schema, ormOf, readScans);

/** Plans statements on empty tables, before and after `analyze`. Statements other than those on rows are skipped. */
export async function readScans(
  database: TestDatabase,
  texts: readonly string[],
): Promise<ScanReport> {
  const plans = await plansOf(database, texts);
  const wide = plans.flatMap(({ name, plan }) =>
    nodesOf(plan)
      .filter(isWide)
      .map((scan) => `${name}: ${scan['Index Name'] ?? scan['Relation Name']} (${filterOf(scan)})`),
  );
  await database.sql('analyze');
  const analyzed = await plansOf(database, texts);
  const repeated = analyzed.filter(({ plan }) => nodesOf(plan).some(repeatsLimit));
  return { read: plans.length, wide, repeated: repeated.map(({ name }) => name) };
}

async function plansOf(database: TestDatabase, texts: readonly string[]) {
  const session = await database.session();
  const plans: { name: string; plan: ScanNode }[] = [];
  try {
    for (const setting of plannerSettings) await session.sql(`set ${setting}`);
    for (const text of texts.filter(isPlannable)) {
      plans.push({ name: nameOf(text), plan: await planOf(session, text) });
    }
  } finally {
    await session.end();
  }
  return plans;
}

interface ScanNode extends PlanNode {
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  Plans?: ScanNode[];
}

const nodesOf = (plan: ScanNode): ScanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The condition that a scan checks on the rows that its index has found. */
const filterOf = (node: ScanNode): string => node.Filter ?? '';

/** Whether a scan finds its rows by shared columns only, and then checks a column that identifies them. */
function isWide(node: ScanNode): boolean {
  const table = node['Relation Name'];
  if (!table || tablesOfOneRow.has(table)) return false;
  if (!/^(Seq|Index|Index Only) Scan$/.test(node['Node Type'])) return false;
  const found = columnsOf(node['Index Cond'] ?? '');
  const checked = columnsOf(withoutOptions(filterOf(node)));
  return (
    found.every((column) => sharedColumns.has(column)) &&
    checked.some((column) => !sharedColumns.has(column))
  );
}

/** A filter without the conditions that no index supports: those in `is true`, and those that a parameter can switch off. */
function withoutOptions(filter: string): string {
  let rest = filter;
  for (;;) {
    const end = /\) IS TRUE|\(\$\d+ IS NULL\) OR /.exec(rest);
    if (!end) return rest;
    const start = end[0].startsWith(')') ? openingOf(rest, end.index) : end.index;
    const stop = end[0].startsWith(')') ? end.index + end[0].length : closingOf(rest, start);
    rest = rest.slice(0, start) + rest.slice(stop);
  }
}

/** The position of the parenthesis that the one at `end` closes. */
function openingOf(text: string, end: number): number {
  let depth = 0;
  for (let at = end; at > 0; at--) {
    if (text[at] === ')') depth += 1;
    else if (text[at] === '(') depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}

/** The position of the parenthesis that closes the group which contains `start`. */
function closingOf(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** The columns that a condition compares with one value or a list of values. */
const columnsOf = (condition: string): string[] =>
  [...condition.matchAll(/\b(?:\w+\.)?([a-z_]+) (?:=|@>) /g)].flatMap(([, column = '']) => column);

/** Whether the inner side of a join limits its rows and does not depend on the outer side, so that each run is the same. */
function repeatsLimit(node: ScanNode): boolean {
  if (node['Node Type'] !== 'Nested Loop' || !node['Join Filter']) return false;
  const inner = node.Plans?.find((child) => child['Parent Relationship'] === 'Inner');
  return inner !== undefined && nodesOf(inner).some((child) => child['Node Type'] === 'Limit');
}
