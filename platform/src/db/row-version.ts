import { p, raw } from '@mikro-orm/core';
import { initialVersionSql, nextVersionSql } from '../messaging/projections/snapshot-source.ts';

/**
 * The column of a published record that says which of two snapshots is newer. It is set in the
 * statement that makes or changes the row, by the database's clock, and never runs backwards.
 */
export const versionColumn = () =>
  p
    .bigint('number')
    .default(1)
    .onCreate(() => raw(initialVersionSql) as unknown as number)
    .onUpdate(() => raw(nextVersionSql) as unknown as number);

// As PostgreSQL writes `firstVersion` back, so that migrations and entities compare as equal.
const now = '((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint';

/**
 * The column of a record that is not published, or whose statements set the version themselves. It orders lists by
 * change. The default covers rows that the previous release inserts during a rollout.
 */
export const changeVersion = () => p.bigint('number').defaultRaw(now);

/** The version after `version`, for the body of a trigger. */
export const nextChangeVersion = (version: string): string => `greatest(${version} + 1, ${now})`;
