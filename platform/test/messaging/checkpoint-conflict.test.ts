import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createSnapshotClient } from '../../src/http/snapshot-client.ts';
import { type CheckpointRow, isResyncPending } from '../../src/messaging/projections/checkpoint.ts';
import { createOwnerLineages } from '../../src/messaging/projections/owner-lineages.ts';
import {
  CheckpointConflict,
  createProjectionQueries,
} from '../../src/messaging/projections/projections.queries.ts';
import { resync } from '../../src/messaging/projections/resync.ts';
import type { SnapshotClient } from '../../src/messaging/projections/snapshot-client.ts';
import { writeBatch } from '../../src/messaging/projections/write-batch.ts';
import { eventually } from '../../testing/eventually.ts';
import { type BusHarness, createBusHarness, type Owner } from './harness.ts';
import { itemProjection, ormOf } from './items.ts';

const queries = createProjectionQueries('registration');
let harness: BusHarness;
let owner: Owner;
let db: Database;
let real: SnapshotClient;
beforeAll(async () => {
  harness = await createBusHarness();
  owner = await harness.owner();
  db = await openDatabase(ormOf(harness.database.url, 'registration'), 4);
  real = createSnapshotClient({
    url: owner.url,
    signer: await harness.callers.signer('registration'),
  });
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
});
afterAll(async () => {
  await db?.close();
  await harness?.close();
});

function applySnapshot(id: string, from: CheckpointRow, seq: number) {
  const own = { businessUnitId: 'unit', eventId: 'evt', data: { name: 'x', size: 1 } };
  const snapshot = {
    id: 'msg',
    type: 'catalog.thing',
    aggregateId: id,
    version: 1,
    occurredAt: '',
    ...own,
  };
  const deadLetters = [{ seq, index: 7, body: id, error: 'bad', reason: 'bad' }];
  return writeBatch(
    { db, queries, projections: [itemProjection] },
    {
      pending: [{ projection: itemProjection, snapshot, seq, index: 0 }],
      deadLetters,
      from,
      to: { ...from, seq },
      conflictPolicy: 'newest',
    },
  );
}

async function runResync(page: SnapshotClient['page'] = real.page): Promise<CheckpointRow> {
  const { stream } = owner.messaging.bus;
  if (!stream) throw new Error('no stream');
  const owners = { projections: [itemProjection], snapshotClients: { catalog: { ...real, page } } };
  const { signal } = new AbortController();
  return resync({
    ...owners,
    db,
    stream,
    ownerLineages: createOwnerLineages({ ...owners, signal }),
    queries,
    from: await queries.readCheckpoint(db),
    isCheckpointValid: true,
    schemaFingerprint: 'projections',
    signal,
    onDeadLetter: () => {},
  });
}

const idsOfCopies = async () => (await harness.projections()).map(({ id }) => id);

describe('a writer of projections', () => {
  test('writes nothing, not even dead letters, after another process has advanced the checkpoint', async () => {
    const from = await queries.readCheckpoint(db);
    const racing = ['one', 'two', 'three'].map((id, i) =>
      applySnapshot(id, from, from.seq + 1 + i),
    );
    const outcomes = await Promise.allSettled(racing);
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map(({ reason }) => reason)).toEqual([
      expect.any(CheckpointConflict),
      expect.any(CheckpointConflict),
    ]);
    const [id] = await idsOfCopies();
    expect(await idsOfCopies()).toHaveLength(1);
    expect(await harness.sql('select body from registration.dead_letter')).toEqual([{ body: id }]);
  });

  test('is stopped by a requested resync', async () => {
    await runResync();
    const from = await queries.readCheckpoint(db);
    await queries.requestResync(db);
    await expect(applySnapshot('late', from, from.seq + 1)).rejects.toThrow(CheckpointConflict);
    expect(isResyncPending(await queries.readCheckpoint(db))).toBe(true);
  });

  test('is stopped by a running resync, and does not stop it', async () => {
    await runResync();
    const from = await queries.readCheckpoint(db);
    await runResync(async (...args) => {
      await expect(applySnapshot('between', from, from.seq + 1)).rejects.toThrow(
        CheckpointConflict,
      );
      return real.page(...args);
    });
    expect(isResyncPending(await queries.readCheckpoint(db))).toBe(false);
  });
});

describe('two concurrent resyncs', () => {
  test('do not mix: the first deletes nothing that the second has written', async () => {
    await owner.put('early');
    const first = runResync(async (...args) => {
      const old = await real.page(...args);
      await owner.put('born-meanwhile');
      await runResync();
      return old;
    });
    await expect(first).rejects.toThrow(CheckpointConflict);
    expect(await idsOfCopies()).toEqual(['born-meanwhile', 'early']);
    expect(isResyncPending(await queries.readCheckpoint(db))).toBe(false);
  });

  test('leave a resync pending when the owner becomes unavailable', async () => {
    const cut = runResync(() => Promise.reject(new Error('away')));
    await expect(cut).rejects.toThrow('away');
    expect(isResyncPending(await queries.readCheckpoint(db))).toBe(true);
    await runResync();
    expect(isResyncPending(await queries.readCheckpoint(db))).toBe(false);
  });
});
