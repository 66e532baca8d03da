/** Records of a table that name an owner in `column`: by what they are told of, and where the owner is found. */
type Owned = [what: string, table: string, column: string, owner: string, key: string];

/** SQL for the records whose owner is not there. Whoever names none has none to miss. */
export const orphansOf = (owned: readonly Owned[]): string =>
  owned
    .map(
      ([what, table, column, owner, key]) =>
        `select '${what}' as orphan, o.${column} as missing from ${table} o
          where o.${column} is not null and not exists (select from ${owner} w where w.${key} = o.${column})`,
    )
    .join(' union all ');
