import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';

let harness: BusHarness;
afterEach(() => harness?.close());

async function startBoth() {
  harness = await createBusHarness();
  const owner = await harness.owner();
  const reader = await harness.reader({ url: owner.url });
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
  return { owner, reader };
}

/** Changes projections so that only a resync can repair them. */
async function spoilCopies(): Promise<void> {
  await harness.sql(
    "update registration.thing_projection set name = 'stale', version = version + 1",
  );
  await harness.sql(
    "insert into registration.thing_projection (id, version, name, size) values ('ghost', 1, 'ghost', 1)",
  );
}

const streamCreatedAtOf = ({ messaging }: Owner) => messaging.bus.stream?.streamCreatedAt;

describe('a lost stream', () => {
  test('with its volume: projections are repaired, recent messages are published again, and tokens use new sequences', async () => {
    const { owner, reader } = await startBoth();
    await owner.put(['thing-1', 'thing-2']);
    const old = await owner.put('thing-1', { size: 2 });
    await waitUntilIdle(harness);
    await allPublished(harness);
    const before = streamCreatedAtOf(owner);
    await spoilCopies();
    await harness.nats.wipe();
    await eventually(() => {
      expect(streamCreatedAtOf(owner)).toBeDefined();
      expect(streamCreatedAtOf(owner)).not.toBe(before);
    });
    const token = await eventually(async () => {
      const written = await owner.put('thing-3');
      expect(written).not.toBeNull();
      return written;
    });
    expect(token?.streamCreatedAt).toBe(streamCreatedAtOf(owner));
    await waitUntilIdle(harness);
    await eventually(() =>
      expect(harness.lines.some((line) => line.includes('are published again'))).toBe(true),
    );
    await allPublished(harness);
    // The old sequences are higher than those of the new stream. A read that waits for them uses
    // its whole time-out.
    const begun = performance.now();
    if (old) await reader.messaging.checkpoint.waitFor(old, 60_000);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(harness.alarms()).toEqual([]);
  });

  test('is also detected by a process that starts later', async () => {
    const { owner, reader } = await startBoth();
    await owner.put('thing-1');
    await waitUntilIdle(harness);
    await allPublished(harness);
    await owner.messaging.close();
    await reader.messaging.close();
    await harness.nats.wipe();
    const again = await harness.owner();
    await eventually(() =>
      expect(harness.lines.some((line) => line.includes('"again":1'))).toBe(true),
    );
    await allPublished(harness);
    const [row] = await harness.sql('select stream_seq from catalog.outbox_message');
    expect(row).toEqual({ stream_seq: '1' });
    await harness.reader({ url: again.url });
    await waitUntilIdle(harness);
  });

  test('at its end only: acknowledged messages are published again, and reused sequences are recognized', async () => {
    const { owner, reader } = await startBoth();
    await owner.put('thing-1');
    await waitUntilIdle(harness);
    await allPublished(harness);
    const restore = await harness.nats.backUp();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    for (let size = 2; size < 30; size++) await owner.put('thing-1', { size });
    await waitUntilIdle(harness);
    await allPublished(harness);
    const before = streamCreatedAtOf(owner);
    const farthest = (await harness.checkpoint()).seq;
    await spoilCopies();
    await restore();
    await eventually(() => expect(streamCreatedAtOf(owner)).toBe(before));
    await waitUntilIdle(harness);
    // Without the hash of the last message this would not be noticed.
    for (let size = 1; size < 10; size++) {
      const token = await eventually(async () => {
        const written = await owner.put('thing-1', { size });
        if (!written) throw new Error('no acknowledgement in time');
        return written;
      });
      expect(token.streamCreatedAt).toBe(before);
      await reader.messaging.checkpoint.waitFor(token, 60_000);
      expect((await harness.projections())[0]).toMatchObject({ id: 'thing-1', size });
    }
    expect(farthest).toBeGreaterThan(25);
    await eventually(() =>
      expect(harness.lines.some((line) => line.includes('are published again'))).toBe(true),
    );
  });

  test('at its end, and as long as before since then, is detected by the hash of the last message', async () => {
    const { owner, reader } = await startBoth();
    await owner.put('thing-1');
    await waitUntilIdle(harness);
    const restore = await harness.nats.backUp();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    await waitUntilIdle(harness);
    const farthest = (await harness.checkpoint()).seq;
    await reader.messaging.close();
    await spoilCopies();
    await restore();
    await eventually(async () => {
      const token = await owner.put('thing-3');
      expect(token?.sequences.catalog).toBeGreaterThan(farthest + 2);
    });
    await harness.reader({ url: owner.url });
    await waitUntilIdle(harness);
  });

  test('is created again, although no connection broke', async () => {
    const { owner } = await startBoth();
    await owner.put('thing-1');
    await waitUntilIdle(harness);
    await allPublished(harness);
    const before = streamCreatedAtOf(owner);
    await owner.messaging.bus.stream?.manager.streams.delete('SNAPSHOTS');
    await owner.put('thing-2', { name: 'after' });
    await eventually(() => {
      expect(streamCreatedAtOf(owner)).not.toBe(before);
    });
    await waitUntilIdle(harness);
    await allPublished(harness);
    await eventually(async () => expect(await owner.put('thing-3')).not.toBeNull());
    await waitUntilIdle(harness);
  });

  test('is not assumed while all recent messages exist', async () => {
    const { owner } = await startBoth();
    await owner.put('thing-1');
    await waitUntilIdle(harness);
    await allPublished(harness);
    const resyncLines = () => harness.lines.filter((line) => line.includes('resync '));
    // The owner and the reader each resync once after their start.
    const done = () => resyncLines().filter((line) => line.includes('resync completed'));
    await eventually(() => expect(done()).toHaveLength(2));
    const before = resyncLines();
    await harness.nats.kill();
    await harness.nats.start();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    await waitUntilIdle(harness);
    expect(harness.lines.filter((line) => line.includes('are published again'))).toEqual([]);
    expect(resyncLines()).toEqual(before);
  });
});
