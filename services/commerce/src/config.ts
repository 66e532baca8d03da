import {
  cellSetting,
  milliseconds,
  processSettings,
  readConfig,
} from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** One secret, or two during a rotation. */
/** At least one secret, and one more for each while it is replaced. */
const secrets = (most: 2 | 4) =>
  z
    .string()
    .transform((list) => list.split(',').filter(Boolean))
    .refine(
      (list) => list.length >= 1 && list.length <= most,
      `must be 1 to ${most} secrets, with commas`,
    )
    .optional();

/** Settings of the commerce service. */
export const config = () =>
  readConfig(
    z.object({
      ...serviceSettings('commerce'),
      ...cellSetting,
      /** The payment provider. It determines which of the next settings are required. */
      PAYMENT_PROVIDER: z.enum(['stripe', 'sandbox']),
      STRIPE_SECRET_KEY: z.string().optional(),
      /** Those of two endpoints: for the account of the platform, and for connected accounts. */
      STRIPE_WEBHOOK_SECRETS: secrets(4),
      /** Replaces Stripe's own host. */
      STRIPE_API_URL: httpUrl().optional(),
      SANDBOX_URL: httpUrl().optional(),
      SANDBOX_SECRETS: secrets(2),
      /**
       * Where payments of a business unit without an account of its own go: to the account of the
       * platform, or nowhere: `unit` refuses its orders that cost something.
       */
      PAYMENT_ACCOUNTS: z.enum(['platform', 'unit']).default('platform'),
      /**
       * The key ring of the secrets of payment accounts: the first key encrypts, all decrypt. Units
       * can have accounts of their own only with it.
       */
      PAYMENT_SECRETS_KEYS: z
        .string()
        .transform((list) => list.split(',').filter(Boolean))
        .refine(
          (keys) => keys.length >= 1 && keys.every((key) => /^[A-Za-z0-9_-]{43}$/.test(key)),
          'must be one key of 32 bytes in base64url, or several with commas',
        )
        .optional(),
      /** Signs the daily digests of the journal. Without it they are unsigned. */
      LEDGER_SIGNING_KEY: z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
        .optional(),
      /** Whether real money moves. A payment of the other mode is closed as unusable. */
      PAYMENT_LIVEMODE: z.enum(['true', 'false']).optional(),
      /**
       * Allows the sandbox, or a provider's test mode, in production. No real money moves there.
       */
      ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
      /**
       * Interval of the sweep over unfinished steps of orders. Buyers wait for some of them.
       */
      RETRY_INTERVAL_MS: milliseconds().default(1000),
      /** A step is idle before it is retried. The request that began it may still be running. */
      RETRY_MIN_IDLE_MS: milliseconds().default(5000),
      /**
       * Interval of reads of the metrics of money. Each one reads the database, and alerts allow
       * for minutes.
       */
      METRICS_INTERVAL_MS: milliseconds().default(10_000),
      /**
       * A payment session is expired before the hold of its order. A payment after the hold may
       * find no seats.
       */
      SESSION_EXPIRY_LEAD_MS: milliseconds().default(10_000),
    }),
  );

export type CommerceSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
