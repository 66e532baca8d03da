import pg, { type PoolClient } from 'pg';

/** A named prepared statement. It is parsed and planned once per connection. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Only a type: what the columns are. */
  readonly row?: Row;
}

const declared = new Map<string, Statement<unknown>>();

/** The statements that the loaded modules have declared, so that tests can read them all. */
export const declaredStatements = (): Statement<unknown>[] => [...declared.values()];

/**
 * Declares a statement. Each needs a unique name and explicit columns: after a migration `select *`
 * would no longer fit its plan. The name stands behind the first word of the text, so that the
 * views of the server show it.
 * Errors: for a name that PostgreSQL would truncate, because two truncated names can be equal.
 */
export function statement<Row = never>(name: string, sql: string): Statement<Row> {
  if (Buffer.byteLength(name) > maxNameBytes) throw new Error(`statement name too long: ${name}`);
  // The server's statistics omit a comment at the beginning.
  const text = sql.replace(/\w+/, (verb) => `${verb} /* ${name} */`);
  const created = { name, text };
  declared.set(text, created);
  return created;
}

/**
 * Declares a statement that is the same in the schema of each service. It is created with its first
 * use.
 */
export function statementOfSchema<Row = never>(
  name: string,
  sqlOf: (schema: string) => string,
): (schema: string) => Statement<Row> {
  const created = new Map<string, Statement<Row>>();
  return (schema) => {
    const known = created.get(schema);
    if (known) return known;
    const made = statement<Row>(name, sqlOf(schema));
    created.set(schema, made);
    return made;
  };
}

/**
 * A part of a statement, named `unflushed`, that lets its transaction commit without waiting for
 * the disk. The statement must join it. If the database server ends abnormally, commits of the last
 * second can be lost, the newest first: use it only for what is repeated or derived again after
 * such a loss.
 */
export const unflushedSql =
  "unflushed as (select set_config('synchronous_commit', 'off', true) as setting)";

const maxNameBytes = 63;

const int8 = 20;

/** Parsers of column types: instants become `Date`, 64-bit integers become numbers. */
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/**
 * `unprepared` plans a statement for one execution only. After a migration every connection may
 * have an outdated plan, so a retry on another connection could fail in the same way.
 */
export type PlanMode = 'cached' | 'unprepared';

/** Runs a statement on a connection. */
export async function queryOn<Row>(
  client: PoolClient,
  statement: Statement<Row>,
  values: readonly unknown[] = [],
  planMode: PlanMode,
): Promise<Row[]> {
  const { name, text } = statement;
  const result = await client.query({
    ...(planMode === 'cached' && { name }),
    text,
    values: values as unknown[],
    types: typeParsers,
  });
  return result.rows as Row[];
}
