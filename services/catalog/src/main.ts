import { systemClock } from '@event-api/platform/core/clock';
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
import { buildCatalog, catalogProjections } from './app.ts';
import { config } from './config.ts';
import { catalogOrm } from './orm.ts';
import { createPromotion } from './ticket-types/promote.ts';

await runProcess(async () => {
  const settings = config();
  const faults = parseFaults(settings.FAULTS, settings.NODE_ENV);
  const log = createLogger({ service: 'catalog', level: settings.LOG_LEVEL });
  const db = await openDatabase(catalogOrm(settings.DATABASE_URL), settings.DATABASE_POOL_MAX);
  const telemetry = await createTelemetry({ service: 'catalog', log, settings });
  observePool(telemetry.metrics, db);
  const signer = await createCallerSigner({
    issuer: 'catalog',
    privateJwk: settings.CALLER_PRIVATE_KEY,
  });
  const messaging = startMessaging({
    db,
    log,
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL,
    origin: 'catalog',
    schema: 'catalog',
    projections: catalogProjections,
    snapshotClients: {
      registration: createSnapshotClient({ url: settings.REGISTRATION_INTERNAL_URL, signer }),
    },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const promotion = createPromotion(
    { url: settings.REGISTRATION_INTERNAL_URL, signer },
    faults.isDisabled('promotion.timeout') ? 5000 : undefined,
  );
  const { api, internal } = buildCatalog({
    promotion,
    refresher: messaging.refresher,
    checkpoint: messaging.checkpoint,
    resyncProjections: messaging.projector.resync,
    db,
    log,
    telemetry,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    clock: systemClock,
    faults,
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
