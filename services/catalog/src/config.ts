import { processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

/** Catalog's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      NATS_URL: z.url({ protocol: /^nats$/, error: 'must be a nats:// URL' }),
      /** Where registration answers other services. */
      REGISTRATION_INTERNAL_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
    }),
  );

export type CatalogSettings = ReturnType<typeof config>;

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
