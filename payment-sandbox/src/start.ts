import { systemClock } from '@event-api/platform/core/clock';
import { createLogger, type Logger } from '@event-api/platform/core/log';
import { listen } from '@event-api/platform/http/listen';
import { createHttpServer } from '@event-api/platform/http/server';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildSandbox } from './app.ts';
import type { SandboxSettings } from './config.ts';
import { createNotifier } from './notify.ts';
import { openSessions } from './sessions.ts';

/** Starts the payment sandbox. Returns the function that drains it. */
export async function startSandbox(
  settings: SandboxSettings,
): Promise<{ log: Logger; stop: () => Promise<void> }> {
  const log = createLogger({ service: 'payment-sandbox', level: settings.LOG_LEVEL });
  const telemetry = await createTelemetry({ service: 'payment-sandbox', log, settings });
  const now = () => systemClock.now();
  const secrets = settings.SANDBOX_SECRETS;
  const notifier = createNotifier({ url: settings.NOTIFICATION_URL, secrets, now, log });
  const sessions = openSessions(settings.DATA_FILE);
  const publicUrl = settings.PUBLIC_URL.replace(/\/$/, '');
  const listeners = await listen({
    api: buildSandbox({ sessions, notifier, secrets, publicUrl, now, log }),
    internal: createHttpServer({ log, checkResponses: false, trustRequestId: false }),
    log,
    telemetry,
    host: settings.HOST,
    port: settings.PORT,
    internalPort: settings.INTERNAL_PORT,
    // The file is read at startup, and there is no other dependency.
    ping: async () => {},
  });
  return {
    log,
    async stop() {
      await notifier.close();
      await listeners.stop();
    },
  };
}
