import { processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

/** The sandbox's settings. */
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
        /** Where buyers reach the payment page. */
        PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
        /** Who may ask; the first of them signs notifications. Two while one is replaced by the other. */
        SANDBOX_SECRETS: z
          .string()
          .transform((list) => list.split(',').filter(Boolean))
          .refine(
            (list) => list.length >= 1 && list.length <= 2 && list.every((one) => one.length >= 16),
            'must be one secret of at least 16 characters, or two with a comma',
          ),
        /** Where notifications go. */
        NOTIFICATION_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
        /** Where sessions are kept, so that a restart loses none. */
        DATA_FILE: z.string(),
        /** Lets a sandbox run in production, where it takes no real money. */
        ALLOW_SANDBOX: z.enum(['0', '1']).default('0'),
      })
      .refine(({ NODE_ENV, ALLOW_SANDBOX }) => NODE_ENV !== 'production' || ALLOW_SANDBOX === '1', {
        error: 'must be 1 to run a payment sandbox in production',
        path: ['ALLOW_SANDBOX'],
      }),
  );
