import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { gatewayOrm } from './orm.ts';

/** Brings the gateway's schema up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(gatewayOrm(migrationConfig().MIGRATION_DATABASE_URL));
