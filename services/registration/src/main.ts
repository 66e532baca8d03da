import { startMessaging } from '@event-api/platform/bus/messaging';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/callers';
import { openDatabase } from '@event-api/platform/db/database';
import { faultsFrom } from '@event-api/platform/faults';
import { serve } from '@event-api/platform/http/serve';
import { run } from '@event-api/platform/lifecycle';
import { createLogger } from '@event-api/platform/log';
import { createSnapshotOwner } from '@event-api/platform/projections/owner';
import { observePool } from '@event-api/platform/telemetry/process-metrics';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createAdmission } from './admission/queue.ts';
import { buildRegistration, registrationCopies, startJobs } from './app.ts';
import { config } from './config.ts';
import { registrationOrm } from './orm.ts';

await run(async () => {
  const settings = config();
  const log = createLogger({ service: 'registration', level: settings.LOG_LEVEL });
  const faults = faultsFrom(settings.FAULTS, settings.NODE_ENV);
  const db = await openDatabase(registrationOrm(settings.DATABASE_URL), settings.DATABASE_POOL_MAX);
  const telemetry = await createTelemetry({ service: 'registration', log, settings });
  observePool(telemetry.metrics, db);
  const signer = await createCallerSigner({
    issuer: 'registration',
    privateJwk: settings.CALLER_PRIVATE_KEY,
  });
  const messaging = startMessaging({
    db,
    log,
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL,
    origin: 'registration',
    schema: 'registration',
    copies: registrationCopies,
    owners: { catalog: createSnapshotOwner({ url: settings.CATALOG_INTERNAL_URL, signer }) },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const admission = createAdmission({ db, faults, log, metrics: telemetry.metrics });
  const job = startJobs({
    db,
    admission,
    log,
    metrics: telemetry.metrics,
    everyMs: settings.SETTLE_EVERY_MS,
    lookEveryMs: settings.LOOK_EVERY_MS,
  });
  const { api, internal } = buildRegistration({
    db,
    log,
    telemetry,
    admission,
    faults,
    askOwner: messaging.askOwner,
    resyncCopies: messaging.projector.resync,
    holdMs: settings.HOLD_MS,
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
