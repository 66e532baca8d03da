import { startMessaging } from '@event-api/platform/bus/messaging';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/callers';
import { openDatabase } from '@event-api/platform/db/database';
import { faultsFrom } from '@event-api/platform/faults';
import { createServiceClient } from '@event-api/platform/http/call-service';
import { serve } from '@event-api/platform/http/serve';
import { run } from '@event-api/platform/lifecycle';
import { createLogger } from '@event-api/platform/log';
import { createSnapshotOwner } from '@event-api/platform/projections/owner';
import { observePool } from '@event-api/platform/telemetry/process-metrics';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildCommerce, commerceCopies, startJobs } from './app.ts';
import { config } from './config.ts';
import { createCounts } from './counts.ts';
import { commerceOrm } from './orm.ts';
import { chooseProvider } from './payments/providers/choose.ts';

await run(async () => {
  const settings = config();
  const provider = await chooseProvider(settings);
  const log = createLogger({ service: 'commerce', level: settings.LOG_LEVEL });
  const faults = faultsFrom(settings.FAULTS, settings.NODE_ENV);
  const db = await openDatabase(commerceOrm(settings.DATABASE_URL), settings.DATABASE_POOL_MAX);
  const telemetry = await createTelemetry({ service: 'commerce', log, settings });
  observePool(telemetry.metrics, db);
  const signer = await createCallerSigner({
    issuer: 'commerce',
    privateJwk: settings.CALLER_PRIVATE_KEY,
  });
  const messaging = startMessaging({
    db,
    log,
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL,
    schema: 'commerce',
    copies: commerceCopies,
    owners: { catalog: createSnapshotOwner({ url: settings.CATALOG_INTERNAL_URL, signer }) },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const steps = {
    db,
    log,
    faults,
    provider,
    telemetry,
    counts: createCounts(telemetry.metrics),
    registration: createServiceClient({ url: settings.REGISTRATION_INTERNAL_URL, signer }),
    endBeforeMs: settings.END_SESSION_BEFORE_MS,
  };
  const job = startJobs(steps, {
    everyMs: settings.REPEAT_EVERY_MS,
    idleMs: settings.REPEAT_IDLE_MS,
    lookEveryMs: settings.LOOK_EVERY_MS,
  });
  const { api, internal } = buildCommerce({
    ...steps,
    catalog: createServiceClient({ url: settings.CATALOG_INTERNAL_URL, signer }),
    askOwner: messaging.askOwner,
    onReceived: job.wake,
    resyncCopies: messaging.projector.resync,
    position: messaging.position,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
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
    drainIdleMs: settings.DRAIN_IDLE_MS,
  });
  return {
    log,
    async stop() {
      await serving.stop();
      await job.stop();
      await messaging.close();
      await db.close();
    },
  };
});
