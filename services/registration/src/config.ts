import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

/** Registration's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      NATS_URL: z.url({ protocol: /^nats$/, error: 'must be a nats:// URL' }),
      /** Where catalog answers other services. */
      CATALOG_INTERNAL_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
      /** How long seats are set aside for an order. */
      SEAT_RESERVATION_MS: milliseconds().default(15 * 60 * 1000),
      /** How often events that nobody asks about are settled. */
      EXPIRE_AND_PROMOTE_INTERVAL_MS: milliseconds().default(1000),
      /** How often metrics that need the database are brought up to date. */
      METRICS_INTERVAL_MS: milliseconds().default(10_000),
    }),
  );

export type RegistrationSettings = ReturnType<typeof config>;

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
