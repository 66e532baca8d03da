import { parseFaults } from '@event-api/platform/core/faults';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { observePool } from '@event-api/platform/db/pool-metrics';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/http/caller-tokens';
import { listen } from '@event-api/platform/http/listen';
import { createSnapshotClient } from '@event-api/platform/http/snapshot-client';
import { startMessaging } from '@event-api/platform/messaging/messaging';
import { runProcess } from '@event-api/platform/service/run-process';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createAdmission } from './admission/queue.ts';
import { buildRegistration, registrationProjections, startJobs } from './app.ts';
import { config } from './config.ts';
import { registrationOrm } from './orm.ts';

await runProcess(async () => {
  const settings = config();
  const log = createLogger({ service: 'registration', level: settings.LOG_LEVEL });
  const faults = parseFaults(settings.FAULTS, settings.NODE_ENV);
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
    projections: registrationProjections,
    snapshotClients: {
      catalog: createSnapshotClient({ url: settings.CATALOG_INTERNAL_URL, signer }),
    },
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
    intervalMs: settings.SETTLE_EVERY_MS,
    pollIntervalMs: settings.LOOK_EVERY_MS,
  });
  const { api, internal } = buildRegistration({
    db,
    log,
    telemetry,
    admission,
    faults,
    refresher: messaging.refresher,
    resyncProjections: messaging.projector.resync,
    reservationMs: settings.HOLD_MS,
    checkpoint: messaging.checkpoint,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    checkResponses: settings.NODE_ENV !== 'production',
  });
  const serving = await listen({
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
