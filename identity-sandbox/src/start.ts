import { createLogger, type Logger } from '@event-api/platform/core/log';
import { listen } from '@event-api/platform/http/listen';
import { createHttpServer } from '@event-api/platform/http/server';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildSandbox } from './app.ts';
import type { SandboxSettings } from './config.ts';
import { createProvider } from './provider.ts';

/** Starts the identity sandbox. Returns the function that drains it. */
export async function startSandbox(
  settings: SandboxSettings,
): Promise<{ log: Logger; apiUrl: string; stop: () => Promise<void> }> {
  const log = createLogger({ service: 'identity-sandbox', level: settings.LOG_LEVEL });
  const telemetry = await createTelemetry({ service: 'identity-sandbox', log, settings });
  const issuer = settings.ISSUER_URL.replace(/\/$/, '');
  const provider = createProvider({
    issuer,
    redirectUrl: settings.REDIRECT_URL,
    clientSecret: settings.CLIENT_SECRET,
  });
  const listeners = await listen({
    api: buildSandbox({ provider, issuer, log }),
    internal: createHttpServer({ log, checkResponses: false, trustRequestId: false }),
    log,
    telemetry,
    host: settings.HOST,
    port: settings.PORT,
    internalPort: settings.INTERNAL_PORT,
    // There is no dependency.
    ping: async () => {},
  });
  return { log, apiUrl: listeners.apiUrl, stop: listeners.stop };
}
