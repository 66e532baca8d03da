import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { onsiteOrm } from './orm.ts';

/** Brings onsite's schema up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(onsiteOrm(migrationConfig().MIGRATION_DATABASE_URL));
