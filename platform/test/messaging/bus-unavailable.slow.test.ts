import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import type { Bus } from '../../src/messaging/bus/connect.ts';
import { createOutbox, publishOnCommit } from '../../src/messaging/outbox/outbox.ts';
import { eventually } from '../../testing/eventually.ts';
import { startPrivateNats } from '../../testing/private-nats.ts';
import { switchedProcess } from '../../testing/switches/switched-process.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';

let harness: BusHarness;
afterEach(() => harness?.close());

const connected = (owner: Owner) =>
  eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());

async function timed<Result>(work: () => Promise<Result>) {
  const begun = performance.now();
  const result = await work();
  return { result, ms: performance.now() - begun };
}

/**
 * A write that waits for the bus takes at least 250 ms. One or two do; a busy machine delays some
 * more, but not most of them. None takes the five seconds of the NATS client's own time-out.
 */
function expectFewToWait(waits: number[]): void {
  expect(waits.filter((ms) => ms >= 250).length).toBeLessThan(waits.length / 2);
  expect(Math.max(...waits)).toBeLessThan(4500);
}

/** The duration of the outage: a minute in the full size. */
const outageMs = process.env.TEST_SIZE === 'full' ? 60_000 : 0;

describe('without NATS', () => {
  test('a process starts, writes immediately without a token, and publishes everything later', async () => {
    harness = await createBusHarness({ nats: await startPrivateNats({ isUp: false }) });
    const owner = await harness.owner();
    const waits: number[] = [];
    for (let i = 0; i < 20; i++) {
      const { result, ms } = await timed(() => owner.put(`thing-${i}`));
      expect(result).toBeNull();
      waits.push(ms);
    }
    expectFewToWait(waits);
    const reader = await harness.reader({ url: owner.url });
    await harness.nats.start();
    await waitUntilIdle(harness);
    await allPublished(harness);
    expect(await harness.projections()).toHaveLength(20);
    await connected(owner);
    expect(await owner.put('thing-0')).not.toBeNull();
    await reader.messaging.close();
  });

  test('stopped under load, nothing is lost and only the first writes wait', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await harness.reader({ url: owner.url });
    await connected(owner);
    await owner.put('thing-0', { size: 1 });
    await waitUntilIdle(harness);
    await harness.nats.kill();
    const waits: number[] = [];
    const begun = performance.now();
    for (let size = 2; size < 40 || performance.now() - begun < outageMs; size++) {
      const ids = ['thing-0', `thing-${size}`];
      waits.push((await timed(() => owner.put(ids, { size: size % 900 }))).ms);
      if (outageMs > 0) await delay(20);
    }
    // Writes in progress at that moment take at most 250 ms more.
    expectFewToWait(waits);
    await harness.nats.start();
    await waitUntilIdle(harness);
    await allPublished(harness);
    await eventually(async () => expect(await owner.put('thing-0')).not.toBeNull());
  });

  test('that is unresponsive, the first writes take 250 ms more, the others nothing, and there is no token', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await harness.reader({ url: owner.url });
    await connected(owner);
    await owner.put('thing-0');
    await waitUntilIdle(harness);
    await harness.nats.stall();
    const waits: number[] = [];
    const begun = performance.now();
    for (let size = 2; size < 30 || performance.now() - begun < Math.max(2500, outageMs); size++) {
      const { result, ms } = await timed(() => owner.put('thing-0', { size: size % 900 }));
      expect(result).toBeNull();
      waits.push(ms);
      await delay(10);
    }
    expectFewToWait(waits);
    harness.nats.resume();
    await waitUntilIdle(harness);
    await allPublished(harness);
    await eventually(async () => expect(await owner.put('thing-0')).not.toBeNull());
  });

  test('that is unresponsive, requests try once, and the relay detects the recovery', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await connected(owner);
    const { bus } = owner.messaging;
    const budgets: (number | undefined)[] = [];
    const watched: Bus = {
      ...bus,
      get stream() {
        const { stream } = bus;
        if (!stream) return null;
        const js = Object.create(stream.js, {
          publish: {
            value(...[subject, data, own]: Parameters<typeof stream.js.publish>) {
              budgets.push(own?.timeout);
              return stream.js.publish(subject, data, own);
            },
          },
        });
        return { ...stream, js };
      },
    };
    const outbox = createOutbox({
      db: owner.db,
      bus: watched,
      origin: 'catalog',
      schema: 'catalog',
      spans: null,
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    publishOnCommit(owner.db, outbox);
    await outbox.started;
    expect(await owner.put('thing-0')).not.toBeNull();
    budgets.length = 0;
    await harness.nats.stall();
    const begun = performance.now();
    while (performance.now() - begun < 2000) {
      await owner.put('thing-0');
      await delay(10);
    }
    expect(budgets.filter((budget) => budget === 250)).toHaveLength(1);
    harness.nats.resume();
    await allPublished(harness);
    await outbox.close(1000);
  });

  test('that is unresponsive, a process still stops in time', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await connected(owner);
    await harness.nats.stall();
    await owner.put('thing-0');
    const { ms } = await timed(() => owner.messaging.close());
    expect(ms).toBeLessThan(20_000);
  });
});

describe('a killed process', () => {
  test('between commit and publish leaves its message to its successor, which delivers it once', async () => {
    harness = await createBusHarness();
    const env = {
      ...process.env,
      DATABASE_URL: harness.database.url,
      NATS_URL: harness.nats.url,
      THING: 'thing-killed',
      ...switchedProcess('kill:outbox.committed'),
    };
    const program = join(import.meta.dirname, '../processes/bus-writer.ts');
    const child = spawn(process.execPath, [program], { env, stdio: 'ignore' });
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(await harness.sql('select stream_seq from catalog.outbox_message')).toEqual([
      { stream_seq: null },
    ]);
    const owner = await harness.owner();
    await harness.reader({ url: owner.url });
    await allPublished(harness);
    await waitUntilIdle(harness);
    expect(await harness.projections()).toEqual([
      expect.objectContaining({ id: 'thing-killed', name: 'written', size: 3 }),
    ]);
    // The first resync may already contain the record, so the projection can be complete before the
    // message is read.
    await eventually(async () => expect(await harness.checkpoint()).toMatchObject({ seq: 1 }));
  });
});
