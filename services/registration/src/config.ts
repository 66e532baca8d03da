import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** Settings of the registration service. */
export const config = () =>
  readConfig(
    z.object({
      ...serviceSettings('registration'),
      /** How long seats are set aside for an order. */
      SEAT_RESERVATION_MS: milliseconds().default(15 * 60 * 1000),
      /** How often holds of events without requests expire and the waitlist is promoted. */
      EXPIRE_AND_PROMOTE_INTERVAL_MS: milliseconds().default(1000),
      /** How often the metrics that need the database are read. */
      METRICS_INTERVAL_MS: milliseconds().default(10_000),
    }),
  );

export type RegistrationSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
