import { processSettings, readConfig } from '@event-api/platform/config';
import { z } from 'zod';

/** Catalog's settings. */
export const config = () => readConfig(z.object(processSettings));

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
