import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';
import { widerItemProjection } from './items.ts';

let harness: BusHarness;
let owner: Owner;
beforeAll(async () => {
  harness = await createBusHarness();
  owner = await harness.owner();
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
});
afterAll(() => harness?.close());
beforeEach(async () => {
  owner.requestedPaths.length = 0;
});

type Reader = Awaited<ReturnType<BusHarness['reader']>>;

/** A reader for one test, in step with the owner when the test begins. */
async function withReader(
  work: (reader: Reader) => Promise<void>,
  own: Partial<Parameters<BusHarness['reader']>[0]> = {},
): Promise<void> {
  const reader = await harness.reader({ url: owner.url, ...own });
  try {
    await eventually(async () =>
      expect((await harness.checkpoint()).schemaFingerprint).toMatch(/^projections/),
    );
    await waitUntilIdle(harness);
    await work(reader);
  } finally {
    await reader.messaging.close();
  }
}

const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(5, '0')}`);

/** Things without a message. */
const addUntold = (all: readonly string[]) =>
  harness.sql(
    `insert into catalog.thing (id, business_unit_id, event_id, version, name, size)
     select id, 'unit', 'evt', 1, 'untold', 1 from unnest($1::text[]) x(id)`,
    [all],
  );

describe('a resync', () => {
  test('adds missing rows, restores changed rows and deletes rows that the owner does not have', () =>
    withReader(async (reader) => {
      await owner.put(['kept', 'changed']);
      await waitUntilIdle(harness);
      await addUntold(['untold']);
      await harness.sql("update registration.thing_projection set size = 900 where id = 'changed'");
      await harness.sql(
        `insert into registration.thing_projection (id, version, name, size)
         values ('aaa', 1, 'gone', 1), ('kept-b', 1, 'gone', 1), ('zzz', 1, 'gone', 1)`,
      );
      await reader.messaging.projector.resync();
      expect(await harness.projections()).toEqual(await harness.items());
    }));

  test('accepts older versions from an owner that was restored from a backup', () =>
    withReader(async (reader) => {
      await owner.put('restored', { size: 10 });
      const [old] = await harness.sql("select version from catalog.thing where id = 'restored'");
      await owner.put('restored', { size: 20 });
      await waitUntilIdle(harness);
      await harness.sql("update catalog.thing set size = 10, version = $1 where id = 'restored'", [
        old?.version,
      ]);
      await reader.messaging.projector.resync();
      expect(await harness.projections()).toEqual(await harness.items());
      await owner.put('restored', { size: 30 });
      await waitUntilIdle(harness);
    }));

  test('runs in the leader, whichever process received the request', () =>
    withReader(async () => {
      await withReader(async (second) => {
        await addUntold(['asked-elsewhere']);
        await second.messaging.projector.resync();
        expect(await harness.projections()).toEqual(await harness.items());
      });
    }));

  test.each([499, 500, 501, 1000])('pages through %i records', (count) =>
    withReader(async (reader) => {
      await harness.sql('delete from catalog.thing');
      await addUntold(ids('paged', count));
      owner.requestedPaths.length = 0;
      await reader.messaging.projector.resync();
      expect(await harness.projections()).toEqual(await harness.items());
      expect(owner.requestedPaths).toHaveLength(Math.floor(count / 500) + 1);
      await harness.sql("delete from catalog.thing where id > 'paged-00003'");
      await reader.messaging.projector.resync();
      expect(await harness.projections()).toEqual(await harness.items());
    }),
  );

  test('loses no messages that arrive meanwhile', () =>
    withReader(async (reader) => {
      const all = ids('flowing', 60);
      let flowing = true;
      const writing = (async () => {
        for (let size = 0; flowing; size = (size + 1) % 900) {
          await owner.put([all[size % 60] ?? '', `flowing-new-${size}`], { size });
        }
      })();
      for (let round = 0; round < 5; round++) await reader.messaging.projector.resync();
      flowing = false;
      await writing;
      await waitUntilIdle(harness);
    }));

  test('stores an invalid record as a dead letter, keeps its row, and continues', () =>
    withReader(async (reader) => {
      await owner.put(['fine', 'sick'], { size: 5 });
      await waitUntilIdle(harness);
      await harness.sql(
        "update catalog.thing set size = 4000, version = version + 1 where id = 'sick'",
      );
      await addUntold(['sick-neighbour']);
      await reader.messaging.projector.resync();
      const projections = await harness.projections();
      expect(projections.find(({ id }) => id === 'sick')).toMatchObject({ size: 5 });
      expect(projections.map(({ id }) => id)).toContain('sick-neighbour');
      const buried = await harness.sql('select index from registration.dead_letter');
      expect(buried).toEqual([{ index: expect.any(Number) }]);
      await owner.put('sick', { size: 6 });
      await waitUntilIdle(harness);
    }));
});

describe('a resync starts', () => {
  test('when a projection has a new column', async () => {
    await withReader(async () => {
      await owner.put('labelled', { name: 'Label', size: 3 });
      await waitUntilIdle(harness);
    });
    await withReader(
      async () => {
        const text = "select label from registration.thing_projection where id = 'labelled'";
        await eventually(async () =>
          expect(await harness.sql(text)).toEqual([{ label: 'Label of 3' }]),
        );
      },
      { projections: [widerItemProjection] },
    );
  });

  test('when the stream no longer holds the next message', async () => {
    await withReader(async () => {});
    await owner.put(['passed-1', 'passed-2']);
    await owner.put('passed-1', { size: 5 });
    const { stream } = owner.messaging.bus;
    await stream?.manager.streams.purge('SNAPSHOTS');
    // The owner publishes the lost messages again. The next tests delete records without a message,
    // so none may be late.
    await owner.messaging.outbox?.lineages();
    await allPublished(harness);
    await withReader(async () => {
      expect(owner.requestedPaths.length).toBeGreaterThan(0);
      await owner.put('passed-3');
      await waitUntilIdle(harness);
    });
  });

  test('when a message is missing', async () => {
    await withReader(async () => {});
    const { stream } = owner.messaging.bus;
    await owner.put('gap-1');
    const token = await owner.put('gap-2');
    await owner.put('gap-3');
    await stream?.manager.streams.deleteMessage('SNAPSHOTS', token?.sequences.catalog ?? 0);
    await withReader(async () => {
      expect((await harness.projections()).map(({ id }) => id)).toContain('gap-2');
    });
  });

  test('from the beginning after an interruption, which never reports success', async () => {
    await withReader(async (reader) => {
      await harness.sql('delete from catalog.thing');
      await addUntold(ids('cut', 1200));
      const paths: string[] = [];
      owner.http.server.prependOnceListener('request', (request) => paths.push(request.url ?? ''));
      const resyncing = reader.messaging.projector.resync().catch(() => 'ended');
      await eventually(() => expect(owner.requestedPaths.length).toBeGreaterThan(0));
      await reader.messaging.close();
      expect(await resyncing).toBe('ended');
    });
    await withReader(async () => {
      expect(await harness.projections()).toHaveLength(1200);
    });
  });
});

describe('a restored database of projections', () => {
  test('catches up from its checkpoint, and reads with a token wait for it', async () => {
    const position = await harness.checkpoint();
    await withReader(async (reader) => {
      await owner.put('before', { size: 1 });
      await waitUntilIdle(harness);
      const [backup] = await harness.sql('select * from registration.projection_checkpoint');
      const token = await owner.put(['before', 'after'], { size: 2 });
      await waitUntilIdle(harness);
      // As it would be after a restore: older rows, older position.
      await harness.sql("delete from registration.thing_projection where id = 'after'");
      await harness.sql(
        "update registration.thing_projection set size = 1, version = 1 where id = 'before'",
      );
      await harness.sql(
        'update registration.projection_checkpoint set seq = $1, last_message_hash = $2',
        [backup?.seq, backup?.last_message_hash],
      );
      await waitUntilIdle(harness);
      if (token) await reader.messaging.checkpoint.waitFor(token);
      expect((await harness.checkpoint()).seq).toBeGreaterThan(position.seq);
    });
  });
});
