import { systemClock } from '@event-api/platform/core/clock';
import { createLogger, type Logger } from '@event-api/platform/core/log';
import { apiUrlsOf, internalUrlsOf } from '@event-api/platform/core/topology-settings';
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
import { buildConsole } from './app.ts';
import type { ConsoleSettings } from './config.ts';
import { consoleOrm } from './orm.ts';
import { createReadReadiness } from './owners/readiness.ts';
import { createSendRequest } from './owners/send.ts';
import { createRateLimit } from './rate-limit/rate-limit.ts';
import { createIdentityProvider, type IdentityProvider } from './sign-in/oidc.ts';

/** Starts the console. Returns the function that drains it and closes its connections. */
export async function startConsole(
  settings: ConsoleSettings,
  stopping: AbortSignal,
): Promise<{ log: Logger; apiUrl: string; internalUrl: string; stop: () => Promise<void> }> {
  const log = createLogger({ service: 'console', level: settings.LOG_LEVEL });
  const orm = consoleOrm(settings.DATABASE_URL);
  const db = await openDatabase(orm, settings.DATABASE_POOL_MAX);
  const { HOST: host, INTERNAL_PORT: internalPort } = settings;
  const ping = await awaitSchema({ orm, db, log, host, internalPort, stopping });
  const telemetry = await createTelemetry({ service: 'console', log, settings });
  const { metrics } = telemetry;
  observePool(metrics, db);
  const dependencies = createDependencies({ metrics, log });
  const databaseWatch = watchDatabase(db, dependencies.observe('postgres'));
  const redis = connectRedis(settings.REDIS_URL, dependencies.observe('redis'));
  const signer = await createCallerSigner({
    issuer: 'console',
    privateJwk: settings.CALLER_PRIVATE_KEY,
  });
  const urls = {
    api: apiUrlsOf('console', settings),
    internal: internalUrlsOf('console', settings),
  };
  const servers = await buildConsole({
    db,
    log,
    telemetry,
    signer,
    callers: await createCallerVerifier({ publicJwks: settings.CALLER_PUBLIC_KEYS }),
    readAfter: createReadAfterStore(redis),
    rateLimit: createRateLimit({ redis, clock: systemClock, metrics }),
    limits: {
      session: settings.RATE_LIMIT_PER_MINUTE,
      address: settings.ANONYMOUS_RATE_LIMIT_PER_MINUTE,
    },
    send: createSendRequest({ urls, signer, metrics }),
    readReadiness: createReadReadiness(urls.internal),
    identityProvider: identityProviderOf(settings),
    label: settings.OIDC_LABEL,
    hasDemo: settings.DEMO_SIGN_INS === '1',
    consoleUrl: settings.CONSOLE_URL,
    gatewayUrl: settings.GATEWAY_PUBLIC_URL ?? null,
    cell: settings.CELL ?? null,
    webFolder: settings.WEB_DIR,
    trustProxy: settings.TRUST_PROXY,
    checkResponses: settings.NODE_ENV !== 'production',
  });
  const serving = await listen({
    ...servers,
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
    apiUrl: serving.apiUrl,
    internalUrl: serving.internalUrl,
    async stop() {
      await serving.stop();
      redis.destroy();
      await databaseWatch.stop();
      await db.close();
    },
  };
}

function identityProviderOf(settings: ConsoleSettings): IdentityProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, CONSOLE_URL } = settings;
  if (!issuer || !clientId) return null;
  return createIdentityProvider({
    issuer,
    clientId,
    clientSecret: settings.OIDC_CLIENT_SECRET,
    internalUrl: settings.OIDC_INTERNAL_URL,
    redirectUrl: `${CONSOLE_URL}/api/sign-in/callback`,
  });
}
