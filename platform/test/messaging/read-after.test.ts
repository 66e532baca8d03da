import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type Checkpoint, createCheckpoint } from '../../src/messaging/projections/checkpoint.ts';
import { createReadAfterStore } from '../../src/messaging/read-after/store.ts';
import {
  formatReadAfter,
  mergeReadAfter,
  parseReadAfter,
  type ReadAfterToken,
} from '../../src/messaging/read-after/token.ts';
import { connectRedis, type RedisConnection } from '../../src/redis/connect.ts';
import { unobserved } from '../../src/telemetry/dependencies.ts';
import { eventually } from '../../testing/eventually.ts';
import { redisUrl } from '../../testing/servers.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { type BusHarness, createBusHarness, type Owner, waitUntilIdle } from './harness.ts';
import { ormOf } from './items.ts';

const older = '2026-01-01T00:00:00.1Z';
const newer = '2026-01-02T00:00:00.1Z';
const token = (
  streamCreatedAt: string,
  sequences: ReadAfterToken['sequences'],
): ReadAfterToken => ({
  streamCreatedAt,
  sequences,
});

describe('a token', () => {
  test('is parsed as it was formatted', () => {
    const written = token(newer, { catalog: 17, registration: 4 });
    expect(formatReadAfter(written)).toBe(`${newer};catalog=17,registration=4`);
    expect(parseReadAfter(formatReadAfter(written))).toEqual(written);
  });

  test.each([undefined, '', 'x', `${newer};`, ';catalog=1', 'x'.repeat(600)])(
    'is nothing when it is %j',
    (text) => expect(parseReadAfter(text)).toBeNull(),
  );

  test('ignores unknown origins and invalid sequences', () => {
    const read = parseReadAfter(`${newer};catalog=-1,nobody=5,registration=1e99,catalog=x`);
    expect(read).toEqual(token(newer, {}));
  });

  test('is merged by origin; of two streams the newer one wins, in either order', () => {
    const a = token(newer, { catalog: 17, registration: 4 });
    const b = token(newer, { catalog: 3, registration: 9 });
    expect(mergeReadAfter(a, b)).toEqual(token(newer, { catalog: 17, registration: 9 }));
    const outdated = token(older, { catalog: 99_999 });
    expect(mergeReadAfter(outdated, a)).toEqual(a);
    expect(mergeReadAfter(a, outdated)).toEqual(a);
  });
});

describe('the token store', () => {
  const scope = () => ({ businessUnitId: `unit-${randomUUID()}`, eventId: 'evt_1' });

  /**
   * Gives Redis more time than in production, so that a busy machine does not change the result.
   */
  const createPatientStore = (redis: RedisConnection) => createReadAfterStore(redis, 30_000);

  async function open(url?: string, createStore = createPatientStore) {
    const redis = connectRedis(url ?? (await redisUrl()), unobserved);
    await eventually(() => expect(redis.isReady).toBe(true));
    return { ...createStore(redis), redis };
  }

  test('loads what another process has saved for the event and the unit', async () => {
    const [one, two] = [await open(), await open()];
    const event = scope();
    await one.save(event, token(newer, { catalog: 5 }));
    await one.save({ ...event, eventId: null }, token(newer, { catalog: 2, registration: 8 }));
    expect(await two.load(event)).toEqual(token(newer, { catalog: 5, registration: 8 }));
    expect(await two.load({ ...event, eventId: null })).toEqual(
      token(newer, { catalog: 2, registration: 8 }),
    );
    expect(await two.load({ ...event, eventId: 'evt_2' })).toEqual(
      token(newer, { catalog: 2, registration: 8 }),
    );
    expect(await two.load(scope())).toBeNull();
    for (const { redis } of [one, two]) redis.destroy();
  });

  test('keeps the latest token, which a token of an older stream does not replace', async () => {
    const [one, two] = [await open(), await open()];
    const event = scope();
    await one.save(event, token(older, { catalog: 900 }));
    await one.save(event, token(newer, { catalog: 5 }));
    await two.save(event, token(newer, { catalog: 3 }));
    await two.save(event, token(older, { catalog: 950 }));
    expect(await (await open()).load(event)).toEqual(token(newer, { catalog: 5 }));
    const left = await one.redis.pTTL(one.keysOf(event)[1] ?? '');
    expect(left).toBeGreaterThan(55_000);
    expect(left).toBeLessThanOrEqual(60_000);
    for (const { redis } of [one, two]) redis.destroy();
  });

  test('uses its own memory without delay while Redis is unavailable or unresponsive', async () => {
    const gate = await startTcpProxy(await redisUrl());
    const event = scope();
    const store = await eventually(async () => {
      gate.resume();
      const hasty = await open(gate.url, createReadAfterStore);
      gate.stall();
      await hasty.save(event, token(newer, { catalog: 5 }));
      expect(await hasty.load(event)).toEqual(token(newer, { catalog: 5 }));
      // A store that waits for Redis would wait until the connection closes, each time.
      if (!hasty.redis.isReady) {
        hasty.redis.destroy();
        throw new Error('the store waited until the connection was given up');
      }
      return hasty;
    });
    await gate.cut();
    await store.save(event, token(newer, { catalog: 6 }));
    expect(await store.load(event)).toEqual(token(newer, { catalog: 6 }));
    store.redis.destroy();
  });
});

