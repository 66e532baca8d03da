import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../src/testing/eventually.ts';
import { allPublished, createWorld, type Owner, settled, type World } from './world.ts';

let world: World;
afterEach(() => world?.close());

async function given() {
  world = await createWorld();
  const owner = await world.owner();
  const reader = await world.reader({ url: owner.url });
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
  return { owner, reader };
}

/** Leaves copies that only a resync can put right. */
async function spoilCopies(): Promise<void> {
  await world.sql("update registration.thing_copy set name = 'stale', version = version + 1");
  await world.sql(
    "insert into registration.thing_copy (id, version, name, size) values ('ghost', 1, 'ghost', 1)",
  );
}

const incarnationOf = ({ messaging }: Owner) => messaging.bus.stream?.incarnation;

describe('a stream that was lost', () => {
  it('with its volume: copies heal, recent messages are sent again, and tokens count anew', async () => {
    const { owner, reader } = await given();
    await owner.put(['thing-1', 'thing-2']);
    const old = await owner.put('thing-1', { size: 2 });
    await settled(world);
    await allPublished(world);
    const before = incarnationOf(owner);
    await spoilCopies();
    await world.nats.wipe();
    await eventually(() => {
      expect(incarnationOf(owner)).toBeDefined();
      expect(incarnationOf(owner)).not.toBe(before);
    });
    const token = await eventually(async () => {
      const written = await owner.put('thing-3');
      expect(written).not.toBeNull();
      return written;
    });
    expect(token?.incarnation).toBe(incarnationOf(owner));
    await settled(world);
    await eventually(() =>
      expect(world.lines.some((line) => line.includes('are sent again'))).toBe(true),
    );
    await allPublished(world);
    // The old numbers are higher than the new stream's. A read that waits for them uses up its whole budget.
    const begun = performance.now();
    if (old) await reader.messaging.position.reach(old, 60_000);
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(world.alarms()).toEqual([]);
  });

  it('and a process that was not there then notices it too', async () => {
    const { owner, reader } = await given();
    await owner.put('thing-1');
    await settled(world);
    await allPublished(world);
    await owner.messaging.close();
    await reader.messaging.close();
    await world.nats.wipe();
    const again = await world.owner();
    await eventually(() =>
      expect(world.lines.some((line) => line.includes('"again":1'))).toBe(true),
    );
    await allPublished(world);
    const [row] = await world.sql('select stream_seq from catalog.outbox_message');
    expect(row).toEqual({ stream_seq: '1' });
    await world.reader({ url: again.url });
    await settled(world);
  });

  it('in its last part only: what was acknowledged is sent again and no number is mistaken for an old one', async () => {
    const { owner, reader } = await given();
    await owner.put('thing-1');
    await settled(world);
    await allPublished(world);
    const restore = await world.nats.keepCopy();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    for (let size = 2; size < 30; size++) await owner.put('thing-1', { size });
    await settled(world);
    await allPublished(world);
    const before = incarnationOf(owner);
    const farthest = (await world.position()).seq;
    await spoilCopies();
    await restore();
    await eventually(() => expect(incarnationOf(owner)).toBe(before));
    await settled(world);
    // Without a look at the anchor this would hide among numbers that were passed long ago.
    for (let size = 1; size < 10; size++) {
      const token = await eventually(async () => {
        const written = await owner.put('thing-1', { size });
        if (!written) throw new Error('no acknowledgement in time');
        return written;
      });
      expect(token.incarnation).toBe(before);
      await reader.messaging.position.reach(token, 60_000);
      expect((await world.copies())[0]).toMatchObject({ id: 'thing-1', size });
    }
    expect(farthest).toBeGreaterThan(25);
    await eventually(() =>
      expect(world.lines.some((line) => line.includes('are sent again'))).toBe(true),
    );
  });

  it('in its last part, and since then as long as before, is known by the message that was read last', async () => {
    const { owner, reader } = await given();
    await owner.put('thing-1');
    await settled(world);
    const restore = await world.nats.keepCopy();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    await settled(world);
    const farthest = (await world.position()).seq;
    await reader.messaging.close();
    await spoilCopies();
    await restore();
    await eventually(async () => {
      const token = await owner.put('thing-3');
      expect(token?.positions.catalog).toBeGreaterThan(farthest + 2);
    });
    await world.reader({ url: owner.url });
    await settled(world);
  });

  it('while nobody was disconnected is made anew', async () => {
    const { owner } = await given();
    await owner.put('thing-1');
    await settled(world);
    await allPublished(world);
    const before = incarnationOf(owner);
    await owner.messaging.bus.stream?.manager.streams.delete('EVENTS');
    await owner.put('thing-2', { name: 'after' });
    await eventually(() => {
      expect(incarnationOf(owner)).not.toBe(before);
    });
    await settled(world);
    await allPublished(world);
    await eventually(async () => expect(await owner.put('thing-3')).not.toBeNull());
    await settled(world);
  });

  it('is not suspected where all that was published lately is still there', async () => {
    const { owner } = await given();
    await owner.put('thing-1');
    await settled(world);
    await allPublished(world);
    const madeAnew = () => world.lines.filter((line) => line.includes('made anew'));
    // The owner and the reader each resync once after their start.
    const done = () => madeAnew().filter((line) => line.includes('done'));
    await eventually(() => expect(done()).toHaveLength(2));
    const before = madeAnew();
    await world.nats.kill();
    await world.nats.start();
    await eventually(async () => expect(await owner.put('thing-2')).not.toBeNull());
    await settled(world);
    expect(world.lines.filter((line) => line.includes('are sent again'))).toEqual([]);
    expect(madeAnew()).toEqual(before);
  });
});
