import { type Equality, equalitiesOf } from './conditions.ts';

/** A node of the result of `explain (verbose, format json)`. */
export interface PlanNode {
  'Node Type': string;
  Schema?: string;
  'Relation Name'?: string;
  Alias?: string;
  'CTE Name'?: string;
  'Subplan Name'?: string;
  'Parent Relationship'?: string;
  'Join Type'?: string;
  'Group Key'?: string[];
  'Conflict Resolution'?: string;
  'Conflict Filter'?: string;
  Plans?: PlanNode[];
}

/** The rows that a plan reads and writes, by the aliases of their sources. */
export interface PlanSources {
  /** `schema.table` by alias. */
  tables: Map<string, string>;
  /** The rows of a sub-select or of a common table expression. */
  derived: Map<string, Derived>;
  /** Rows that the statement gets as input, such as those of `unnest($1)`. */
  inputs: Set<string>;
  equalities: Equality[];
  /** Tables whose existing rows an insert may update. */
  upserts: { table: string; filter: string }[];
  /**
   * Sources that do not limit `rows`, such as the optional side of an outer join: `others` are all
   * other sources.
   */
  apart: { rows: Set<string> | 'others'; from: Set<string> }[];
}

export interface Derived {
  /** The sources within. */
  from: Set<string>;
  /** Whether rows are written, also those that the outer statement does not read. */
  writes: boolean;
  /** The common table expression that the alias reads. */
  cte?: string;
}

const conditions = [
  'Index Cond',
  'Filter',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Recheck Cond',
];

interface Part {
  node: PlanNode;
  aliases: Set<string>;
}

export function sourcesOf(plan: PlanNode): PlanSources {
  const sources: PlanSources = {
    tables: new Map(),
    derived: new Map(),
    inputs: new Set(),
    equalities: [],
    upserts: [],
    apart: [],
  };
  const ctes = new Map<string, Derived>();

  function visit(node: PlanNode): Set<string> {
    const parts: Part[] = [];
    // Common table expressions and sub-selects come first: the other nodes read them.
    for (const child of node.Plans ?? []) {
      const aliases = visit(child);
      const name = child['Subplan Name'];
      const inner = { from: new Set(aliases), writes: writesRows(child) };
      if (name?.startsWith('CTE ')) ctes.set(name.slice('CTE '.length), inner);
      else if (name) sources.derived.set(name.replace(/ \(.*$/, ''), inner);
      parts.push({ node: child, aliases });
    }
    const own = new Set(parts.flatMap(({ aliases }) => [...aliases]));
    for (const field of conditions) {
      const condition = (node as unknown as Record<string, unknown>)[field];
      if (typeof condition === 'string') sources.equalities.push(...equalitiesOf(condition));
    }
    sources.apart.push(...separations(node, parts));
    readNode(node, own);
    return own;
  }

  function readNode(node: PlanNode, own: Set<string>): void {
    const { Alias: alias, 'CTE Name': cte, 'Relation Name': relation } = node;
    const table = `${node.Schema}.${relation}`;
    if (node['Node Type'] === 'ModifyTable') {
      const filter = node['Conflict Filter'] ?? '';
      if (node['Conflict Resolution'] === 'UPDATE') sources.upserts.push({ table, filter });
      return;
    }
    if (!alias) return;
    if (relation) sources.tables.set(alias, table);
    else if (cte) sources.derived.set(alias, { ...(ctes.get(cte) ?? noRows), cte });
    else if (node['Node Type'] === 'Subquery Scan')
      sources.derived.set(alias, { from: new Set(own), writes: false });
    else sources.inputs.add(alias);
    own.add(alias);
  }

  visit(plan);
  return sources;
}

const noRows: Derived = { from: new Set(), writes: false };

const writesRows = (node: PlanNode): boolean =>
  node['Node Type'] === 'ModifyTable' || (node.Plans ?? []).some(writesRows);

/** What the parts of a node do not limit. */
function separations(node: PlanNode, parts: readonly Part[]): PlanSources['apart'] {
  const part = (relationship: string): Set<string> =>
    parts.find((one) => one.node['Parent Relationship'] === relationship)?.aliases ?? new Set();
  const [outer, inner] = [part('Outer'), part('Inner')];
  const joinType = node['Join Type'] ?? '';
  const apart: PlanSources['apart'] = [];
  if (/^(Left|Anti|Full)$/.test(joinType)) apart.push({ rows: outer, from: inner });
  if (/^(Right|Right Anti|Full)$/.test(joinType)) apart.push({ rows: inner, from: outer });
  // A branch of a union, a sub-select, and an aggregate, which returns a row also without input.
  const closed = parts.filter(({ node: child }) => isClosed(child));
  return [...apart, ...closed.map(({ aliases }) => ({ rows: 'others' as const, from: aliases }))];
}

const isClosed = (node: PlanNode): boolean =>
  node['Parent Relationship'] === 'Member' ||
  node['Subplan Name'] !== undefined ||
  (node['Node Type'] === 'Aggregate' && node['Group Key'] === undefined);
