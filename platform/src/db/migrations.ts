import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { sqlState } from '../core/error-reason.ts';

/** A service's MikroORM options: its schema, its entities, and where its migrations lie. */
export function ormOptions(options: {
  url: string;
  schema: string;
  entities: NonNullable<Options['entities']>;
  migrations: URL;
}): Options {
  return {
    clientUrl: options.url,
    schema: options.schema,
    entities: options.entities,
    extensions: [Migrator],
    discovery: { warnWhenNoEntities: false },
    // Values never reach the logs, and neither do connection strings.
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
 * What a service's `migrate.ts` does: brings its schema up to date. With `--create <name>`, and an
 * otherwise empty database, it then writes the migration that is still missing to what the entities describe.
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
 * How long a migration waits for a table. All that comes after it waits behind it meanwhile, and what a service asks
 * gives up after two seconds: so it steps aside long before, and tries again.
 */
const lockTimeoutMs = 500;
const retryIntervalMs = 1000;

/**
 * Brings a schema up to date, as the role that owns it, while the processes of the release before use it. Safe to run
 * again and side by side.
 * Errors: a migration's own; PostgreSQL's 55P03 when a table could not be had for `lockTimeoutMs`.
 */
export async function migrate(
  options: Options,
  { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
): Promise<string[]> {
  const orm = await MikroORM.init({ ...options, driverOptions: { lock_timeout: lockTimeoutMs } });
  try {
    const applied = await orm.em.transactional(async (em) => {
      // Two deploys may start at once; the second waits for the first, however long, and finds nothing left to do.
      await em.execute('set local lock_timeout = 0');
      await em.execute("select pg_advisory_xact_lock(hashtext('event-api migrations'))");
      return await migrateWithRetries(orm, performance.now() + timeoutMs);
    });
    return applied.map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}

/** All migrations in one transaction, as often as it takes to get the locks of all. */
async function migrateWithRetries(orm: MikroORM, deadline: number) {
  for (;;) {
    try {
      return await orm.migrator.up();
    } catch (error) {
      if (sqlState(error) !== '55P03' || performance.now() > deadline) throw error;
      await delay(retryIntervalMs);
    }
  }
}
