/** A table with its schema, `commerce.refund`, and the process whose schema it is. */
export interface NamedTable<Process extends string> {
  name: string;
  process: Process;
}

/** A name within a text in single quotes, or of a column, is no table. */
const patternOf = (schemas: readonly string[]): RegExp =>
  new RegExp(`(?<!['".\\w])(?:${schemas.join('|')})\\.\\w+`, 'g');

/** The tables that a statement names, each once. Every name has its schema. */
export function tablesIn<Process extends string>(
  sql: string,
  schemas: readonly Process[],
): NamedTable<Process>[] {
  const names = new Set([...sql.matchAll(patternOf(schemas))].map(([name]) => name));
  return [...names].map((name) => ({ name, process: name.split('.')[0] as Process }));
}

/**
 * The address of the database in which a statement runs, and the tables that are not there. Errors:
 * the statement names no table, and there are several databases.
 */
export function homeOf<Process extends string>(
  tables: readonly NamedTable<Process>[],
  urls: Record<Process, string>,
): { home: string; foreign: NamedTable<Process>[] } {
  const all = new Set(Object.values<string>(urls));
  const [first] = tables;
  const [only] = all;
  if (first === undefined) {
    if (all.size === 1 && only !== undefined) return { home: only, foreign: [] };
    throw new Error(
      'the statement names no table with its schema, and there are several databases',
    );
  }
  const home = urls[first.process];
  return { home, foreign: tables.filter(({ process }) => urls[process] !== home) };
}

/** The statement with the temporary copies of these tables. */
export function withCopies(sql: string, names: readonly string[]): string {
  const schemas = [...new Set(names.map((name) => name.split('.')[0] ?? ''))];
  if (schemas.length === 0) return sql;
  return sql.replaceAll(patternOf(schemas), (name) =>
    names.includes(name) ? `pg_temp."${name}"` : name,
  );
}
