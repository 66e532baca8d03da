import { systemClock } from '@event-api/platform/clock';
import { run } from '@event-api/platform/lifecycle';
import { createLogger } from '@event-api/platform/log';
import { buildSandbox } from './app.ts';
import { config } from './config.ts';
import { createNotifier } from './notify.ts';
import { openSessions } from './sessions.ts';

await run(async () => {
  const settings = config();
  const log = createLogger({ service: 'payment-sandbox', level: settings.LOG_LEVEL });
  const now = () => systemClock.now();
  const secret = settings.SANDBOX_SECRET;
  const notifier = createNotifier({ url: settings.NOTIFY_URL, secret, now, log });
  const sessions = openSessions(settings.DATA_FILE);
  const publicUrl = settings.PUBLIC_URL.replace(/\/$/, '');
  const app = buildSandbox({ sessions, notifier, secret, publicUrl, now, log });
  await app.listen({ host: settings.HOST, port: settings.PORT });
  return {
    log,
    async stop() {
      await notifier.close();
      await app.close();
    },
  };
});
