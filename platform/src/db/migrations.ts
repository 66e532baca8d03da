import { fileURLToPath } from 'node:url';
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';

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

/** Brings a schema up to date, as the role that owns it. Safe to run again and side by side. */
export async function migrate(options: Options): Promise<string[]> {
  const orm = await MikroORM.init(options);
  try {
    // Two deploys may start at once; the second waits for the first and finds nothing left to do.
    const applied = await orm.em.transactional(async (em) => {
      await em.execute("select pg_advisory_xact_lock(hashtext('event-api migrations'))");
      return await orm.migrator.up();
    });
    return applied.map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}
