import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createSnapshotOwner, type SnapshotOwner } from '../../src/projections/owner.ts';
import type { PositionRow } from '../../src/projections/position.ts';
import { createProjectionQueries, Fenced } from '../../src/projections/queries.ts';
import { isResyncDue, resync } from '../../src/projections/resync.ts';
import { writeStep } from '../../src/projections/write.ts';
import { eventually } from '../../src/testing/eventually.ts';
import { ormOf, thingCopy } from './things.ts';
import { createWorld, type Owner, type World } from './world.ts';

const queries = createProjectionQueries('registration');
let world: World;
let owner: Owner;
let db: Database;
let real: SnapshotOwner;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  db = await openDatabase(ormOf(world.database.url, 'registration'), 4);
  real = createSnapshotOwner({
    url: owner.url,
    signer: await world.callers.signer('registration'),
  });
  await eventually(() => expect(owner.messaging.bus.stream).not.toBeNull());
});
afterAll(async () => {
  await db?.close();
  await world?.close();
});

function applying(id: string, from: PositionRow, seq: number) {
  const own = { businessUnitId: 'unit', eventId: 'evt', data: { name: 'x', size: 1 } };
  const snapshot = {
    id: 'msg',
    type: 'catalog.thing',
    aggregateId: id,
    version: 1,
    occurredAt: '',
    ...own,
  };
  const poison = [{ seq, index: 7, body: id, error: 'bad', reason: 'bad' }];
  return writeStep(
    { db, queries, copies: [thingCopy] },
    {
      pending: [{ copy: thingCopy, snapshot, seq, index: 0 }],
      poison,
      from,
      to: { ...from, seq },
      keeps: 'newest',
    },
  );
}

async function makingAnew(page: SnapshotOwner['page'] = real.page): Promise<PositionRow> {
  const { stream } = owner.messaging.bus;
  if (!stream) throw new Error('no stream');
  return resync({
    db,
    stream,
    copies: [thingCopy],
    owners: { catalog: { ...real, page } },
    queries,
    from: await queries.readPosition(db),
    isPositionGood: true,
    shape: 'copies',
    signal: new AbortController().signal,
    onPoison: () => {},
  });
}

const idsOfCopies = async () => (await world.copies()).map(({ id }) => id);

describe('who writes copies', () => {
  it('writes nothing, dead letters neither, once another has moved the position', async () => {
    const from = await queries.readPosition(db);
    const racing = ['one', 'two', 'three'].map((id, i) => applying(id, from, from.seq + 1 + i));
    const outcomes = await Promise.allSettled(racing);
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map(({ reason }) => reason)).toEqual([expect.any(Fenced), expect.any(Fenced)]);
    const [id] = await idsOfCopies();
    expect(await idsOfCopies()).toHaveLength(1);
    expect(await world.sql('select body from registration.dead_letter')).toEqual([{ body: id }]);
  });

  it('is stopped by a resync that has been asked for', async () => {
    await makingAnew();
    const from = await queries.readPosition(db);
    await queries.askResync(db);
    await expect(applying('late', from, from.seq + 1)).rejects.toThrow(Fenced);
    expect(isResyncDue(await queries.readPosition(db))).toBe(true);
  });

  it('is stopped by a resync that has begun, and stops none', async () => {
    await makingAnew();
    const from = await queries.readPosition(db);
    await makingAnew(async (...asked) => {
      await expect(applying('between', from, from.seq + 1)).rejects.toThrow(Fenced);
      return real.page(...asked);
    });
    expect(isResyncDue(await queries.readPosition(db))).toBe(false);
  });
});

describe('two resyncs at once', () => {
  it('do not mix: the one that began first deletes nothing that the second has found', async () => {
    await owner.put('early');
    const first = makingAnew(async (...asked) => {
      const old = await real.page(...asked);
      await owner.put('born-meanwhile');
      await makingAnew();
      return old;
    });
    await expect(first).rejects.toThrow(Fenced);
    expect(await idsOfCopies()).toEqual(['born-meanwhile', 'early']);
    expect(isResyncDue(await queries.readPosition(db))).toBe(false);
  });

  it('leave a resync due when the owner goes away in between', async () => {
    const cut = makingAnew(() => Promise.reject(new Error('away')));
    await expect(cut).rejects.toThrow('away');
    expect(isResyncDue(await queries.readPosition(db))).toBe(true);
    await makingAnew();
    expect(isResyncDue(await queries.readPosition(db))).toBe(false);
  });
});
