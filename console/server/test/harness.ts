import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '@event-api/contracts/operation';
import type { Role } from '@event-api/contracts/permissions';
import { startSandbox } from '@event-api/identity-sandbox/start';
import { freePort } from '@event-api/local-servers/ports';
import { systemClock } from '@event-api/platform/core/clock';
import { createLogger } from '@event-api/platform/core/log';
import { openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { listen } from '@event-api/platform/http/listen';
import { createReadAfterStore } from '@event-api/platform/messaging/read-after/store';
import { connectRedis } from '@event-api/platform/redis/connect';
import { unobserved } from '@event-api/platform/telemetry/dependencies';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { postgresUrl, redisUrl } from '@event-api/platform/testing/servers';
import { expect, inject } from 'vitest';
import { buildConsole, type ConsoleDeps } from '../src/app.ts';
import { consoleOrm } from '../src/orm.ts';
import { createReadReadiness } from '../src/owners/readiness.ts';
import { createSendRequest } from '../src/owners/send.ts';
import { createRateLimit } from '../src/rate-limit/rate-limit.ts';
import { createIdentityProvider } from '../src/sign-in/oidc.ts';
import { type BrowserClient, createBrowserClient } from './browser-client.ts';
import { startOwners } from './owners.ts';

const services: readonly Owner[] = ['catalog', 'registration', 'commerce', 'onsite', 'changes'];
const secret = 'the-secret-of-the-console';

export type TestConsole = Awaited<ReturnType<typeof startTestConsole>>;

/**
 * Starts the console on its own database, with the identity sandbox or, with `passkeys`, without an
 * identity provider. The other processes are one server that records their requests.
 */
export async function startTestConsole({
  passkeys = false,
  ...overrides
}: { passkeys?: boolean } & Partial<ConsoleDeps> = {}) {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(consoleOrm(database.url));
  const db = await openDatabase(consoleOrm(database.url), 10);
  const port = await freePort();
  const consoleUrl = `http://localhost:${port}`;
  const log = createLogger({ service: 'console', level: 'silent' });
  const telemetry = await createTelemetry({
    service: 'console',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 0 },
  });
  const redis = connectRedis(await redisUrl(), unobserved);
  await eventually(() => expect(redis.isReady).toBe(true));
  const callers = await createTestCallers(['console', 'admin']);
  const signer = await callers.signer('console');
  const owners = await startOwners();
  const api = Object.fromEntries(services.map((name) => [name, owners.url]));
  const urls = { api, internal: { ...api, gateway: owners.url } };
  const issuerPort = await freePort();
  const issuer = `http://localhost:${issuerPort}`;
  const redirectUrl = `${consoleUrl}/api/sign-in/callback`;
  const sandbox = passkeys
    ? null
    : await startSandbox({
        NODE_ENV: 'test',
        HOST: '127.0.0.1',
        PORT: issuerPort,
        INTERNAL_PORT: 0,
        TELEMETRY_SAMPLE_RATIO: 0,
        OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
        LOG_LEVEL: 'silent',
        ISSUER_URL: issuer,
        REDIRECT_URL: redirectUrl,
        CLIENT_SECRET: secret,
      });
  const readAfter = createReadAfterStore(redis);
  const deps: ConsoleDeps = {
    db,
    log,
    telemetry,
    signer,
    callers: callers.verifier,
    readAfter,
    rateLimit: createRateLimit({ redis, clock: systemClock, metrics: telemetry.metrics }),
    limits: { session: 10_000, address: 10_000 },
    send: createSendRequest({ urls, signer, metrics: telemetry.metrics }),
    readReadiness: createReadReadiness(urls.internal),
    identityProvider: sandbox
      ? createIdentityProvider({
          issuer,
          clientId: 'console',
          clientSecret: secret,
          internalUrl: `http://127.0.0.1:${issuerPort}`,
          redirectUrl,
        })
      : null,
    label: 'Sign in',
    hasDemo: false,
    consoleUrl,
    gatewayUrl: 'https://api.example.com',
    cell: null,
    webFolder: mkdtempSync(join(inject('runFolder'), 'web-')),
    trustProxy: [],
    checkResponses: true,
    ...overrides,
  };
  const serving = await listen({
    ...(await buildConsole(deps)),
    log,
    telemetry,
    host: '127.0.0.1',
    port,
    internalPort: 0,
    ping: db.ping,
  });
  const admin = httpClient(serving.internalUrl, {
    'x-caller': await (await callers.signer('admin')).sign({
      audience: 'operator',
      permissions: ['platform'],
      actor: { type: 'cli', id: 'test' },
    }),
  });

  /** Runs a command of the console as the command line. */
  async function command(name: string, input: object) {
    return (await admin('POST', `/operator/${name}`, { body: input })).body;
  }

  /** Signs a demo operator in, in a new browser. */
  async function signIn(subject: string): Promise<BrowserClient> {
    const browser = createBrowserClient(consoleUrl);
    const { visited } = await browser.follow(`/api/sign-in?hint=${subject}`);
    expect(visited.at(-1)).toBe(`${consoleUrl}/`);
    return browser;
  }

  return {
    consoleUrl,
    listenerUrl: `http://127.0.0.1:${port}`,
    database,
    db,
    owners,
    callers,
    readAfter,
    admin,
    command,
    signIn,
    newBrowser: () => createBrowserClient(consoleUrl),
    /** The metrics as Prometheus reads them. */
    metrics: () => telemetry.metrics.text(),
    webFolder: deps.webFolder,
    /** Makes the operator of a browser a member. */
    async join(browser: BrowserClient, businessUnitId: string, role: Role): Promise<void> {
      const { link } = await command('member.invite', { businessUnitId, role });
      const token = new URL(link).hash.slice(1);
      const accepted = await browser.post('/api/invitations/accept', { token });
      expect(accepted.status).toBe(200);
    },
    async close() {
      await serving.stop();
      await sandbox?.stop();
      await owners.close();
      redis.destroy();
      await db.close();
      await database.drop();
    },
  };
}
