import { p } from '@mikro-orm/core';
import { sqlValue } from './sql-value.ts';

/**
 * The version of a new row: microseconds of the database's clock, so that it grows even after a
 * restore.
 */
export const initialVersionSql = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** The version of a changed row. It belongs in the statement that changes the row. */
export const nextVersionSql = `greatest(version + 1, ${initialVersionSql})`;

/**
 * The column of a published record that says which of two snapshots is newer. The statement that
 * inserts or updates the row sets it from the database's clock; it never decreases.
 */
export const versionColumn = () =>
  p
    .bigint('number')
    .default(1)
    .onCreate(() => sqlValue<number>(initialVersionSql))
    .onUpdate(() => sqlValue<number>(nextVersionSql));

// `initialVersionSql` as PostgreSQL prints it, so that migrations and entities compare as equal.
const now = '((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint';

/**
 * The column of a record that is not published, or whose statements set the version themselves. It
 * orders lists by change.
 */
export const changeVersion = () => p.bigint('number').defaultRaw(now);

/** The version after `version`, for the body of a trigger. */
export const nextChangeVersion = (version: string): string => `greatest(${version} + 1, ${now})`;
