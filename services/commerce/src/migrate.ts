import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { commerceOrm } from './orm.ts';

/** Brings commerce's schema up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(commerceOrm(migrationConfig().MIGRATION_DATABASE_URL));
