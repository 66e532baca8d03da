import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from './database.ts';
import { type Statement, statement } from './statement.ts';

/** A list: one statement per order and set of filters, so that each has a plan of its own. */
export interface ListDefinition<Row, Filter extends string> {
  /** The prefix of the names of the statements. */
  name: string;
  /** The statement up to `where`. */
  select: string;
  /** Conditions on the values of the scope: `$1`, `$2` and so on. */
  scope: readonly string[];
  /** The condition of each filter, given the placeholder of its value. */
  filters: Record<Filter, (value: string) => string>;
  /** Only a type: what the columns are. */
  row?: Row;
}

export interface ListOrder<Filter extends string> {
  /** Part of the names of the statements. */
  name: string;
  /** The condition for the rows after a key, given the placeholders of the parts of the key. */
  after: (...key: string[]) => string;
  by: string;
  /** The sets of filters for which there is an index in this order, the most selective first. */
  indexes: readonly ListIndex<Filter>[];
  /** Filters whose conditions each of these indexes serves, besides its own. */
  served?: readonly Filter[];
}

export interface ListIndex<Filter extends string> {
  filters: readonly Filter[];
  /** False when the index does not start with the columns of the scope. */
  scoped?: false;
}

export interface ListValues<Filter extends string> {
  scope: readonly unknown[];
  filters: Partial<Record<Filter, unknown>>;
  /** The key after which the page starts. */
  after: readonly unknown[];
  limit: number;
}

/**
 * The statement and the values for up to `limit` + 1 rows of a list. The first index whose filters
 * are all present leads. Every other condition is wrapped in `is true`, which no index serves: a
 * plan made while the table is small cannot choose another index.
 */
export function listStatement<Row, Filter extends string>(
  list: ListDefinition<Row, Filter>,
  order: ListOrder<Filter>,
  { scope, filters, after, limit }: ListValues<Filter>,
): [Statement<Row>, unknown[]] {
  const values = [...scope];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const present = (Object.keys(list.filters) as Filter[]).filter(
    (name) => filters[name] !== undefined,
  );
  const index = order.indexes.find((each) => each.filters.every((name) => present.includes(name)));
  const isLed = (name: Filter) =>
    [...(index?.filters ?? []), ...(order.served ?? [])].includes(name);
  const checked = (condition: string) => `(${condition}) is true`;
  const start = order.after(...after.map(bind));
  const rows = bind(limit + 1);
  const conditions = [
    ...(index?.scoped === false ? list.scope.map(checked) : list.scope),
    start,
    ...present.map((name) => {
      const condition = list.filters[name](bind(filters[name]));
      return isLed(name) ? condition : checked(condition);
    }),
  ];
  const text = `${list.select} where ${conditions.join(' and ')} order by ${order.by} limit ${rows}`;
  return [statement([list.name, order.name, ...present].filter(Boolean).join('_'), text), values];
}

/**
 * The condition of a filter in a statement that is the same with and without it: every row fits if
 * the value is null. Only for rows that another condition has found, because no index serves it.
 */
export const ifPresent = (value: string, condition: (value: string) => string): string =>
  `(${value} is null or ${condition(value)})`;

/**
 * Newest first by an instant and the id. The key consists of both. Only records from an instant on
 * are read if the list has the filter `from`, which each index serves.
 */
export const latestFirst = <Filter extends string>(
  name: string,
  column: string,
  id: string,
  indexes: readonly ListIndex<Filter>[],
): ListOrder<Filter | 'from'> => ({
  name,
  after: (at, afterId) => `(${column}, ${id}) < (${at}::timestamptz, ${afterId}::text)`,
  by: `${column} desc, ${id} desc`,
  indexes,
  served: ['from'],
});

/**
 * The key after which a list that is newest first by an instant starts, if its records are before
 * another instant.
 */
export function keyBefore(after: readonly unknown[], before: Date | undefined): readonly unknown[] {
  if (before === undefined) return after;
  const isEarlier = after[0] !== 'infinity' && Date.parse(String(after[0])) < before.getTime();
  return isEarlier ? after : [before.toISOString(), ''];
}

/**
 * Newest first by the column `insertion_order`. The key is the id of the last row, or null before
 * the first row.
 */
export const newestFirst = <Filter extends string>(
  table: string,
  alias: string,
  indexes: readonly ListIndex<Filter>[],
): ListOrder<Filter> => ({
  name: '',
  after: (id) => `${alias}.insertion_order < coalesce((
      select k.insertion_order from ${table} k
      where k.id = ${id} and (k.business_unit_id = $1) is true and (k.event_id = $2) is true
    ), case when ${id}::text is null then 9223372036854775807 else 0::bigint end)`,
  by: `${alias}.insertion_order desc`,
  indexes,
});

/** Oldest change first. The key is the version and the id of the last row. */
export const oldestChangeFirst = <Filter extends string>(
  alias: string,
  indexes: readonly ListIndex<Filter>[] = [],
): ListOrder<Filter> => ({
  name: 'changes',
  after: (version, id) => `(${alias}.version, ${alias}.id) > (${version}::bigint, ${id}::text)`,
  by: `${alias}.version, ${alias}.id`,
  indexes,
});

/**
 * A list of the records of an event without filters, newest first. It returns up to `limit` + 1
 * records that were created before the one with the id `afterId`.
 */
export function newestOfEvent<Row>(source: {
  name: string;
  select: string;
  table: string;
  alias: string;
}): (db: Db, scope: EventScope, afterId: string | null, limit: number) => Promise<Row[]> {
  const { name, select, table, alias } = source;
  const conditions = [`${alias}.business_unit_id = $1`, `${alias}.event_id = $2`];
  const list: ListDefinition<Row, never> = { name, select, scope: conditions, filters: {} };
  const order = newestFirst<never>(table, alias, []);
  return (db, { businessUnitId, eventId }, afterId, limit) => {
    const values = { scope: [businessUnitId, eventId], filters: {}, after: [afterId], limit };
    return db.query(...listStatement(list, order, values));
  };
}
