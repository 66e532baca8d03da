import { milliseconds, processSettings, readConfig } from '@event-api/platform/core/config';
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
      /** Payment notifications that wait for their verification at the same time. */
      MAX_NOTIFICATION_VERIFICATIONS: z.coerce.number().int().min(1).default(64),
      RATE_LIMIT_WINDOW_MS: milliseconds().default(60_000),
      /** Addresses or networks of the proxies in front, separated by commas. */
      TRUST_PROXY: z
        .string()
        .default('')
        .transform((list) => list.split(',').filter(Boolean)),
      /** Open connections of one address that is not in `TRUST_PROXY`. */
      MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1000),
      MAX_CONNECTIONS: z.coerce.number().int().min(1).default(10_000),
      /** How long a client may take none of the response bytes that wait for it. */
      RESPONSE_STALL_TIMEOUT_MS: milliseconds().default(15_000),
      /** Bytes of large response bodies that may wait for their clients at the same time. */
      MAX_PENDING_RESPONSE_BYTES: z.coerce.number().int().min(8_388_608).default(16_777_216),
    }),
  );

/** The role that owns the schema; only migrating needs it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
