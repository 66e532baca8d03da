import { readdir } from 'node:fs/promises';
import type { Options } from '@mikro-orm/postgresql';
import { sqlState } from '../core/error-reason.ts';
import type { Db } from './database.ts';
import { statementOfSchema } from './statement.ts';

const undefinedTable = '42P01';

const applied = statementOfSchema<{ name: string }>(
  'migrations_applied',
  (schema) => `select name from ${schema}.mikro_orm_migrations`,
);

/**
 * The migrations of this release that its schema does not have, in their order. A later release may
 * have applied more. Errors: PostgreSQL's.
 */
export async function pendingMigrations(
  { schema = '', migrations }: Pick<Options, 'schema' | 'migrations'>,
  db: Db,
): Promise<string[]> {
  const files = await readdir(migrations?.path ?? '');
  const names = files
    .filter((file) => /(?<!\.d|\.test)\.[jt]s$/.test(file))
    .map((file) => file.replace(/\.[jt]s$/, ''));
  const known = await db.query(applied(schema)).catch((error: unknown) => {
    // Before the first migration.
    if (sqlState(error) === undefinedTable) return [];
    throw error;
  });
  const found = new Set(known.map(({ name }) => name));
  return names.filter((name) => !found.has(name)).toSorted();
}
