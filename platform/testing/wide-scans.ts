import type { Options } from '@mikro-orm/postgresql';
import type { TestDatabase } from './database.ts';
import { planStatements, withDeclaredStatements } from './generic-plans.ts';
import type { PlanNode } from './unit-filters/plan.ts';

/** What a test has found about the scans of statements on tables without rows and statistics. */
export interface ScanReport {
  /** How many statements were planned. */
  read: number;
  /**
   * `name: index (condition)` of each scan that reads a whole unit, event or table to find few
   * rows.
   */
  wide: string[];
  /** `name` of each statement that runs a limited sub-select once for each row of a join. */
  repeated: string[];
}

/** Columns that many rows of a table share. */
const sharedColumns = new Set(['business_unit_id', 'event_id', 'status', 'state', 'subject_type']);

const tablesOfOneRow = new Set(['change_counter', 'roster_epoch', 'stream_state']);

/**
 * Plans the statements of a service as its connections do in a new database. A connection keeps
 * this plan while the tables grow, so a scan must use an index on the column that identifies its
 * rows, and not one on the event. Afterwards it plans them for tables that were empty at the last
 * `analyze`, such as a queue between two bursts.
 */
export const findWideScans = (
  serverUrl: string,
  schema: string,
  ormOf: (url: string) => Options,
): Promise<ScanReport> => withDeclaredStatements(serverUrl, schema, ormOf, readScans);

/**
 * Plans statements on empty tables, before and after `analyze`. Statements other than those on rows
 * are skipped.
 */
export async function readScans(
  database: TestDatabase,
  texts: readonly string[],
): Promise<ScanReport> {
  const plans = await plansOf(database, texts);
  const wide = plans.flatMap(({ name, nodes }) =>
    nodes.flatMap(wideScansOf).map((scan) => `${name}: ${scan}`),
  );
  await database.sql('analyze');
  const analyzed = await plansOf(database, texts);
  const repeated = analyzed.filter(({ nodes }) => nodes.some(repeatsLimit));
  return { read: plans.length, wide, repeated: repeated.map(({ name }) => name) };
}

/** The nodes of the plans of statements, by name. */
async function plansOf(database: TestDatabase, texts: readonly string[]) {
  const planned = await planStatements(database, texts);
  return planned.map(({ name, plan }) => ({ name, nodes: plan ? nodesOf(plan) : [] }));
}

interface ScanNode extends PlanNode {
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  Plans?: ScanNode[];
}

const nodesOf = (plan: ScanNode): ScanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * The scans that a node is or joins, if they find their rows by shared columns only and a condition
 * then identifies them.
 */
function wideScansOf(node: ScanNode): string[] {
  const filter = node.Filter ?? '';
  const joined = node['Join Filter'] ?? '';
  const isWide = (scan: ScanNode, checked: string[]): boolean =>
    isOfManyRows(scan) &&
    checked.some((column) => !sharedColumns.has(column)) &&
    columnsOf(scan['Index Cond'] ?? '').every((column) => sharedColumns.has(column));
  const nameOfScan = (scan: ScanNode) => scan['Index Name'] ?? scan['Relation Name'];
  return [
    ...(isWide(node, columnsOf(withoutOptions(filter))) ? [`${nameOfScan(node)} (${filter})`] : []),
    ...joinedScansOf(node)
      .filter((scan) => isWide(scan, joinedColumns(joined, scan)))
      .map((scan) => `${nameOfScan(scan)} (${joined})`),
  ];
}

const isOfManyRows = (scan: ScanNode): boolean =>
  /^(Seq|Index|Index Only) Scan$/.test(scan['Node Type']) &&
  !tablesOfOneRow.has(scan['Relation Name'] ?? '');

/** The scans that a nested loop joins. It may keep the rows of the inner one. */
const joinedScansOf = (join: ScanNode): ScanNode[] =>
  join['Node Type'] === 'Nested Loop'
    ? (join.Plans ?? []).flatMap((child) =>
        child['Node Type'] === 'Materialize' ? (child.Plans ?? []) : [child],
      )
    : [];

/** The columns of a scan that a join compares with columns of its other side. */
const joinedColumns = (condition: string, { Alias: alias }: ScanNode): string[] =>
  [...condition.matchAll(/\b(\w+)\.([a-z_]+) = (\w+)\.([a-z_]+)/g)].flatMap(
    ([, left, leftColumn = '', right, rightColumn = '']) => [
      ...(left === alias ? [leftColumn] : []),
      ...(right === alias ? [rightColumn] : []),
    ],
  );

/**
 * A filter without the conditions that no index supports: those in `is true`, and those that a
 * parameter can switch off.
 */
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

/**
 * Whether the inner side of a join limits its rows and does not depend on the outer side, so that
 * each run is the same.
 */
function repeatsLimit(node: ScanNode): boolean {
  if (node['Node Type'] !== 'Nested Loop' || !node['Join Filter']) return false;
  const inner = node.Plans?.find((child) => child['Parent Relationship'] === 'Inner');
  return inner !== undefined && nodesOf(inner).some((child) => child['Node Type'] === 'Limit');
}
