/**
 * A reference to check: rows of `table` whose `column` refers to `key` of `owner`. `what` labels
 * the row in the result.
 */
type Owned = [what: string, table: string, column: string, owner: string, key: string];

/**
 * Returns the SQL that finds rows whose owner does not exist. Rows without a reference are skipped.
 */
export const orphansOf = (owned: readonly Owned[]): string =>
  owned
    .map(
      ([what, table, column, owner, key]) =>
        `select '${what}' as orphan, o.${column} as missing from ${table} o
          where o.${column} is not null and not exists (select from ${owner} w where w.${key} = o.${column})`,
    )
    .join(' union all ');
