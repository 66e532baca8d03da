import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** One secret, or two while one is replaced by the other. */
const secrets = () =>
  z
    .string()
    .transform((list) => list.split(',').filter(Boolean))
    .refine(
      (list) => list.length >= 1 && list.length <= 2,
      'must be one secret, or two with a comma',
    )
    .optional();

/** Commerce's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      NATS_URL: z.url({ protocol: /^nats$/, error: 'must be a nats:// URL' }),
      /** Where catalog and registration answer other services. */
      CATALOG_INTERNAL_URL: httpUrl(),
      REGISTRATION_INTERNAL_URL: httpUrl(),
      /** Who takes the money; which of the next settings are needed, it says. */
      PAYMENT_PROVIDER: z.enum(['stripe', 'sandbox']),
      STRIPE_SECRET_KEY: z.string().optional(),
      STRIPE_WEBHOOK_SECRETS: secrets(),
      /** Another host than Stripe's own. */
      STRIPE_API_URL: httpUrl().optional(),
      SANDBOX_URL: httpUrl().optional(),
      SANDBOX_SECRETS: secrets(),
      /** Whether real money moves. A notification of the other mode is closed as unusable. */
      PAYMENT_LIVEMODE: z.enum(['true', 'false']).optional(),
      /** Lets production use the sandbox or a provider's test mode, where no real money moves. */
      ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
      /** How often steps that were left half-way are looked for, and how long one must have been idle. */
      REPEAT_EVERY_MS: milliseconds().default(1000),
      REPEAT_IDLE_MS: milliseconds().default(5000),
      /** How often metrics that need the database are brought up to date. */
      LOOK_EVERY_MS: milliseconds().default(10_000),
      /** How long before the end of its hold an order's payment page is closed. */
      END_SESSION_BEFORE_MS: milliseconds().default(10_000),
    }),
  );

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
