import { parseFaults } from '@event-api/platform/core/faults';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { observePool } from '@event-api/platform/db/pool-metrics';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/http/caller-tokens';
import { listen } from '@event-api/platform/http/listen';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createSnapshotClient } from '@event-api/platform/http/snapshot-client';
import { startMessaging } from '@event-api/platform/messaging/messaging';
import { runProcess } from '@event-api/platform/service/run-process';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { buildOnsite, onsiteProjections } from './app.ts';
import { createCheckinQueues } from './checkins/batch.ts';
import { config } from './config.ts';
import { onsiteOrm } from './orm.ts';
import { doorTimeouts } from './timeouts.ts';

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
