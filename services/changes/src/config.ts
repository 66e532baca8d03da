import { processSettings, readConfig } from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** Settings of the service changes. */
export const config = () => readConfig(z.object(serviceSettings('changes')));

export type ChangesSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
