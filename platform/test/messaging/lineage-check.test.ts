import { streamName } from '@event-api/contracts/messages/snapshot';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/core/log.ts';
import { streamTimeouts } from '../../src/core/timeouts.ts';
import { createLineage } from '../../src/messaging/outbox/lineage.ts';
import { createOutboxQueries } from '../../src/messaging/outbox/outbox.queries.ts';
import { eventually } from '../../testing/eventually.ts';
import { atStep } from '../../testing/switches/switches.ts';
import { allPublished, type BusHarness, createBusHarness } from './harness.ts';

let harness: BusHarness;
afterEach(async () => {
  vi.restoreAllMocks();
  await harness?.close();
});

/** An owner that has published one row, and its lineage. */
async function startOwner() {
  harness = await createBusHarness();
  const owner = await harness.owner();
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
  await owner.put('kept');
  await allPublished(harness);
  return { owner, lineage: await lineageInDatabase() };
}

async function lineageInDatabase(): Promise<string | undefined> {
  const [row] = await harness.sql<{ lineage: string }>('select lineage from catalog.stream_state');
  return row?.lineage;
}

test('a row that this process published and cannot mark shows that the database was put back', async () => {
  const { owner, lineage } = await startOwner();
  // The row exists for every other statement, so only marking notices that it is gone.
  await harness.sql(`create function catalog.skip_row() returns trigger language plpgsql as 'begin return null; end';
    create trigger skip_row before update on catalog.outbox_message for each row execute function catalog.skip_row()`);
  await owner.put('unmarked');
  await eventually(async () => expect(await lineageInDatabase()).not.toBe(lineage));
  expect(harness.alarms()).toHaveLength(1);
});

test('the check runs again after a minute without writes or lost connections', async () => {
  const { owner, lineage } = await startOwner();
  await owner.put('lost');
  await allPublished(harness);
  // The message lies behind the confirmed sequence of the earlier state.
  await harness.sql(`update catalog.stream_state set confirmed_seq = confirmed_seq - 1;
    delete from catalog.outbox_message where stream_seq = (select max(stream_seq) from catalog.outbox_message)`);
  expect(await lineageInDatabase()).toBe(lineage);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(
    () => now() + streamTimeouts.lineageCheckIntervalMs + 1,
  );
  await eventually(async () => expect(await lineageInDatabase()).not.toBe(lineage));
});

test('a check that was running when a connection was lost confirms nothing', async () => {
  const { owner } = await startOwner();
  const lineage = createLineage({
    db: owner.db,
    bus: owner.messaging.bus,
    origin: 'catalog',
    schema: 'catalog',
    outboxQueries: createOutboxQueries('catalog'),
    marksWritten: async () => lineage.invalidate(),
    publishMarker: () => {},
    onRewound: () => {},
    onShared: () => {},
    log: createLogger({ service: 'test', level: 'silent' }),
  });
  await lineage.ensure();
  expect(lineage.verified).toBeNull();
});

test('a process checks a new stream after it has marked what the former one has acknowledged', async () => {
  const { owner } = await startOwner();
  const streamOf = () => owner.messaging.bus.stream?.streamCreatedAt;
  const [former, mayMark] = [streamOf(), Promise.withResolvers<void>()];
  atStep('outbox.marking', () => mayMark.promise);
  expect(await owner.put('acknowledged')).not.toBeNull();
  await harness.nats.wipe();
  await eventually(() => {
    expect(streamOf()).toBeDefined();
    expect(streamOf()).not.toBe(former);
  });
  // Nothing is published before the check, which would miss the rows that are not marked yet.
  expect(await owner.put('later')).toBeNull();
  mayMark.resolve();
  await eventually(async () => expect(await owner.put('last')).not.toBeNull());
  await allPublished(harness);
  const state = await owner.messaging.bus.stream?.manager.streams.info(streamName);
  const [row] = await harness.sql<{ seq: number }>(
    'select max(stream_seq)::int as seq from catalog.outbox_message',
  );
  expect(row?.seq).toBeLessThanOrEqual(state?.state.last_seq ?? 0);
});
