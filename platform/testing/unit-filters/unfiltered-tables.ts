import type { Equality } from './conditions.ts';
import { type PlanNode, type PlanSources, sourcesOf } from './plan.ts';

/**
 * The tables of which a statement reads or writes rows without a filter by business unit. A table
 * is filtered if its `business_unit_id` must equal a value, or if each of its rows must refer to a
 * row, or be referred to by one, of a filtered table.
 */
export function unfilteredTables(plan: PlanNode, isOfUnit: (table: string) => boolean): string[] {
  const sources = sourcesOf(plan);
  const filtered = filteredSources(sources, isOfUnit);
  const read = [...sources.tables]
    .filter(([alias, table]) => isOfUnit(table) && !filtered.has(alias))
    .map(([, table]) => table);
  const updated = sources.upserts
    .filter(({ table, filter }) => isOfUnit(table) && !filter.includes('business_unit_id'))
    .map(({ table }) => table);
  return [...new Set([...read, ...updated])].toSorted();
}

/** The column of a table, and as `columnsOf` names it in a sub-select. */
const unitColumns = new Set(['business_unit_id', 'businessUnitId']);

function filteredSources(sources: PlanSources, isOfUnit: (table: string) => boolean): Set<string> {
  const { derived } = sources;
  const filtered = new Set<string>();
  for (const equality of sources.equalities) {
    const { alias, column } = equality.left;
    if (unitColumns.has(column) && isValue(sources, equality)) filtered.add(alias);
  }
  const links = linksOf(sources);
  for (let size = -1; size !== filtered.size; ) {
    size = filtered.size;
    for (const { row, of } of links) if (filtered.has(of)) filtered.add(row);
    for (const [alias, { from }] of derived) {
      const rows = [...from].filter((each) => hasRowsOfUnit(sources, isOfUnit, each));
      if (rows.length > 0 && rows.every((each) => filtered.has(each))) filtered.add(alias);
    }
    for (const [alias, { from, writes, cte }] of derived) {
      // What only filtered rows use is filtered by them.
      const uses = cte === undefined ? [alias] : usesOf(sources, cte);
      const isFiltered = uses.every((each) => filtered.has(each));
      if (!writes && isFiltered) for (const each of from) filtered.add(each);
    }
  }
  return filtered;
}

function hasRowsOfUnit(
  sources: PlanSources,
  isOfUnit: (table: string) => boolean,
  alias: string,
): boolean {
  const inner = sources.derived.get(alias);
  if (!inner) return isOfUnit(sources.tables.get(alias) ?? '');
  return [...inner.from].some((each) => hasRowsOfUnit(sources, isOfUnit, each));
}

const usesOf = ({ derived }: PlanSources, cte: string): string[] =>
  [...derived].filter(([, one]) => one.cte === cte).map(([alias]) => alias);

/** Whether the right side is a value or an input, and not a row of a table. */
const isValue = ({ inputs }: PlanSources, { right }: Equality): boolean =>
  right === null || inputs.has(right.alias);

/** Pairs of sources: each row of the first refers to, or is referred to by, a row of the second. */
function linksOf(sources: PlanSources): { row: string; of: string }[] {
  const { equalities, apart } = sources;
  const isApart = (row: string, of: string) =>
    apart.some(
      ({ rows, from }) => from.has(of) && (rows === 'others' ? !from.has(row) : rows.has(row)),
    );
  const links = equalities.flatMap((one) => {
    const row = one.left.alias;
    if (one.right && !isValue(sources, one)) return [{ row, of: one.right.alias }];
    // Two columns that equal one input of the statement equal each other. Constants are no such
    // inputs.
    if (!one.right && !/^\$\d+$/.test(one.value)) return [];
    const others = equalities.filter(({ value }) => value === one.value);
    return others.map(({ left }) => ({ row, of: left.alias }));
  });
  return links.filter(({ row, of }) => row !== of && !isApart(row, of));
}
