import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../src/core/log.ts';
import { openDatabase } from '../src/db/database.ts';
import { statement } from '../src/db/statement.ts';
import { watchDatabase } from '../src/db/watch-database.ts';
import { listen } from '../src/http/listen.ts';
import { createHttpServer } from '../src/http/server.ts';
import { connectBus, requireVersion } from '../src/messaging/bus/connect.ts';
import { connectRedis } from '../src/redis/connect.ts';
import { createDependencies, type DependencyName } from '../src/telemetry/dependencies.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { eventually } from '../testing/eventually.ts';
import { startPrivateNats } from '../testing/private-nats.ts';
import { startPrivateRedis } from '../testing/private-redis.ts';
import { postgresUrl, redisUrl } from '../testing/servers.ts';

interface Line {
  level: string;
  dependency?: DependencyName;
  reason?: string;
  stack?: string;
  msg: string;
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A process that logs to `lines`. `startMs` is how long it may be without a dependency. */
function observe(name: DependencyName, startMs?: number) {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = createLogger({ service: 'test', level: 'info', destination: { write } });
  const metrics = createMetrics('test');
  const dependencies = createDependencies({
    metrics,
    log,
    ...(startMs !== undefined && { startMs }),
  });
  const dependency = dependencies.observe(name);
  const isUp = async () =>
    new RegExp(`^dependency_up\\{dependency="${name}"\\} (\\d)`, 'm').exec(
      await metrics.text(),
    )?.[1];
  const expectUp = (value: '0' | '1') => eventually(async () => expect(await isUp()).toBe(value));
  const reasons = () => lines.flatMap(({ reason }) => reason ?? []);
  return { lines, log, dependencies, dependency, expectUp, reasons };
}

function watch(url: string) {
  const observed = observe('postgres');
  const open = async () => {
    const db = await openDatabase(
      {
        dbName: new URL(url).pathname.slice(1),
        clientUrl: url,
        entities: [],
        discovery: { warnWhenNoEntities: false },
      },
      1,
    );
    const watching = watchDatabase(db, observed.dependency);
    cleanUps.push(() => db.close(), watching.stop);
    return db;
  };
  return { ...observed, open };
}

function withPassword(url: string, password: string): string {
  const other = new URL(url);
  other.password = password;
  return other.href;
}

const randomPassword = () => randomBytes(8).toString('hex');

const sleep = statement('test.sleep', 'select pg_sleep(2.5)');

describe('a process says why it cannot use PostgreSQL', () => {
  test('with a wrong password', async () => {
    const observed = watch(withPassword(await postgresUrl(), randomPassword()));
    await observed.open();
    await eventually(() => expect(observed.reasons()[0]).toMatch(/password authentication failed/));
    await observed.expectUp('0');
  });

  test('and not while requests wait for a connection', async () => {
    const observed = watch(await postgresUrl());
    const db = await observed.open();
    await observed.expectUp('1');
    // The only connection of the pool: checks wait for it in vain.
    await db.query(sleep).catch(() => {});
    await observed.expectUp('1');
    expect(observed.reasons()).toEqual([]);
  });
});

describe('a process says why it cannot use NATS', () => {
  function connectTo(url: string) {
    const observed = observe('nats');
    const { log, dependency } = observed;
    const bus = connectBus({ url, name: 'catalog', dependency, log });
    cleanUps.push(bus.close);
    return { ...observed, bus };
  }

  test('with a wrong password', async () => {
    const nats = await startPrivateNats();
    cleanUps.push(nats.close);
    const observed = connectTo(withPassword(nats.url, randomPassword()));
    await eventually(() => expect(observed.reasons()[0]).toMatch(/authorization violation/i));
    await observed.expectUp('0');
  });

  test('before it has started and after it has stopped', async () => {
    const nats = await startPrivateNats({ isUp: false });
    cleanUps.push(nats.close);
    const observed = connectTo(nats.url);
    await eventually(() => expect(observed.reasons()[0]).toMatch(/refused/i));
    await observed.expectUp('0');
    await nats.start();
    await observed.expectUp('1');
    await nats.kill();
    await observed.expectUp('0');
    await nats.start();
    await observed.expectUp('1');
    const messages = observed.lines.map(({ msg }) => msg);
    const again = messages.filter((msg) => msg === 'dependency available again');
    expect(again.length).toBeGreaterThan(1);
  });
});

describe('a process that never had its stream', () => {
  /** A server whose account has less space than the stream needs. */
  const smallAccount = `
    accounts { SMALL: { jetstream: { max_file: 1MB, max_mem: 0 }, users: [{ user: small, password: small }] } }
    no_auth_user: small`;

  async function connectToSmall(startMs: number) {
    const nats = await startPrivateNats({ authorization: smallAccount });
    cleanUps.push(nats.close);
    const observed = observe('nats', startMs);
    const { log, dependency } = observed;
    const bus = connectBus({ url: nats.url, name: 'catalog', dependency, log });
    cleanUps.push(bus.close);
    return observed;
  }

  test('says so as an error, once', async () => {
    const { lines, dependency } = await connectToSmall(0);
    const errors = () => lines.filter(({ level }) => level === 'error');
    await eventually(() => expect(errors()[0]?.reason).toMatch(/storage|resources/));
    dependency.down(new Error('again'));
    expect(errors()).toHaveLength(1);
  });

  test('says no error while its servers may still be starting', async () => {
    const { lines, reasons } = await connectToSmall(3_600_000);
    await eventually(() => expect(reasons()).not.toEqual([]));
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is ready and says in its readiness what is missing', async () => {
    const { log, dependencies } = await connectToSmall(0);
    const server = () => createHttpServer({ log, trustRequestId: true, checkResponses: true });
    const serving = await listen({
      ...{ api: server(), internal: server(), log, dependencies, ping: async () => {} },
      ...{ host: '127.0.0.1', port: 0, internalPort: 0 },
    });
    cleanUps.push(serving.stop);
    await eventually(async () => {
      const response = await fetch(`${serving.internalUrl}/readyz`);
      expect(response.status).toBe(200);
      const reason = expect.stringMatching(/storage|resources/);
      expect(await response.json()).toEqual({
        status: 'ready',
        dependencies: { nats: { reason } },
      });
    });
  });
});

test.each([
  ['2.8.4', false],
  ['1.9.9', false],
  ['2.9.0', true],
  ['2.12.1', true],
  ['3.0.0-beta.1', true],
])('NATS %s is recent enough: %s', (version, isAccepted) => {
  const check = () => requireVersion(version);
  if (isAccepted) expect(check).not.toThrow();
  else expect(check).toThrow(`NATS ${version} is too old`);
});

test('a process says why it cannot use Redis, and when it can again', async () => {
  const redis = await startPrivateRedis();
  cleanUps.push(redis.close);
  const observed = observe('redis');
  const connection = connectRedis(redis.url, observed.dependency);
  cleanUps.push(() => connection.destroy());
  await observed.expectUp('1');
  await redis.kill();
  await observed.expectUp('0');
  await eventually(() => expect(observed.reasons()[0]).toMatch(/closed|refused|reset/i));
  await redis.start();
  await observed.expectUp('1');
  expect(observed.lines.map(({ stack }) => stack)).toEqual(observed.lines.map(() => undefined));
});

test('a wrong password of Redis is a reason', async () => {
  const observed = observe('redis');
  const url = withPassword(await redisUrl(), randomPassword());
  const connection = connectRedis(url, observed.dependency);
  cleanUps.push(() => connection.destroy());
  await eventually(() => expect(observed.reasons()[0]).toMatch(/WRONGPASS/));
  await observed.expectUp('0');
});

test('a dependency is observed once', () => {
  const metrics = createMetrics('test');
  const dependencies = createDependencies({
    metrics,
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  dependencies.observe('nats');
  expect(() => dependencies.observe('nats')).toThrow(/already observed/);
});
