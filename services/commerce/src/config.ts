import { milliseconds, processSettings, readConfig } from '@event-api/platform/config';
import { z } from 'zod';
import { paymentSettings } from './payments/providers/choose.ts';

const internalUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** Commerce's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      ...paymentSettings,
      NATS_URL: z.url({ protocol: /^nats$/, error: 'must be a nats:// URL' }),
      /** Where catalog and registration answer other services. */
      CATALOG_INTERNAL_URL: internalUrl(),
      REGISTRATION_INTERNAL_URL: internalUrl(),
      /** How often steps that were left half-way are looked for, and how long one must have been idle. */
      REPEAT_EVERY_MS: milliseconds().default(1000),
      REPEAT_IDLE_MS: milliseconds().default(5000),
      /** How long before the end of its hold an order's payment page is closed. */
      END_SESSION_BEFORE_MS: milliseconds().default(10_000),
    }),
  );

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
