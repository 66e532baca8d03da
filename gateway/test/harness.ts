import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiOperations } from '@event-api/contracts/http/operations';
import { type ServiceName, serviceNames } from '@event-api/contracts/topology';
import { apiVersions } from '@event-api/contracts/version';
import { systemClock } from '@event-api/platform/core/clock';
import { hashSecret } from '@event-api/platform/core/credentials';
import { newId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { type Db, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { statement } from '@event-api/platform/db/statement';
import { listen } from '@event-api/platform/http/listen';
import { createReadAfterStore } from '@event-api/platform/messaging/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';
import { unobserved } from '@event-api/platform/telemetry/dependencies';
import { createTelemetry, type TelemetrySettings } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl, redisUrl } from '@event-api/platform/testing/servers';
import { expect, inject } from 'vitest';
import { createApiKeyCache } from '../src/api-keys/authenticate.ts';
import { generateSecret } from '../src/api-keys/secret.ts';
import { createVersionRegistry } from '../src/api-versions/registry.ts';
import { buildGateway, type GatewayDeps } from '../src/app.ts';
import { createKeyClaims } from '../src/idempotency/claims.ts';
import { gatewayOrm } from '../src/orm.ts';
import { createRateLimiter } from '../src/rate-limit/limit.ts';
import { createSharedUsage } from '../src/unit-usage/shared-usage.ts';

/** A request as the stub service received it. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A stub service that returns the response of a test and records its requests. */
export async function startUpstream(listener?: RequestListener) {
  const received: Received[] = [];
  let respond: RequestListener =
    listener ??
    ((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"ok":true}'));
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body,
    });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respondWith: (next: RequestListener) => {
      respond = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface GatewayOptions extends Partial<GatewayDeps> {
  catalogUrl: string;
  windowMs?: number;
  /**
   * Whether calls to Redis have the timeout of production. Without it a busy machine cannot exceed
   * their timeout.
   */
  hasProductionRedisTimeout?: boolean;
  /** Database and Redis of another gateway, to share them. */
  databaseUrl?: string;
  redisUrl?: string;
  telemetrySettings?: Partial<TelemetrySettings>;
  /** Called with the name of each statement that the key cache runs. */
  onKeyQuery?: (statement: string) => void;
}

const expire = statement(
  'test_expire_key',
  "update gateway.api_key set expires_at = '2020-01-01' where id = $1",
);

/**
 * Creates a key with an old `changed_at` that no gateway has read, so polls do not return it. Only
 * a gateway that starts, or that has not polled for seconds, loads it before its first use.
 */
export async function insertUnseenKey(
  sql: TestDatabase['sql'],
  { expiresAt = null }: { expiresAt?: string | null } = {},
): Promise<string> {
  const secret = generateSecret('key', null);
  const unitId = newId('unit');
  await sql(
    `insert into gateway.business_unit (id, name, default_currency) values ($1, 'Unit', 'EUR')`,
    [unitId],
  );
  await sql(
    `insert into gateway.api_key (id, business_unit_id, name, secret_hash, display_prefix, version,
       expires_at, changed_at)
     values ($1, $2, 'Unseen', $3, 'sk_live_', '2026-08-22', $4, now() - interval '1 hour')`,
    [newId('key'), unitId, hashSecret(secret), expiresAt],
  );
  return secret;
}

/**
 * Waits for a second on the clock of a gateway in this process: four waits of 250 ms with a query
 * after each, like its polls of keys. A busy machine slows down both in the same way.
 */
export async function gatewaySecond(query: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await delay(250);
    await query();
  }
}

/**
 * Returns a window of at least an hour that began a minute ago or earlier and lasts another half
 * hour, so that no test crosses its edge.
 */
export function quietWindowMs(): number {
  const now = Date.now();
  for (let length = 3_600_000; ; length += 1000) {
    const elapsed = now % length;
    if (elapsed > 60_000 && length - elapsed > 1_800_000) return length;
  }
}

/** Creates a database for one or several gateways. */
export async function createGatewayDatabase() {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(gatewayOrm(database.url));
  return database;
}

/** The address of every service when one stub stands for all of them. */
const upstreamsAt = (url: string) =>
  Object.fromEntries(serviceNames.map((name) => [name, url])) as Record<ServiceName, string>;

/** Starts a gateway on its own ports in front of the given upstream. */
export async function startGateway(options: GatewayOptions) {
  const own = options.databaseUrl ? null : await createGatewayDatabase();
  const log = options.log ?? createLogger({ service: 'gateway', level: 'silent' });
  const clock = options.clock ?? systemClock;
  const cell = options.cell ?? null;
  const db = await openDatabase(gatewayOrm(options.databaseUrl ?? own?.url ?? ''), 10);
  const telemetry = await createTelemetry({
    service: 'gateway',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 1, ...options.telemetrySettings },
  });
  const { metrics } = telemetry;
  const redisTimeoutMs = options.hasProductionRedisTimeout ? undefined : 30_000;
  const redis = connectRedis(options.redisUrl ?? (await redisUrl()), unobserved);
  const watched: Db = {
    query(query, values) {
      options.onKeyQuery?.(query.name);
      return db.query(query, values);
    },
  };
  const keys = createApiKeyCache({ db: watched, clock, log, metrics, cell });
  const callers = await createTestCallers();
  const { api, internal } = await buildGateway({
    db,
    keys,
    claims: createKeyClaims(redis, redisTimeoutMs),
    readAfter: createReadAfterStore(redis, redisTimeoutMs),
    usage: createSharedUsage(redis, redisTimeoutMs),
    clock,
    cell,
    log,
    telemetry,
    limiter: createRateLimiter({
      redis,
      windowMs: options.windowMs ?? quietWindowMs(),
      clock,
      metrics,
      timeoutMs: redisTimeoutMs,
    }),
    signer: await callers.signer('gateway'),
    callers: callers.verifier,
    checkResponses: true,
    operations: apiOperations,
    publicUrl: 'http://api.example.com',
    scannerFolder: mkdtempSync(join(inject('runFolder'), 'scanner-')),
    clientPackage: join(inject('runFolder'), 'no-client.tgz'),
    upstreams: upstreamsAt(options.catalogUrl),
    upstreamTimeoutMs: 8000,
    defaultRateLimits: { default: 120, checkins: 600, changes: 600, unitFactor: 5 },
    anonymousRateLimit: 10_000,
    maxNotificationVerifications: 64,
    trustProxy: [],
    connectionLimits: { maxPerPeer: 1000, maxTotal: 10_000 },
    outputLimits: { stallTimeoutMs: 15_000, maxPendingBytes: 32 * 1024 * 1024 },
    turnLimits: { maxInFlight: 64, maxInFlightPerUnit: 48, maxWaitingPerUnit: 2000 },
    versions: createVersionRegistry(apiVersions, []),
    ...options,
  });
  const serving = await listen({
    api,
    internal,
    log,
    telemetry,
    host: '127.0.0.1',
    port: 0,
    internalPort: 0,
    ping: db.ping,
  });
  const operatorToken = await (await callers.signer('admin')).sign({ audience: 'operator' });
  const operator = httpClient(serving.internalUrl, { 'x-caller': operatorToken });

  async function run(command: string, body: unknown) {
    const { status, body: reply } = await operator('POST', `/operator/${command}`, { body });
    if (status >= 300) throw new Error(`${command}: ${JSON.stringify(reply)}`);
    return reply;
  }

  return {
    ...serving,
    api,
    callers,
    redis,
    operator,
    run,
    databaseUrl: options.databaseUrl ?? own?.url ?? '',
    sql: own?.sql,
    /** Creates a unit with one key, and a client that uses it. */
    async createKey(fields: Record<string, unknown> = {}) {
      // On a busy machine the first connection to a new database can exceed its time limit, which
      // is a 503.
      const unit = await eventually(() => run('unit.create', { name: 'Test unit' }));
      const key = await run('key.create', { businessUnitId: unit.id, name: 'Test key', ...fields });
      const client = httpClient(serving.apiUrl, { authorization: `Bearer ${key.secret}` });
      return { unit, key, secret: key.secret as string, client };
    },
    /** Creates a key that is already expired. */
    async createExpiredKey() {
      const testKey = await this.createKey();
      const { id } = testKey.key;
      await db.query(expire, [id]);
      // The gateway may have read the key before the change.
      await eventually(async () => {
        expect((await testKey.client('GET', '/v1/events')).status).toBe(401);
      });
      return testKey;
    },
    async close() {
      await serving.stop();
      await keys.close();
      redis.destroy();
      await db.close();
      await own?.drop();
    },
  };
}

export type TestGateway = Awaited<ReturnType<typeof startGateway>>;
