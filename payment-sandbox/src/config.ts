import { processSettings, readConfig } from '@event-api/platform/config';
import { z } from 'zod';

/** The sandbox's settings. */
export const config = () =>
  readConfig(
    z
      .object({
        NODE_ENV: processSettings.NODE_ENV,
        HOST: processSettings.HOST,
        PORT: processSettings.PORT,
        LOG_LEVEL: processSettings.LOG_LEVEL,
        /** Where buyers reach the payment page. */
        PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
        /** Who may ask, and what notifications are signed with. */
        SANDBOX_SECRET: z.string().min(16, 'must have at least 16 characters'),
        /** Where notifications go. */
        NOTIFY_URL: z.url({ protocol: /^https?$/, error: 'must be a URL' }),
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
