import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { disableGuard } from '../../testing/switches/switches.ts';
import {
  allPublished,
  type BusHarness,
  createBusHarness,
  type Owner,
  waitUntilIdle,
} from './harness.ts';

let harness: BusHarness;
afterEach(() => harness?.close());

const isConnected = (owner: Owner) =>
  eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());

const lineageOf = async ({ messaging }: Owner) => (await messaging.outbox?.lineages())?.lineage;

/** An owner that has published one row, and its lineage. */
async function startOwner() {
  harness = await createBusHarness();
  const owner = await harness.owner();
  await isConnected(owner);
  await owner.put('kept');
  await allPublished(harness);
  return { owner, first: await lineageOf(owner) };
}

const stateOf = async () => {
  const [row] = await harness.sql<{ lineage: string; incarnation: string; confirmed: number }>(
    'select lineage, incarnation, confirmed_seq::int as confirmed from catalog.stream_state',
  );
  return row;
};

const rewinds = () => harness.alarms().filter((line) => line.includes('database_rewound')).length;

/**
 * Puts the tables of the owner back to their present state later, as a restored database has them.
 */
async function backUpOwner(): Promise<() => Promise<void>> {
  const tables = ['thing', 'outbox_message', 'stream_state'];
  const backup = `backup_${randomUUID().slice(0, 8)}`;
  await harness.sql(`create schema ${backup}`);
  for (const table of tables)
    await harness.sql(`create table ${backup}.${table} as table catalog.${table}`);
  return async () => {
    const steps = tables.map(
      (table) =>
        `truncate catalog.${table}; insert into catalog.${table} table ${backup}.${table};`,
    );
    await harness.sql(`begin; ${steps.join('')} commit`);
  };
}

describe('the lineage', () => {
  test('stays the same through publishing, restarts and a recreated stream', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await isConnected(owner);
    await owner.put(['a', 'b']);
    const first = await lineageOf(owner);
    await allPublished(harness);
    await eventually(async () => expect((await stateOf())?.confirmed).toBeGreaterThan(0));
    await owner.messaging.close();
    const again = await harness.owner();
    await isConnected(again);
    await again.put('c');
    expect(await lineageOf(again)).toBe(first);
    await harness.nats.wipe();
    await eventually(async () => expect(await again.put('d')).not.toBeNull());
    expect(await lineageOf(again)).toBe(first);
    expect((await stateOf())?.incarnation).toBe(again.messaging.bus.stream?.streamCreatedAt);
    expect(rewinds()).toBe(0);
  });

  test('is replaced once when the database is put back while the process is down', async () => {
    const { owner, first } = await startOwner();
    const reader = await harness.reader({ url: owner.url });
    const restore = await backUpOwner();
    for (let size = 1; size < 6; size++) await owner.put(['kept', `lost-${size}`], { size });
    await waitUntilIdle(harness);
    await allPublished(harness);
    await owner.messaging.close();
    await restore();
    const again = await harness.owner();
    const other = await harness.owner();
    await Promise.all([again.messaging.outbox?.started, other.messaging.outbox?.started]);
    const renewed = await lineageOf(again);
    expect(renewed).not.toBe(first);
    expect(await lineageOf(other)).toBe(renewed);
    expect(rewinds()).toBe(1);
    const counts = await Promise.all([again, other].map(({ metrics }) => metrics.text()));
    expect(counts.filter((text) => /^outbox_rewinds_total 1$/m.test(text))).toHaveLength(1);
    await again.put('later');
    expect(await lineageOf(again)).toBe(renewed);
    await reader.messaging.close();
  });

  test('is replaced when connections break and the database has lost its last messages', async () => {
    const { owner, first } = await startOwner();
    const restore = await backUpOwner();
    await owner.put('lost');
    await restore();
    await harness.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'catalog'`,
    );
    // The next message is published only after the check.
    await eventually(async () => expect(await owner.put('later')).not.toBeNull());
    await eventually(async () => expect((await stateOf())?.lineage).not.toBe(first));
    expect(harness.alarms()).toHaveLength(1);
  });

  test('is replaced when a published row is missing although no connection broke', async () => {
    const { owner, first } = await startOwner();
    const restore = await backUpOwner();
    await owner.put('lost');
    await allPublished(harness);
    await restore();
    // Marking notices that the confirmed sequence is lower than before.
    await eventually(async () => {
      await owner.put('later');
      expect((await stateOf())?.lineage).not.toBe(first);
    });
    expect(rewinds()).toBe(1);
  });

  test('stays the same without the check, which this negative control disables', async () => {
    disableGuard('lineage');
    const { owner, first } = await startOwner();
    const restore = await backUpOwner();
    await owner.put('lost');
    await allPublished(harness);
    await restore();
    expect(await lineageOf(owner)).toBe(first);
    expect(rewinds()).toBe(0);
  });

  test('can be replaced on request', async () => {
    const { owner, first } = await startOwner();
    const renewed = await owner.messaging.outbox?.renewLineage();
    expect(renewed).not.toBe(first);
    expect(await lineageOf(owner)).toBe(renewed);
    expect(rewinds()).toBe(0);
  });

  test('is unknown while the bus is unavailable', async () => {
    harness = await createBusHarness();
    const owner = await harness.owner();
    await isConnected(owner);
    await harness.nats.kill();
    await expect(lineageOf(owner)).rejects.toThrow();
    expect(await owner.put('written')).toBeNull();
  });
});
