import { milliseconds, processSettings, readConfig } from '@event-api/platform/config';
import { z } from 'zod';

const url = (protocol: RegExp) => z.url({ protocol, error: 'must be a URL' });

/** The gateway's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      REDIS_URL: url(/^rediss?$/),
      /** Where each service serves the API. */
      CATALOG_URL: url(/^https?$/),
      REGISTRATION_URL: url(/^https?$/),
      COMMERCE_URL: url(/^https?$/),
      ONSITE_URL: url(/^https?$/),
      RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(120),
      /** For requests without a valid key, by address. */
      ANONYMOUS_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      RATE_LIMIT_WINDOW_MS: milliseconds().default(60_000),
      /** Addresses or networks of the proxies in front, separated by commas. */
      TRUST_PROXY: z
        .string()
        .default('')
        .transform((list) => list.split(',').filter(Boolean)),
    }),
  );

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
