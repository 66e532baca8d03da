import { cellSetting, processSettings, readConfig } from '@event-api/platform/core/config';
import { serviceSettings } from '@event-api/platform/core/topology-settings';
import { z } from 'zod';

/** Settings of the service changes. */
export const config = () =>
  readConfig(
    z
      .object({
        ...serviceSettings('changes'),
        ...cellSetting,
        /**
         * The key ring of the secrets of webhook endpoints: the first key encrypts, all decrypt.
         */
        WEBHOOK_SECRETS_KEYS: z
          .string()
          .transform((list) => list.split(',').filter(Boolean))
          .refine(
            (keys) => keys.length >= 1 && keys.every((key) => /^[A-Za-z0-9_-]{43}$/.test(key)),
            'must be one key of 32 bytes in base64url, or several with commas',
          ),
        /**
         * Admits webhook endpoints on this machine, over HTTP and on any port: for development and
         * tests.
         */
        WEBHOOKS_ALLOW_LOOPBACK: z.enum(['0', '1']).default('0'),
      })
      .refine(
        ({ NODE_ENV, WEBHOOKS_ALLOW_LOOPBACK }) =>
          NODE_ENV !== 'production' || WEBHOOKS_ALLOW_LOOPBACK === '0',
        { error: 'must not be 1 in production', path: ['WEBHOOKS_ALLOW_LOOPBACK'] },
      ),
  );

export type ChangesSettings = ReturnType<typeof config>;

/** The role that owns the schema. Only migrations need it. */
export const migrationConfig = () =>
  readConfig(z.object({ MIGRATION_DATABASE_URL: processSettings.DATABASE_URL }));
