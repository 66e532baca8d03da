import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { sqlState } from '../core/error-reason.ts';
import { tlsOptions } from '../core/server-urls.ts';
import { databaseTimeouts } from '../core/timeouts.ts';
import { buildPendingIndexes } from './concurrent-indexes.ts';

/** The MikroORM options of a service: its schema, its entities and the folder of its migrations. */
export function ormOptions(options: {
  url: string;
  schema: string;
  entities: NonNullable<Options['entities']>;
  migrations: URL;
}): Options {
  const ssl = tlsOptions(options.url);
  return {
    clientUrl: options.url,
    driverOptions: ssl && { ssl },
    schema: options.schema,
    entities: options.entities,
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // Values and connection strings must not reach the logs.
    logger: () => {},
    migrations: {
      path: fileURLToPath(options.migrations),
      glob: '!(*.d|*.test).{js,ts}',
      emit: 'ts',
      generator: TSMigrationGenerator,
      tableName: 'mikro_orm_migrations',
      schema: options.schema,
      snapshot: false,
      transactional: true,
      allOrNothing: true,
    },
  } as Options;
}

/**
 * The command of a service's `migrate.ts`: applies the pending migrations. With `--create <name>`,
 * on an otherwise empty database, it then writes a migration for the difference between the schema
 * and the entities.
 */
export async function migrationCommand(options: Options, argv = process.argv): Promise<void> {
  const applied = await migrate(options);
  process.stdout.write(`${options.schema}: ${applied.length} migrations applied\n`);
  const at = argv.indexOf('--create');
  if (at === -1) return;
  const orm = await MikroORM.init(options);
  const { fileName } = await orm.migrator.create(undefined, false, false, argv[at + 1]);
  process.stdout.write(`${options.schema}: ${fileName || 'no migration is missing'}\n`);
  await orm.close(true);
}

/**
 * Applies the pending migrations as the owner of the schema, while processes of the previous
 * release use it. Repeated and concurrent runs are safe. An index that a migration creates with
 * `create index if not exists` is built before, while its table is written to.
 * Errors: those of a migration; 55P03 from PostgreSQL when a table lock was not available within
 * `databaseTimeouts.migrationLockMs`; an error that says so if the tables were created by
 * migrations that no longer exist.
 */
export async function migrate(
  options: Options,
  { timeoutMs = databaseTimeouts.migrationMs }: { timeoutMs?: number } = {},
): Promise<string[]> {
  const orm = await MikroORM.init({
    ...options,
    driverOptions: { ...options.driverOptions, lock_timeout: databaseTimeouts.migrationLockMs },
  });
  try {
    const applied = await orm.em.transactional(async (em) => {
      await waitForOtherMigrations(em);
      await buildPendingIndexes(orm, { url: String(options.clientUrl), lockTimeoutMs: timeoutMs });
      return await migrateWithRetries(orm, performance.now() + timeoutMs);
    });
    return applied.map(({ name }) => name);
  } catch (error) {
    // `duplicate_table`: the initial migration is not applied, but its tables exist.
    if (sqlState(error) !== '42P07') throw error;
    throw new Error(
      `the tables of schema ${options.schema} were created by migrations that no longer exist: create the ` +
        'database again, or delete the data directory of a local platform',
      { cause: error },
    );
  } finally {
    await orm.close(true);
  }
}

/**
 * Concurrent deployments: the second waits for the first, without a limit, and finds nothing to
 * apply. It polls, because an index is not built while another transaction waits within a
 * statement.
 */
async function waitForOtherMigrations(em: EntityManager): Promise<void> {
  const lock = "select pg_try_advisory_xact_lock(hashtext('event-api migrations')) as locked";
  for (;;) {
    const [row] = await em.execute<{ locked: boolean }[]>(lock);
    if (row?.locked) return;
    await delay(databaseTimeouts.migrationRetryIntervalMs);
  }
}

/** Runs all migrations in one transaction, and retries until all locks are available. */
async function migrateWithRetries(orm: MikroORM, deadline: number) {
  for (;;) {
    try {
      return await orm.migrator.up();
    } catch (error) {
      if (sqlState(error) !== '55P03' || performance.now() > deadline) throw error;
      await delay(databaseTimeouts.migrationRetryIntervalMs);
    }
  }
}
