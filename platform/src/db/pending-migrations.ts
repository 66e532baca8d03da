import { readdir } from 'node:fs/promises';
import { sqlState } from '../core/error-reason.ts';

const undefinedTable = '42P01';

/** The names of the migrations in a folder. Errors: those of the file system. */
export async function migrationNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => /(?<!\.d|\.test)\.[jt]s$/.test(file))
    .map((file) => file.replace(/\.[jt]s$/, ''))
    .toSorted();
}

/** Reads the names of the migrations that a schema has. */
export const appliedMigrationsSql = (schema: string): string =>
  `select name from ${schema}.mikro_orm_migrations`;

/**
 * Those of the migrations that a schema does not have, in their order. A later release may have
 * applied more. `readApplied` runs `appliedMigrationsSql`. Errors: its own.
 */
export async function pendingMigrations(
  names: readonly string[],
  readApplied: () => Promise<readonly { name: string }[]>,
): Promise<string[]> {
  const applied = await readApplied().catch((error: unknown) => {
    // Before the first migration.
    if (sqlState(error) === undefinedTable) return [];
    throw error;
  });
  const found = new Set(applied.map(({ name }) => name));
  return names.filter((name) => !found.has(name));
}
