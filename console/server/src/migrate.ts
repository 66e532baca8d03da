import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { consoleOrm } from './orm.ts';

/** Brings the schema of the console up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(consoleOrm(migrationConfig().MIGRATION_DATABASE_URL));
