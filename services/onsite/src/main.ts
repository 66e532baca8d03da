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
import { buildOnsite, onsiteCopies } from './app.ts';
import { doors } from './checkins/budget.ts';
import { createDoorQueues } from './checkins/queue.ts';
import { config } from './config.ts';
import { onsiteOrm } from './orm.ts';

await run(async () => {
  const settings = config();
  const log = createLogger({ service: 'onsite', level: settings.LOG_LEVEL });
  const faults = faultsFrom(settings.FAULTS, settings.NODE_ENV);
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
    copies: onsiteCopies,
    owners: {
      catalog: createSnapshotOwner({ url: settings.CATALOG_INTERNAL_URL, signer }),
      registration: createSnapshotOwner({ url: settings.REGISTRATION_INTERNAL_URL, signer }),
    },
    faults,
    metrics: telemetry.metrics,
    spans: telemetry.spans,
  });
  const { api, internal } = buildOnsite({
    db,
    log,
    telemetry,
    doors: createDoorQueues(db, telemetry.metrics),
    registration: createServiceClient({
      url: settings.REGISTRATION_INTERNAL_URL,
      signer,
      timeoutMs: doors.waitForOwnersMs,
    }),
    askOwner: messaging.askOwner,
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
      await messaging.close();
      await db.close();
    },
  };
});
