import { startMessaging } from '@event-api/platform/bus/messaging';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/callers';
import { openDatabase } from '@event-api/platform/db/database';
import { parseFaults } from '@event-api/platform/faults';
import { createServiceClient } from '@event-api/platform/http/call-service';
import { listen } from '@event-api/platform/http/serve';
import { runProcess } from '@event-api/platform/lifecycle';
import { createLogger } from '@event-api/platform/log';
import { createSnapshotClient } from '@event-api/platform/projections/owner';
import { observePool } from '@event-api/platform/telemetry/process-metrics';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildOnsite, onsiteProjections } from './app.ts';
import { doorTimeouts } from './checkins/budget.ts';
import { createCheckinQueues } from './checkins/queue.ts';
import { config } from './config.ts';
import { onsiteOrm } from './orm.ts';

await runProcess(async () => {
  const settings = config();
  const log = createLogger({ service: 'onsite', level: settings.LOG_LEVEL });
  const faults = parseFaults(settings.FAULTS, settings.NODE_ENV);
  const db = await openDatabase(onsiteOrm(settings.DATABASE_URL), settings.DATABASE_POOL_MAX);
  const telemetry = await createTelemetry({ service: 'onsite', log, settings });
  observePool(telemetry.metrics, db);
  const { CALLER_PRIVATE_KEY: privateJwk } = settings;
  const signer = await createCallerSigner({ issuer: 'onsite', privateJwk });
  const messaging = startMessaging({
    db,
    log,
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL,
    schema: 'onsite',
    projections: onsiteProjections,
    snapshotClients: {
      catalog: createSnapshotClient({ url: settings.CATALOG_INTERNAL_URL, signer }),
      registration: createSnapshotClient({ url: settings.REGISTRATION_INTERNAL_URL, signer }),
    },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const { api, internal } = buildOnsite({
    db,
    log,
    telemetry,
    queues: createCheckinQueues(db, telemetry.metrics),
    registration: createServiceClient({
      url: settings.REGISTRATION_INTERNAL_URL,
      signer,
      timeoutMs: doorTimeouts.ownerMs,
    }),
    refresher: messaging.refresher,
    resyncProjections: messaging.projector.resync,
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
      await messaging.close();
      await db.close();
    },
  };
});
