import { join } from 'node:path';
import {
  type Process,
  type ProcessName,
  processNamed,
  schemas,
} from '@event-api/contracts/topology';
import { runOnce } from '@event-api/local-servers/run-once';
import { provisionedUrls } from '@event-api/provisioning/database-roles';
import { type DatabaseUrls, databasesOf } from '@event-api/provisioning/database-urls';
import { provision } from '@event-api/provisioning/provision';
import { withPendingMigrations } from './pending-migrations.ts';
import { inheritedEnvironment } from './process-settings.ts';
import { currentSource, type ProcessSource } from './process-source.ts';

/** Addresses for the role of each process. */
export type AppUrls = DatabaseUrls<ProcessName>;

/**
 * Creates roles and schemas in the database of each process, then runs the pending migrations of
 * every process of `source`. `databaseUrls` belong to a role that may create roles. Errors:
 * PostgreSQL's; a migration's output.
 */
export async function prepareDatabases(
  databaseUrls: DatabaseUrls<ProcessName>,
  signal: AbortSignal,
  source: ProcessSource = currentSource,
): Promise<AppUrls> {
  const prepared = databasesOf(databaseUrls).map(({ url, names }) =>
    prepareDatabase(url, names, { signal, source }),
  );
  return Object.assign({}, ...(await Promise.all(prepared)));
}

async function prepareDatabase(
  databaseUrl: string,
  names: readonly ProcessName[],
  { signal, source }: { signal: AbortSignal; source: ProcessSource },
): Promise<Partial<AppUrls>> {
  const own = schemas.filter((schema) => names.includes(schema));
  const urls = await provision(databaseUrl, own).catch((error: Error) => {
    throw new Error(
      `failed to set up the database (DATABASE_URL or the local one): ${error.message}`,
      {
        cause: error,
      },
    );
  });
  const env = { ...inheritedEnvironment(), MIGRATION_DATABASE_URL: urls.owner };
  const migrated = source.topology.filter(({ name, migrates }) => migrates && names.includes(name));
  const pending = await withPendingMigrations(urls.owner, source, migrated);
  if (pending.length > 0) await runMigrations(source, pending, { env, signal });
  return urls.app;
}

/** Creates roles and schemas without tables, or repeats that. */
export async function provisionDatabases(
  databaseUrls: DatabaseUrls<ProcessName>,
): Promise<AppUrls> {
  const provisioned = databasesOf(databaseUrls).map(
    async ({ url, names }) => (await provision(url, names)).app,
  );
  return Object.assign({}, ...(await Promise.all(provisioned)));
}

/** The addresses for the roles of databases that are provisioned. */
export const appUrlsOf = (databaseUrls: DatabaseUrls<ProcessName>): AppUrls =>
  Object.assign(
    {},
    ...databasesOf(databaseUrls).map(({ url, names }) => provisionedUrls(url, names).app),
  );

/** Runs the migrations of one process on a database with roles and schemas, as its release does. */
export async function migrateProcess(
  databaseUrls: DatabaseUrls<ProcessName>,
  name: ProcessName,
  signal: AbortSignal,
): Promise<void> {
  const { owner } = provisionedUrls(databaseUrls[name], schemas);
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