describe('a read', () => {
  let harness: BusHarness;
  let owner: Owner;
  let db: Database;
  beforeAll(async () => {
    harness = await createBusHarness();
    owner = await harness.owner();
    db = await openDatabase(ormOf(harness.database.url, 'registration'), 2);
  });
  afterAll(async () => {
    await db?.close();
    await harness?.close();
  });

  async function withReader(work: (own: Checkpoint, stream: string) => Promise<void>) {
    const reader = await harness.reader({ url: owner.url });
    await owner.put('first');
    await waitUntilIdle(harness);
    await work(reader.messaging.checkpoint, owner.messaging.bus.stream?.streamCreatedAt ?? '');
    await reader.messaging.close();
  }
  // A busy machine may exceed the publish time-out; the write is then repeated.
  const acknowledged = (id: string, fields?: { size: number }) =>
    eventually(async () => {
      const written = await owner.put(id, fields);
      if (!written) throw new Error('no acknowledgement');
      return written;
    });
  // A read that must not wait has a time-out that even a busy machine does not reach.
  const longTimeoutMs = 60_000;
  const lessThanTheTimeout = longTimeoutMs / 2;
  const waited = async (position: Checkpoint, token: ReadAfterToken, timeoutMs?: number) => {
    const begun = performance.now();
    await position.waitFor(token, timeoutMs);
    return performance.now() - begun;
  };
  const elsewhere = () => createCheckpoint({ db, schema: 'registration', origins: ['catalog'] });

  test('with a token finds the write, on the leader and on another process', () =>
    withReader(async (leading) => {
      const second = await harness.reader({ url: owner.url });
      for (let size = 0; size < 60; size++) {
        const written = await acknowledged('paired', { size });
        await (size % 2 ? leading : second.messaging.checkpoint).waitFor(written, longTimeoutMs);
        const [copy] = await harness.sql(
          "select size from registration.thing_projection where id = 'paired'",
        );
        expect(copy).toEqual({ size });
      }
      await second.messaging.close();
    }));

  test('waits for its time-out; later reads wait 50 ms until the checkpoint advances', async () => {
    await withReader(async () => {});
    // No process consumes the stream now.
    const written = await acknowledged('unread');
    const position = elsewhere();
    expect(await waited(position, written)).toBeGreaterThan(950);
    expect(await waited(position, written, 1500)).toBeGreaterThan(1450);
    // A busy machine may delay one of them; a read that waits for its time-out again delays all of
    // them.
    await eventually(async () => {
      const second = await waited(position, written);
      expect(second).toBeGreaterThan(45);
      expect(second).toBeLessThan(900);
    });
    await withReader(async () => {});
    expect(await waited(position, written, longTimeoutMs)).toBeLessThan(lessThanTheTimeout);
    const ahead = token(written.streamCreatedAt, { catalog: 1e9 });
    expect(await waited(position, ahead)).toBeGreaterThan(950);
  });

  test('is not delayed by an older stream, another origin, or an unavailable database', () =>
    withReader(async (position, stream) => {
      const broken = {
        query: async () => {
          throw new Error('away');
        },
        onConnectionLost() {},
      };
      const schema = 'registration';
      const cut = createCheckpoint({ db: broken, schema, origins: ['catalog'] });
      for (const [one, required] of [
        [position, token(older, { catalog: 1e9 })],
        [position, token(stream, { registration: 1e9 })],
        [elsewhere(), token(older, { catalog: 1e9 })],
        [cut, token(stream, { catalog: 1e9 })],
      ] as const) {
        expect(await waited(one, required, longTimeoutMs)).toBeLessThan(lessThanTheTimeout);
      }
    }));

  test('waits for a stream that is newer than its projections', () =>
    withReader(async (_, stream) => {
      const next = token(`${Number(stream.slice(0, 4)) + 1}${stream.slice(4)}`, { catalog: 1 });
      expect(await waited(elsewhere(), next, 300)).toBeGreaterThan(250);
    }));
});
