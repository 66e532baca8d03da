import { subjectFor } from '@event-api/contracts/messages/snapshot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Messaging } from '../../src/messaging/messaging.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { type BusHarness, createBusHarness, type Owner, waitUntilIdle } from './harness.ts';

let harness: BusHarness;
let owner: Owner;
let reader: { messaging: Messaging; metrics: Owner['metrics'] };
beforeAll(async () => {
  harness = await createBusHarness();
  owner = await harness.owner();
  reader = await harness.reader({ url: owner.url });
  await owner.put('anchor');
  await waitUntilIdle(harness);
});
afterAll(() => harness?.close());

/** A message of the stream, written by hand. */
function snapshot(aggregateId: string, version: number, data: object, more: object = {}) {
  const own = { businessUnitId: 'unit', eventId: 'evt', aggregateId, version, data };
  const id = `msg-${aggregateId}-${version}`;
  return { id, type: 'catalog.thing', occurredAt: '2026-01-01T00:00:00Z', ...own, ...more };
}

async function publish(body: unknown, origin: 'catalog' | 'registration' = 'catalog') {
  const { stream } = owner.messaging.bus;
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  const ack = await stream?.js.publish(subjectFor(origin), data);
  return ack?.seq ?? 0;
}

const hasRead = (seq: number) =>
  eventually(async () => expect((await harness.checkpoint()).seq).toBeGreaterThanOrEqual(seq));

async function projectionOf(id: string) {
  const [row] = await harness.sql('select * from registration.thing_projection where id = $1', [
    id,
  ]);
  return row;
}

const deadLetters = (seq: number) =>
  harness.sql<{ index: number; body: string; error: string }>(
    'select index, body, error from registration.dead_letter where seq = $1 order by index',
    [seq],
  );

describe('a snapshot', () => {
  test('is applied by its version, in any order and number of deliveries', async () => {
    const versions = [3, 1, 5, 2, 5, 4, 1];
    for (const version of versions) {
      // Sent one at a time, so that each is compared with the stored row only.
      await hasRead(await publish([snapshot('mixed', version, thing(version))]));
    }
    expect(await projectionOf('mixed')).toMatchObject({ version: '5', size: 5 });
  });

  test('is applied by its version within one message, too', async () => {
    const all = [2, 9, 4, 9, 1].map((version) => snapshot('within', version, thing(version)));
    await hasRead(await publish(all));
    expect(await projectionOf('within')).toMatchObject({ version: '9', size: 9 });
  });

  test('is applied without unknown fields', async () => {
    const data = { ...thing(4), colour: 'red' };
    await hasRead(await publish([snapshot('coloured', 1, data, { tenant: 'x', trace: {} })]));
    expect(await projectionOf('coloured')).toMatchObject({ size: 4 });
  });

  test('is ignored when its type is unknown or its subject belongs to another origin', async () => {
    const foreign = snapshot('foreign', 1, thing(1));
    await publish([{ type: 'catalog.elephant', legs: 4 }, 7, null, 'text']);
    const seq = await publish([foreign], 'registration');
    await hasRead(seq);
    expect(await projectionOf('foreign')).toBeUndefined();
    expect(await deadLetters(seq)).toEqual([]);
  });
});

function thing(size: number) {
  return { name: `size ${size}`, size };
}

describe('an invalid snapshot', () => {
  test.each([
    ['no JSON at all', '{"broken', -1],
    ['no array', { type: 'catalog.thing' }, -1],
    ['a field of another type', [snapshot('bad', 1, { name: 'x', size: 'large' })], 0],
    ['a missing field', [snapshot('bad', 1, { name: 'x' })], 0],
    ['a version that is none', [snapshot('bad', 0, { name: 'x', size: 1 })], 0],
    ['a value that the database refuses', [snapshot('bad', 1, { name: 'x', size: 1001 })], 0],
    ['a character that the database refuses', [snapshot('bad', 1, { name: '\0', size: 1 })], 0],
  ])('is stored as a dead letter with the checkpoint: %s', async (_, body, index) => {
    const seq = await publish(body);
    await hasRead(seq);
    expect(await deadLetters(seq)).toEqual([expect.objectContaining({ index })]);
    expect(await projectionOf('bad')).toBeUndefined();
  });

  test('is isolated, and the snapshots around it are applied', async () => {
    const sizes = [1, 2, 2000, 4, 3000, 6, 7, 8];
    const all = sizes.map((size, index) => snapshot(`crowd-${index}`, 1, thing(size)));
    const seq = await publish(all);
    await hasRead(seq);
    expect((await deadLetters(seq)).map(({ index }) => index)).toEqual([2, 4]);
    const good = await harness.sql(
      "select size from registration.thing_projection where id like 'crowd-%' order by id",
    );
    expect(good).toEqual([1, 2, 4, 6, 7, 8].map((size) => ({ size })));
    expect(harness.alarms().filter((line) => line.includes(`"seq":${seq},`))).toHaveLength(2);
  });

  test('is counted by a metric, and a later snapshot of the record repairs it', async () => {
    const seq = await publish([snapshot('sick', 1, thing(5000))]);
    await hasRead(seq);
    await eventually(async () => {
      const [, count] = /^projection_dead_letters (\d+)$/m.exec(await reader.metrics.text()) ?? [];
      expect(Number(count)).toBeGreaterThan(0);
      expect(await reader.metrics.text()).toMatch(/^projection_lag 0$/m);
    });
    await hasRead(await publish([snapshot('sick', 2, thing(5))]));
    expect(await projectionOf('sick')).toMatchObject({ size: 5 });
  });
});

