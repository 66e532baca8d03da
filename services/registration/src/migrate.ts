import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { registrationOrm } from './orm.ts';

/** Brings registration's schema up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(registrationOrm(migrationConfig().MIGRATION_DATABASE_URL));
