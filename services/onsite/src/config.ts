import { processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

const internalUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** Onsite's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      NATS_URL: z.url({ protocol: /^nats$/, error: 'must be a nats:// URL' }),
      /** Where catalog and registration answer other services. */
      CATALOG_INTERNAL_URL: internalUrl(),
      REGISTRATION_INTERNAL_URL: internalUrl(),
    }),
  );

export type OnsiteSettings = ReturnType<typeof config>;

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
