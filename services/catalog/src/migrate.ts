import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { catalogOrm } from './orm.ts';

/** Brings catalog's schema up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(catalogOrm(migrationConfig().MIGRATION_DATABASE_URL));
