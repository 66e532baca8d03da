import { apiOperations } from '@event-api/contracts/http/operations';
import { apiVersions } from '@event-api/contracts/version';
import { systemClock } from '@event-api/platform/core/clock';
import { createLogger, type Logger } from '@event-api/platform/core/log';
import { apiUrlsOf } from '@event-api/platform/core/topology-settings';
import { openDatabase } from '@event-api/platform/db/database';
import { observePool } from '@event-api/platform/db/pool-metrics';
import { watchDatabase } from '@event-api/platform/db/watch-database';
import { createCallerSigner, createCallerVerifier } from '@event-api/platform/http/caller-tokens';
import { listen } from '@event-api/platform/http/listen';
import { createReadAfterStore } from '@event-api/platform/messaging/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';
import { awaitSchema } from '@event-api/platform/service/await-schema';
import { createDependencies } from '@event-api/platform/telemetry/dependencies';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createApiKeyCache } from './api-keys/authenticate.ts';
import { createVersionRegistry, versionChanges } from './api-versions/registry.ts';
import { buildGateway } from './app.ts';
import type { GatewaySettings } from './config.ts';
import { createKeyClaims } from './idempotency/claims.ts';
import { gatewayOrm } from './orm.ts';
import { createRateLimiter } from './rate-limit/limit.ts';
import { timeouts } from './timeouts.ts';
import { createSharedUsage } from './unit-usage/shared-usage.ts';

/** Starts the gateway. Returns the function that drains it and closes its connections. */
export async function startGateway(
  settings: GatewaySettings,
  stopping: AbortSignal,
): Promise<{ log: Logger; stop: () => Promise<void> }> {
  const log = createLogger({ service: 'gateway', level: settings.LOG_LEVEL });
  const clock = systemClock;
  const orm = gatewayOrm(settings.DATABASE_URL);
  const db = await openDatabase(orm, settings.DATABASE_POOL_MAX);
  const { HOST: host, INTERNAL_PORT: internalPort } = settings;
  const ping = await awaitSchema({ orm, db, log, host, internalPort, stopping });
  const telemetry = await createTelemetry({ service: 'gateway', log, settings });
  const { metrics } = telemetry;
  observePool(metrics, db);
  const dependencies = createDependencies({ metrics, log });
  const databaseWatch = watchDatabase(db, dependencies.observe('postgres'));
  const redis = connectRedis(settings.REDIS_URL, dependencies.observe('redis'));
  const cell = settings.CELL ?? null;
  const keys = createApiKeyCache({ db, clock, log, metrics, cell });
  const { api, internal } = await buildGateway({
    db,
    keys,
    claims: createKeyClaims(redis),
    readAfter: createReadAfterStore(redis),
    usage: createSharedUsage(redis),
    clock,
    cell,
    log,
    telemetry,
    limiter: createRateLimiter({
      redis,
      windowMs: settings.RATE_LIMIT_WINDOW_MS,
      clock,
      metrics,
    }),
    signer: await createCallerSigner({
      issuer: 'gateway',
      privateJwk: settings.CALLER_PRIVATE_KEY,
    }),
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    checkResponses: settings.NODE_ENV !== 'production',
    operations: apiOperations,
    scannerFolder: settings.SCANNER_DIR,
    clientPackage: settings.CLIENT_PACKAGE,
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    upstreams: apiUrlsOf('gateway', settings),
    upstreamTimeoutMs: timeouts.upstreamMs,
    defaultRateLimits: {
      default: settings.RATE_LIMIT_PER_MINUTE,
      checkins: settings.CHECKIN_RATE_LIMIT_PER_MINUTE,
      changes: settings.CHANGES_RATE_LIMIT_PER_MINUTE,
      unitFactor: settings.UNIT_RATE_LIMIT_FACTOR,
    },
    anonymousRateLimit: settings.ANONYMOUS_RATE_LIMIT_PER_MINUTE,
    maxNotificationVerifications: settings.MAX_NOTIFICATION_VERIFICATIONS,
    trustProxy: settings.TRUST_PROXY,
    connectionLimits: {
      maxPerPeer: settings.MAX_CONNECTIONS_PER_ADDRESS,
      maxTotal: settings.MAX_CONNECTIONS,
    },
    outputLimits: {
      stallTimeoutMs: settings.RESPONSE_STALL_TIMEOUT_MS,
      maxPendingBytes: settings.MAX_PENDING_RESPONSE_BYTES,
    },
    turnLimits: {
      maxInFlight: settings.MAX_IN_FLIGHT,
      maxInFlightPerUnit: settings.MAX_IN_FLIGHT_PER_UNIT,
      maxWaitingPerUnit: settings.MAX_WAITING_PER_UNIT,
    },
    versions: createVersionRegistry(apiVersions, versionChanges),
  });
  const serving = await listen({
    api,
    internal,
    log,
    telemetry,
    dependencies,
    host,
    port: settings.PORT,
    internalPort,
    ping,
    drainIdleMs: settings.DRAIN_IDLE_TIMEOUT_MS,
  });
  return {
    log,
    async stop() {
      await serving.stop();
      await keys.close();
      redis.destroy();
      await databaseWatch.stop();
      await db.close();
    },
  };
}
