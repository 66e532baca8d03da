import { createCallerVerifier } from '@event-api/platform/callers';
import { systemClock } from '@event-api/platform/clock';
import { openDatabase } from '@event-api/platform/db/database';
import { faultsFrom } from '@event-api/platform/faults';
import { serve } from '@event-api/platform/http/serve';
import { run } from '@event-api/platform/lifecycle';
import { createLogger } from '@event-api/platform/log';
import { observePool } from '@event-api/platform/telemetry/process-metrics';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildCatalog } from './app.ts';
import { config } from './config.ts';
import { catalogOrm } from './orm.ts';

await run(async () => {
  const settings = config();
  const log = createLogger({ service: 'catalog', level: settings.LOG_LEVEL });
  const db = await openDatabase(catalogOrm(settings.DATABASE_URL), settings.DATABASE_POOL_MAX);
  const telemetry = await createTelemetry({ service: 'catalog', log, settings });
  observePool(telemetry.metrics, db);
  const { api, internal } = buildCatalog({
    db,
    log,
    telemetry,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    clock: systemClock,
    faults: faultsFrom(settings.FAULTS, settings.NODE_ENV),
    checkResponses: settings.NODE_ENV !== 'production',
  });
  const serving = await serve({
    api,
    internal,
    log,
    telemetry,
    host: settings.HOST,
    port: settings.PORT,
    internalPort: settings.INTERNAL_PORT,
    ping: db.ping,
  });
  return {
    log,
    async stop() {
      await serving.stop();
      await db.close();
    },
  };
});
