import { join } from 'node:path';
import {
  type Process,
  type ProcessName,
  processNamed,
  schemas,
} from '@event-api/contracts/topology';
import { runOnce } from '@event-api/local-servers/run-once';
import { type ProvisionedUrls, provisionedUrls } from '@event-api/provisioning/database-roles';
import { provision } from '@event-api/provisioning/provision';
import { withPendingMigrations } from './pending-migrations.ts';
import { inheritedEnvironment } from './process-settings.ts';
import { currentSource, type ProcessSource } from './process-source.ts';

/**
 * Creates roles and schemas, then runs the pending migrations of every process of `source`. Errors:
 * PostgreSQL's; a migration's output.
 */
export async function prepareDatabase(
  databaseUrl: string,
  signal: AbortSignal,
  source: ProcessSource = currentSource,
): Promise<ProvisionedUrls<ProcessName>> {
  const urls = await provision(databaseUrl, schemas).catch((error: Error) => {
    throw new Error(
      `failed to set up the database (DATABASE_URL or the local one): ${error.message}`,
      {
        cause: error,
      },
    );
  });
  const env = { ...inheritedEnvironment(), MIGRATION_DATABASE_URL: urls.owner };
  const migrated = source.topology.filter(({ migrates }) => migrates);
  const pending = await withPendingMigrations(urls.owner, source, migrated);
  if (pending.length > 0) await runMigrations(source, pending, { env, signal });
  return urls;
}

/** Runs the migrations of one process on a database with roles and schemas, as its release does. */
export async function migrateProcess(
  databaseUrl: string,
  name: ProcessName,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = provisionedUrls(databaseUrl, schemas);
  const env = { ...inheritedEnvironment(), MIGRATION_DATABASE_URL: owner };
  await runMigrations(currentSource, [processNamed(name)], { env, signal });
}

async function runMigrations(
  { root }: ProcessSource,
  processes: readonly Process[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<void> {
  const files = processes.map(({ folder }) => join(root, folder, 'src/migrate.ts'));
  const command = [process.execPath, join(root, 'tools/platform/migrate.ts'), ...files];
  await runOnce('the database migration', command, { ...options, cwd: root });
}
