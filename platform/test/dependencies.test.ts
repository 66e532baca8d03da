import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../src/core/log.ts';
import { openDatabase } from '../src/db/database.ts';
import { statement } from '../src/db/statement.ts';
import { watchDatabase } from '../src/db/watch-database.ts';
import { connectBus } from '../src/messaging/bus/connect.ts';
import { connectRedis } from '../src/redis/connect.ts';
import { createDependencies, type DependencyName } from '../src/telemetry/dependencies.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { eventually } from '../testing/eventually.ts';
import { startPrivateNats } from '../testing/private-nats.ts';
import { startPrivateRedis } from '../testing/private-redis.ts';
import { postgresUrl, redisUrl } from '../testing/servers.ts';

interface Line {
  dependency?: DependencyName;
  reason?: string;
  stack?: string;
  msg: string;
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A process that logs to `lines`. */
function observe(name: DependencyName) {
  const lines: Line[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = createLogger({ service: 'test', level: 'info', destination: { write } });
  const metrics = createMetrics('test');
  const dependency = createDependencies({ metrics, log })(name);
  const isUp = async () =>
    new RegExp(`^dependency_up\\{dependency="${name}"\\} (\\d)`, 'm').exec(
      await metrics.text(),
    )?.[1];
  const expectUp = (value: '0' | '1') => eventually(async () => expect(await isUp()).toBe(value));
  const reasons = () => lines.flatMap(({ reason }) => reason ?? []);
  return { lines, log, dependency, expectUp, reasons };
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
  dependencies('nats');
  expect(() => dependencies('nats')).toThrow(/already observed/);
});
