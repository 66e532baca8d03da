import { fileURLToPath } from 'node:url';
import {
  cellSetting,
  milliseconds,
  processSettings,
  readConfig,
} from '@event-api/platform/core/config';
import { serverUrl } from '@event-api/platform/core/server-urls';
import { apiUrlSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** Reads the gateway's settings. */
export const config = () =>
  readConfig(
    z.object({
      ...processSettings,
      ...cellSetting,
      /**
       * The address of the gateway for scanners, which is in the QR of a pairing code. All cells have
       * the same.
       */
      PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }).optional(),
      /** The folder of the built scanner. */
      SCANNER_DIR: z
        .string()
        .default(fileURLToPath(new URL('../../console/scanner/dist', import.meta.url))),
      /** The built client library, as a package of npm. */
      CLIENT_PACKAGE: z
        .string()
        .default(
          fileURLToPath(new URL('../../clients/typescript/dist/client.tgz', import.meta.url)),
        ),
      REDIS_URL: serverUrl(/^rediss?$/, 'must be a redis:// or rediss:// URL'),
      ...apiUrlSettings('gateway'),
      RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(120),
      CHECKIN_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      CHANGES_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      /** How many times the limit of one key all keys of a business unit may use together. */
      UNIT_RATE_LIMIT_FACTOR: z.coerce.number().int().min(1).default(5),
      /** Requests without a valid key per window and address. */
      ANONYMOUS_RATE_LIMIT_PER_MINUTE: z.coerce.number().int().min(1).default(600),
      /** Maximum number of payment notifications that are verified at the same time. */
      MAX_NOTIFICATION_VERIFICATIONS: z.coerce.number().int().min(1).default(64),
      /** The window of the rate limit. The limit of a key is a number of requests per minute. */
      RATE_LIMIT_WINDOW_MS: milliseconds().default(60_000),
      /** Addresses or networks of trusted proxies, separated by commas. */
      TRUST_PROXY: z
        .string()
        .default('')
        .transform((list) => list.split(',').filter(Boolean)),
      /** Maximum number of open connections of one address that is not in `TRUST_PROXY`. */
      MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(1000),
      MAX_CONNECTIONS: z.coerce.number().int().min(1).default(10_000),
      /** A client takes none of its unsent response bytes. Its response would occupy memory. */
      RESPONSE_STALL_TIMEOUT_MS: milliseconds().default(15_000),
      /** Maximum number of bytes of large response bodies that are pending at the same time. */
      MAX_PENDING_RESPONSE_BYTES: z.coerce.number().int().min(8_388_608).default(16_777_216),
      /** Maximum number of requests in flight to each service. */
      MAX_IN_FLIGHT: z.coerce.number().int().min(1).default(64),
      /** The share of one business unit in the requests in flight to each service. */
      MAX_IN_FLIGHT_PER_UNIT: z.coerce.number().int().min(1).default(48),
      /** Maximum number of requests of a business unit that wait for a service. */
      MAX_WAITING_PER_UNIT: z.coerce.number().int().min(1).default(2000),
    }),
  );

export type GatewaySettings = ReturnType<typeof config>;

/** Reads the URL of the role that owns the schema. Only migrations use it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