describe('messages of an origin without a projection', () => {
  /** The transaction that last wrote the checkpoint row; it changes with each write. */
  const age = async () => {
    const [row] = await harness.sql<{ xmin: string }>(
      'select xmin::text from registration.projection_checkpoint',
    );
    return Number(row?.xmin);
  };

  test('advance the checkpoint within a second, also when they never end, and not one by one', async () => {
    await hasRead(await publish([snapshot('before', 1, thing(1))]));
    const ages = new Set([await age()]);
    const begun = performance.now();
    let published = 0;
    for (let seq = 0; performance.now() < begun + 2500 || published <= 100; published += 1) {
      seq = await publish('[]', 'registration');
      ages.add(await age());
      if (published % 50 === 0) await hasRead(seq - 50);
    }
    // About one write per second, where one by one would be more than a hundred.
    const seconds = (performance.now() - begun) / 1000;
    expect(ages.size).toBeLessThan(3 + 2 * seconds);
    await hasRead(await publish('[]', 'registration'));
  });

  test('do not hide other messages between them', async () => {
    for (const version of [1, 2, 3]) {
      await publish('[]', 'registration');
      await publish([snapshot('between', version, thing(version))]);
      await hasRead(await publish('[]', 'registration'));
      expect(await projectionOf('between')).toMatchObject({ size: version });
    }
  });
});

describe('two processes', () => {
  test('that both lead conflict on the checkpoint: each message is applied once, none is lost', async () => {
    // Without the lock, as in a process that has not yet noticed that it lost it.
    const leading = (isLeader: () => Promise<boolean>) => ({
      isLeader,
      resign: async () => {},
      close: async () => {},
    });
    const always = leading(async () => true);
    const { createProjector } = await import('../../src/messaging/projections/projector.ts');
    const { createCheckpoint } = await import('../../src/messaging/projections/checkpoint.ts');
    const { createSnapshotClient } = await import('../../src/http/snapshot-client.ts');
    const { createLogger } = await import('../../src/core/log.ts');
    const { itemProjection } = await import('./items.ts');
    const third = await harness.reader({ url: owner.url });
    const schema = 'registration';
    const signer = await harness.callers.signer('registration');
    const second = createProjector({
      db: third.db,
      bus: third.messaging.bus,
      schema,
      projections: [itemProjection],
      snapshotClients: { catalog: createSnapshotClient({ url: owner.url, signer }) },
      checkpoint: createCheckpoint({ db: third.db, schema, origins: ['catalog'] }),
      leaderLock: always,
      onShared: () => {},
      spans: null,
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    const before = await harness.checkpoint();
    for (let version = 1; version <= 200; version++) {
      await publish([snapshot(`raced-${version % 7}`, version, thing(version))]);
    }
    const bad = await publish([snapshot('raced-bad', 1, thing(9999))]);
    await hasRead(await publish([snapshot('raced-0', 201, thing(201))]));
    const rows = await harness.sql(
      "select id, version from registration.thing_projection where id like 'raced-%' order by id",
    );
    const newest = [201, 197, 198, 199, 200, 194, 195];
    expect(rows).toEqual(newest.map((version, i) => ({ id: `raced-${i}`, version: `${version}` })));
    expect(await deadLetters(bad)).toHaveLength(1);
    expect((await harness.checkpoint()).seq).toBe(before.seq + 202);
    await second.close();
    await third.messaging.close();
  });

  test('continue without the leader when it alone loses the stream', async () => {
    const proxy = await startTcpProxy(harness.nats.url);
    const alone = await harness.reader({ url: owner.url, natsUrl: proxy.url });
    await reader.messaging.close();
    await owner.put('handed over', { size: 1 });
    await eventually(async () =>
      expect(await projectionOf('handed over')).toMatchObject({ size: 1 }),
    );
    const second = await harness.reader({ url: owner.url });
    await proxy.cut();
    await owner.put('handed over', { size: 2 });
    await eventually(async () =>
      expect(await projectionOf('handed over')).toMatchObject({ size: 2 }),
    );
    await alone.messaging.close();
    reader = second;
  });

  test('continue without a gap when the leader loses its database connection', async () => {
    const second = await harness.reader({ url: owner.url });
    const lead = () =>
      harness.sql<{ pid: number }>(
        `select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid
         where l.locktype = 'advisory' and a.application_name = 'registration projections' and l.granted
           and a.datname = current_database()`,
      );
    for (let round = 0; round < 3; round++) {
      const [leading] = await eventually(async () => {
        const found = await lead();
        expect(found).toHaveLength(1);
        return found;
      });
      await harness.sql('select pg_terminate_backend($1)', [leading?.pid]);
      await owner.put([`failover-${round}`, 'failover'], { size: round });
      await eventually(async () =>
        expect(await projectionOf(`failover-${round}`)).toMatchObject({ size: round }),
      );
    }
    await reader.messaging.close();
    await owner.put('failover', { size: 77 });
    await eventually(async () =>
      expect(await projectionOf('failover')).toMatchObject({ size: 77 }),
    );
    await second.messaging.close();
  });
});
