import { processSettings, readConfig } from '@event-api/platform/core/config';
import { z } from 'zod';

const address = () => z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** Settings of the identity sandbox. */
export const config = (env: NodeJS.ProcessEnv = process.env) =>
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
        /** The issuer, as browsers reach it. */
        ISSUER_URL: address(),
        /** The address of the console to which the browser returns. */
        REDIRECT_URL: address(),
        /** The secret of the console. */
        CLIENT_SECRET: z.string().min(16),
      })
      // It signs everyone in without a credential.
      .refine(({ NODE_ENV }) => NODE_ENV !== 'production', {
        error: 'must not be production: the identity sandbox asks for no password',
        path: ['NODE_ENV'],
      }),
    env,
  );

export type SandboxSettings = ReturnType<typeof config>;
