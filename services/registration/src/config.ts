import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** Settings of the registration service. */
export const config = () =>
  readConfig(
    z.object({
      ...serviceSettings('registration'),
      /** Seats are reserved for an order, and the order is held. A buyer needs this time to pay. */
      SEAT_RESERVATION_MS: milliseconds().default(15 * 60 * 1000),
      /**
       * Interval of the job that expires reservations and promotes waitlists. Requests do so for their own event, so the
       * job covers only events without requests.
       */
      EXPIRE_AND_PROMOTE_INTERVAL_MS: milliseconds().default(1000),
      /** Interval of reads of the metrics of reservations. Each one reads the database, and alerts allow for minutes. */
      METRICS_INTERVAL_MS: milliseconds().default(10_000),
    }),
  );

export type RegistrationSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
