import { migrationCommand } from '@event-api/platform/db/migrations';
import { migrationConfig } from './config.ts';
import { changesOrm } from './orm.ts';

/** Brings the schema of changes up to date: `node src/migrate.ts`, as the role that owns it. */
await migrationCommand(changesOrm(migrationConfig().MIGRATION_DATABASE_URL));
