import { newId } from '@event-api/platform/core/ids';
import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase } from '@event-api/platform/testing/database';
import { planSession } from '@event-api/platform/testing/plans';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChangesOfObject } from '../src/feed/feed.queries.ts';
import { changesOrm } from '../src/orm.ts';
import { newUnit, startChanges, type TestChanges } from './harness.ts';

let feed: TestChanges;
beforeAll(async () => {
  feed = await startChanges();
});
afterAll(() => feed?.close());

const find = async (businessUnitId: string, objectId: string, more: object = {}) => {
  const client = await feed.operator();
  return client('POST', '/operator/change.find', { body: { businessUnitId, objectId, ...more } });
};
const found = async (businessUnitId: string, objectId: string, more: object = {}) => {
  const { status, body } = await find(businessUnitId, objectId, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { changes: { id: string }[]; nextCursor: string | null };
};

/**
 * Adds changes of one record, each beside one of another record. Returns their ids, newest first.
 */
async function addHistory(businessUnitId: string, objectId: string, count: number) {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.unshift(feed.owners.commerce.add({ businessUnitId, objectId }).change.id);
    feed.owners.commerce.add({ businessUnitId });
  }
  await feed.sequence();
  return ids;
}

describe('the changes of a record', () => {
  test('are found newest first, as the feed has them, page by page', async () => {
    const [unit, order] = [newUnit(), newId('ord')];
    const ids = await addHistory(unit, order, 3);
    const { changes, nextCursor } = await found(unit, order);
    expect(changes.map(({ id }) => id)).toEqual(ids);
    expect(nextCursor).toBeNull();
    const client = await feed.as(unit);
    const { changes: all } = (await client('GET', '/v1/changes')).body as typeof changes & {
      changes: { id: string }[];
    };
    expect(changes).toEqual(all.filter(({ id }) => ids.includes(id)).toReversed());
    const first = await found(unit, order, { limit: 2 });
    const next = await found(unit, order, { limit: 2, cursor: first.nextCursor });
    expect([...first.changes, ...next.changes]).toEqual(changes);
    expect(next.nextCursor).toBeNull();
  });

  test('are found in their business unit only', async () => {
    const [unit, other, order] = [newUnit(), newUnit(), newId('ord')];
    const [id] = await addHistory(unit, order, 1);
    const [foreign] = await addHistory(other, order, 1);
    expect((await found(unit, order)).changes).toMatchObject([{ id }]);
    expect((await found(other, order)).changes).toMatchObject([{ id: foreign }]);
    expect((await found(newUnit(), order)).changes).toEqual([]);
    expect((await found(unit, newId('ord'))).changes).toEqual([]);
  });

  test('of an earlier epoch are not found', async () => {
    const [unit, order] = [newUnit(), newId('ord')];
    await addHistory(unit, order, 2);
    await feed.sql('update changes.feed_head set floor = sequence where business_unit_id = $1', [
      unit,
    ]);
    const ids = await addHistory(unit, order, 1);
    expect((await found(unit, order)).changes.map(({ id }) => id)).toEqual(ids);
  });

  test('with a cursor of another record are a 400', async () => {
    const [unit, order] = [newUnit(), newId('ord')];
    await addHistory(unit, order, 2);
    const { nextCursor } = await found(unit, order, { limit: 1 });
    const { status } = await find(unit, newId('ord'), { cursor: nextCursor });
    expect(status).toBe(400);
  });
});

test('the changes of a record are read with the index of records, also in a feed of 100,000', async () => {
  const database = await createTestDatabase(await postgresUrl());
  await migrate(changesOrm(database.url));
  const session = await planSession(database);
  const page = { before: Number.MAX_SAFE_INTEGER, limit: 20 };
  const cost = () => session.costOf((db) => findChangesOfObject(db, 'unit_1', 'ord_50', page));
  // The plan is made while the tables are empty.
  await cost();
  await database.sql(
    `insert into changes.feed_head (business_unit_id, epoch, sequence, digest, floor)
     select 'unit_' || n, 'epoch', 100000, 'digest', 0 from generate_series(1, 1000) n`,
  );
  await database.sql(
    `insert into changes.feed_change (business_unit_id, sequence, id, type, object_id, owner, number, occurred_at, digest, entry)
     select 'unit_1', n, 'chg_' || n, 'order.updated', 'ord_' || n % 100, 'commerce', n, now(), 'digest', '{}'
     from generate_series(1, 100000) n`,
  );
  await session.analyze();
  const { indexes, kinds, rows } = await cost();
  expect(indexes).toContain('feed_change_of_object');
  expect(kinds).not.toContain('Seq Scan');
  expect(rows).toBeLessThanOrEqual(page.limit + 1);
  await session.end();
  await database.drop();
});
