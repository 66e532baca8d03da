import { join } from 'node:path';
import type { Process } from '@event-api/contracts/topology';
import {
  appliedMigrationsSql,
  migrationNames,
  pendingMigrations,
} from '@event-api/platform/db/pending-migrations';
import { Client } from 'pg';
import type { ProcessSource } from './process-source.ts';

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
      const names = await migrationNames(join(root, process.folder, 'src/migrations'));
      const applied = appliedMigrationsSql(client.escapeIdentifier(process.name));
      const missing = await pendingMigrations(
        names,
        async () => (await client.query<{ name: string }>(applied)).rows,
      );
      if (missing.length > 0) pending.push(process);
    }
    return pending;
  } finally {
    await client.end();
  }
}
