import { processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

/** Settings of the payment sandbox. */
export const config = () =>
  readConfig(
    z
      .object({
        NODE_ENV: processSettings.NODE_ENV,
        HOST: processSettings.HOST,
        PORT: processSettings.PORT,
        INTERNAL_PORT: processSettings.INTERNAL_PORT,
        TELEMETRY_SAMPLE_RATIO: processSettings.TELEMETRY_SAMPLE_RATIO,
        OTEL_EXPORTER_OTLP_ENDPOINT: processSettings.OTEL_EXPORTER_OTLP_ENDPOINT,
        LOG_LEVEL: processSettings.LOG_LEVEL,
        /** The public URL of the payment page. */
        PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
        /**
         * Each secret authorizes requests; the first one signs notifications. Two during a
         * rotation.
         */
        SANDBOX_SECRETS: z
          .string()
          .transform((list) => list.split(',').filter(Boolean))
          .refine(
            (list) =>
              list.length >= 1 && list.length <= 2 && list.every((secret) => secret.length >= 16),
            'must be one secret of at least 16 characters, or two with a comma',
          ),
        /** The URL that receives notifications. */
        NOTIFICATION_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
        /** The file that stores sessions, so that a restart loses none. */
        DATA_FILE: z.string(),
        /** Allows the sandbox in production, where it accepts no real money. */
        ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
      })
      .refine(({ NODE_ENV, ALLOW_SANDBOX }) => NODE_ENV !== 'production' || ALLOW_SANDBOX === '1', {
        error: 'must be 1 to run a payment sandbox in production',
        path: ['ALLOW_SANDBOX'],
      }),
  );

export type SandboxSettings = ReturnType<typeof config>;
