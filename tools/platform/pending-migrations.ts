import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Process } from '@event-api/contracts/topology';
import { Client, DatabaseError } from 'pg';
import type { ProcessSource } from './process-source.ts';

const undefinedTable = '42P01';

/**
 * Returns the processes of `source` with migrations that the database does not list as applied.
 * Loading the libraries that run migrations takes a second, and at most starts nothing is pending.
 * Errors: PostgreSQL's.
 */
export async function withPendingMigrations(
  ownerUrl: string,
  { root }: ProcessSource,
  processes: readonly Process[],
): Promise<Process[]> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const pending: Process[] = [];
    for (const process of processes) {
      const files = await readdir(join(root, process.folder, 'src/migrations'));
      const names = files.map((file) => file.replace(/\.[jt]s$/, ''));
      const applied = await readApplied(client, process.name);
      if (names.some((name) => !applied.has(name))) pending.push(process);
    }
    return pending;
  } finally {
    await client.end();
  }
}

/** The names of the applied migrations of a schema; none before its first migration. */
async function readApplied(client: Client, schema: string): Promise<Set<string>> {
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${client.escapeIdentifier(schema)}.mikro_orm_migrations`,
    );
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return new Set();
    throw error;
  }
}
