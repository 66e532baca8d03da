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
import { buildCommerce, commerceProjections, startJobs } from './app.ts';
import { config } from './config.ts';
import { createCommerceMetrics } from './metrics.ts';
import { commerceOrm } from './orm.ts';
import { createPaymentProvider } from './payments/providers/create-provider.ts';

await runProcess(async () => {
  const settings = config();
  const provider = await createPaymentProvider(settings);
  const log = createLogger({ service: 'commerce', level: settings.LOG_LEVEL });
  const faults = parseFaults(settings.FAULTS, settings.NODE_ENV);
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
    projections: commerceProjections,
    snapshotClients: {
      catalog: createSnapshotClient({ url: settings.CATALOG_INTERNAL_URL, signer }),
    },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const jobDeps = {
    db,
    log,
    faults,
    provider,
    telemetry,
    metrics: createCommerceMetrics(telemetry.metrics),
    registration: createServiceClient({ url: settings.REGISTRATION_INTERNAL_URL, signer }),
    sessionExpiryLeadMs: settings.END_SESSION_BEFORE_MS,
  };
  const job = startJobs(jobDeps, {
    intervalMs: settings.REPEAT_EVERY_MS,
    minIdleMs: settings.REPEAT_IDLE_MS,
    metricsIntervalMs: settings.LOOK_EVERY_MS,
  });
  const { api, internal } = buildCommerce({
    ...jobDeps,
    catalog: createServiceClient({ url: settings.CATALOG_INTERNAL_URL, signer }),
    refresher: messaging.refresher,
    onSettlementRecorded: job.wake,
    resyncProjections: messaging.projector.resync,
    checkpoint: messaging.checkpoint,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    checkResponses: settings.NODE_ENV !== 'production',
  });
  const listeners = await listen({
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
      await listeners.stop();
      await job.stop();
      await messaging.close();
      await db.close();
    },
  };
});
