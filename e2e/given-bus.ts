import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { freePort } from '@event-api/deploy-local/ports';
import { type HttpClient, httpClient } from '@event-api/platform/testing/http';
import { startPrivateNats } from '@event-api/platform/testing/private-nats';
import { startPrivateRedis } from '@event-api/platform/testing/private-redis';
import { inject } from 'vitest';
import { createOperatorClient } from '../scripts/operator-client.ts';
import { startPlatform } from '../scripts/platform.ts';
import { createProgress } from '../scripts/progress.ts';
import { openReadAfterStore } from '../scripts/tokens.ts';
import { createDatabaseFixture } from './given-database.ts';
import { newDataDir } from './platform-under-test.ts';
import { controlProcesses } from './processes-by-hand.ts';

/**
 * Every process of the platform with a NATS, and if asked for a Redis, of its own; a test may take away each. `env`
 * gives a process settings beyond its own, by its name, and `faults` what goes wrong in it from its start.
 */
export async function createBusFixture({
  ownRedis = false,
  env = {},
  faults = {},
}: {
  ownRedis?: boolean;
  env?: Record<string, NodeJS.ProcessEnv>;
  faults?: Record<string, string>;
} = {}) {
  const database = await createDatabaseFixture();
  const nats = await startPrivateNats();
  const redis = ownRedis ? await startPrivateRedis() : null;
  const dataDir = newDataDir();
  const processes = controlProcesses();
  const lines: string[] = [];
  const faultsFile = (name: string) => join(dataDir, `faults-${name}`);
  const setFaults = (name: string, more?: string) =>
    writeFileSync(faultsFile(name), [faults[name], more].filter(Boolean).join());
  const port = await freePort();
  const platform = await startPlatform({
    isMigrated: true,
    settings: {
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      REDIS_URL: redis?.url ?? inject('redisUrl'),
    },
    supervisor: {
      ...processes,
      start(spec) {
        setFaults(spec.name);
        const FAULTS = `file:${faultsFile(spec.name)}`;
        return processes.start({ ...spec, env: { ...spec.env, FAULTS, ...env[spec.name] } });
      },
    },
    progress: createProgress(() => {}),
    onLine: (name, line) => void lines.push(`${name} ${line}`),
    signal: new AbortController().signal,
  });
  const { internalUrls, keys, redisUrl, sandbox, specs } = platform;
  const tokens = await openReadAfterStore(redisUrl);
  const privateJwk = keys.private.admin;
  const operator = await createOperatorClient({ internalUrls, privateJwk, tokens });
  const gatewayUrl = `http://127.0.0.1:${port}`;

  /** The key of a new unit. */
  async function newKey() {
    const unit = await operator.call(createUnit, { name: 'A unit' });
    const { secret } = await operator.call(createKey, {
      businessUnitId: unit.id,
      name: 'A key',
      rateLimitPerMinute: 10_000_000,
    });
    return { unitId: unit.id, secret };
  }

  return {
    database,
    nats,
    redis,
    processes,
    /** From now on this goes wrong in a process that runs, beyond what does so from its start; without it, no longer. */
    setFaults,
    /** Has a process die at a point of what is done meanwhile, and come back. Errors: when it lives on. */
    async killedAt(name: string, point: string, act: () => Promise<unknown>): Promise<void> {
      setFaults(name, `kill:${point}`);
      try {
        // Nobody promises an answer of a process that dies.
        await act().catch(() => {});
        const end = await processes.ended(name, 60_000);
        if (end !== 'SIGKILL') throw new Error(`${name} ended with ${end}`);
      } finally {
        setFaults(name);
        await processes.stop(name);
        await processes.restart(name);
      }
    },
    operator,
    gatewayUrl,
    redisUrl,
    sandboxSecret: sandbox.secret,
    /** What the payment sandbox knows of the session of a payment page. */
    async sandboxSession(paymentUrl: string) {
      const headers = { authorization: `Bearer ${sandbox.secret}` };
      const path = `/sessions/${paymentUrl.split('/').at(-1)}`;
      const response = await fetch(new URL(path, sandbox.url), { headers });
      // biome-ignore lint/suspicious/noExplicitAny: a test sends it on, whatever it is.
      return (await response.json()) as any;
    },
    internalUrls,
    /** Everything that the processes have written, each line after its process's name. */
    logLines: () => lines,
    /** Lines of alarms and of errors that nobody foresaw. */
    alarms: () => lines.filter((line) => /"alarm"|"level":"(error|fatal)"/.test(line)),
    specOf(name: string) {
      const spec = specs[name];
      if (!spec) throw new Error(`there is no ${name}`);
      return spec;
    },
    /** A unit with a key, and clients of it at whatever gateway. */
    async newUnit() {
      const { unitId, secret } = await newKey();
      const at = (url: string) => httpClient(url, { authorization: `Bearer ${secret}` });
      return { unitId, at };
    },
    newKey,
    async stop() {
      await processes.stopAll();
      tokens.close();
      await nats.close();
      await redis?.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type BusFixture = Awaited<ReturnType<typeof createBusFixture>>;

/** Asks, and answers the body. Errors: for any other status than `status`. */
export async function expectStatus(
  call: HttpClient,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  status = 0,
) {
  const response = await call(method, path, body === undefined ? {} : { body });
  const isGood = status === 0 ? response.status < 300 : response.status === status;
  if (!isGood) {
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
  }
  return response.body;
}

/** A published event with one open ticket type, made through one gateway. */
export async function openEvent(call: HttpClient, type: object = {}) {
  const event = await expectStatus(call, [
    'POST',
    '/v1/events',
    { name: 'Summit', timezone: 'Europe/Berlin', startsAt: '2027-05-10T07:00:00Z' },
  ]);
  const path = `/v1/events/${event.id}`;
  await expectStatus(call, ['PATCH', path, { status: 'published' }]);
  const ticketType = await expectStatus(call, [
    'POST',
    `${path}/ticket-types`,
    { name: 'Standard', ...type },
  ]);
  const typePath = `${path}/ticket-types/${ticketType.id}`;
  await expectStatus(call, ['PATCH', typePath, { status: 'open' }]);
  return { eventId: event.id as string, typeId: ticketType.id as string, path, typePath };
}
