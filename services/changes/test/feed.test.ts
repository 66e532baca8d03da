import { firstDigest, nextDigest } from '@event-api/contracts/http/change-digest';
import type { Change } from '@event-api/contracts/http/changes';
import type { Db } from '@event-api/platform/db/database';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldChanges } from '../src/feed/cleanup.job.ts';
import { followFeed } from '../src/feed/follow.ts';
import { compareLineage } from '../src/feed/lineage.job.ts';
import { copyLog } from '../src/feed/sequencer.job.ts';
import { newUnit, startChanges, type TestChanges } from './harness.ts';

let feed: TestChanges;
beforeAll(async () => {
  feed = await startChanges({ replicas: 2 });
});
afterAll(() => feed?.close());

interface Page {
  changes: Change[];
  nextCursor: string;
  digest: string | null;
}

const page = async (client: HttpClient, query = ''): Promise<Page> => {
  const { status, body } = await client('GET', `/v1/changes${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Page;
};

const head = async (client: HttpClient) =>
  (await client('GET', '/v1/changes/head')).body as {
    sequence: number;
    cursor: string;
    digest: string;
    epoch: string;
  };

/** Adds changes of alternating owners and returns their ids in the order of the feed. */
async function addChanges(unit: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const owner = n % 2 === 0 ? feed.owners.commerce : feed.owners.registration;
    ids.push(owner.add({ businessUnitId: unit }).change.id);
    await feed.sequence();
  }
  return ids;
}

describe('the feed of a business unit', () => {
  test('is empty at first, and has a head', async () => {
    const client = await feed.as(newUnit());
    const { sequence, cursor, digest, epoch } = await head(client);
    expect(sequence).toBe(0);
    expect(digest).toBe(firstDigest(epoch));
    expect(await page(client)).toEqual({ changes: [], nextCursor: cursor, digest });
  });

  test('contains the changes of all owners once, in one sequence without a gap', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    const ids = await addChanges(unit, 6);
    const { changes } = await page(client);
    expect(changes.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(changes.map(({ id }) => id)).toEqual(ids);
    expect(changes[0]).toEqual({
      id: ids[0],
      sequence: 1,
      type: 'order.paid',
      occurredAt: expect.any(String),
      eventId: 'evt_1',
      object: { type: 'order', id: expect.any(String), version: expect.any(Number) },
      previous: { status: 'held' },
      current: { status: 'paid' },
      actor: { type: 'key', id: 'key_1' },
    });
  });

  test('does not contain changes of another business unit', async () => {
    const [mine, other] = [newUnit(), newUnit()];
    await addChanges(mine, 1);
    const [id] = await addChanges(other, 1);
    const { changes } = await page(await feed.as(other));
    expect(changes).toMatchObject([{ id, sequence: 1 }]);
  });

  test('rejects a cursor of another business unit without naming it', async () => {
    const [mine, other] = [await feed.as(newUnit()), await feed.as(newUnit())];
    await head(mine);
    const { cursor } = await head(other);
    const { status, body } = await mine('GET', `/v1/changes?after=${cursor}`);
    expect(status).toBe(400);
    const issue = 'is a cursor of another business unit';
    expect(body.error.details).toEqual([{ field: 'after', issue, code: 'cursor_of_another_unit' }]);
  });

  test('is read page by page, and the digest of each page follows from its changes', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    await addChanges(unit, 5);
    let digest = firstDigest((await head(client)).epoch);
    let cursor = '';
    const sequences: number[] = [];
    for (let read = 0; read < 3; read++) {
      const next = await page(client, `?limit=2${cursor && `&after=${cursor}`}`);
      for (const change of next.changes) digest = nextDigest(digest, change);
      expect(next.digest).toBe(digest);
      sequences.push(...next.changes.map(({ sequence }) => sequence));
      cursor = next.nextCursor;
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    expect(await head(client)).toMatchObject({ sequence: 5, cursor, digest });
  });

  test('can be filtered by types and by event, without a digest', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    const { commerce } = feed.owners;
    commerce.add({ businessUnitId: unit, type: 'order.created', eventId: 'evt_a' });
    commerce.add({ businessUnitId: unit, type: 'order.paid', eventId: 'evt_a' });
    commerce.add({ businessUnitId: unit, type: 'order.paid', eventId: 'evt_b' });
    await feed.sequence();
    const { cursor } = await head(client);
    const sequencesOf = async (query: string) => {
      const { changes, nextCursor, digest } = await page(client, query);
      expect(digest).toBeNull();
      expect(nextCursor).toBe(cursor);
      return changes.map(({ sequence }) => sequence);
    };
    expect(await sequencesOf('?types=order.paid')).toEqual([2, 3]);
    expect(await sequencesOf('?types=order.paid,order.created&eventId=evt_a')).toEqual([1, 2]);
    expect(await sequencesOf('?eventId=evt_b')).toEqual([3]);
    expect(await sequencesOf('?eventId=evt_unknown')).toEqual([]);
  });
});

describe('a malformed query', () => {
  test.each([
    ['after', 'after=text'],
    ['limit', 'limit=0'],
    ['wait', 'wait=6'],
    ['wait', 'wait=1.5'],
    ['types', 'types=order.paid,order.exploded'],
  ])('is a 400 that names %s: %s', async (field, query) => {
    const { status, body } = await (await feed.as(newUnit()))('GET', `/v1/changes?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { details: [{ field }] } });
  });
});

describe('sequencing', () => {
  test('by two processes at once adds every change once', async () => {
    const unit = newUnit();
    for (let n = 0; n < 300; n++) feed.owners.onsite.add({ businessUnitId: unit });
    const both = [0, 1].flatMap((n) => [feed.sequence(n), feed.sequence(n)]);
    await Promise.all(both);
    const { changes } = await page(await feed.as(unit));
    expect(changes.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 300 }, (_, n) => n + 1),
    );
    expect(new Set(changes.map(({ id }) => id)).size).toBe(300);
  });

  test('continues where it was after a failure of an owner', async () => {
    const unit = newUnit();
    await addChanges(unit, 1);
    feed.owners.commerce.add({ businessUnitId: unit });
    feed.owners.commerce.isUnavailable = true;
    const { signal } = new AbortController();
    await expect(copyLog(feed.replica(0).deps, 'commerce', signal)).rejects.toThrow();
    feed.owners.commerce.isUnavailable = false;
    await feed.sequence();
    expect((await head(await feed.as(unit))).sequence).toBe(2);
  });
});

describe('after a restore of an owner to an earlier state', () => {
  test('only the units whose changes it has lost get a new epoch', async () => {
    const [lost, kept] = [newUnit(), newUnit()];
    const [clientOfLost, clientWithHistory] = [await feed.as(lost), await feed.as(kept)];
    const { catalog } = feed.owners;
    catalog.add({ businessUnitId: kept });
    catalog.add({ businessUnitId: lost });
    await feed.sequence();
    const [before, retainedBefore] = [await head(clientOfLost), await head(clientWithHistory)];
    catalog.changes.pop();
    await feed.sequence();

    const reset = await clientOfLost('GET', `/v1/changes?after=${before.cursor}`);
    expect(reset.status).toBe(412);
    expect(reset.body).toMatchObject({ error: { details: [{ reason: 'FEED_RESET' }] } });
    const after = await head(clientOfLost);
    expect(after.sequence).toBe(before.sequence);
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.digest).toBe(firstDigest(after.epoch));
    expect(await page(clientOfLost)).toMatchObject({ changes: [], nextCursor: after.cursor });
    expect(await head(clientWithHistory)).toEqual(retainedBefore);

    const { change } = catalog.add({ businessUnitId: lost });
    await feed.sequence();
    const { changes } = await page(clientOfLost, `?after=${after.cursor}`);
    expect(changes).toMatchObject([{ id: change.id, sequence: before.sequence + 1 }]);
  });
});

describe('after a restore of the feed to an earlier state', () => {
  const tables = ['owner_cursor', 'feed_head', 'feed_change'];

  /** Copies the tables of the feed. Returns the function that puts them back. */
  async function backUp(): Promise<() => Promise<void>> {
    for (const table of tables) {
      await feed.sql(`create table changes.backup_${table} as table changes.${table}`);
    }
    return async () => {
      for (const table of tables) {
        await feed.sql(`truncate changes.${table}`);
        await feed.sql(`insert into changes.${table} table changes.backup_${table}`);
        await feed.sql(`drop table changes.backup_${table}`);
      }
    };
  }

  const statusAt = async (client: HttpClient, cursor: string) =>
    (await client('GET', `/v1/changes?after=${cursor}`)).status;

  test('a cursor of the lost part is a 412, also when the feed has become longer in another order', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    await addChanges(unit, 2);
    const kept = await head(client);
    const putBack = await backUp();
    feed.owners.catalog.add({ businessUnitId: unit });
    await feed.sequence();
    feed.owners.commerce.add({ businessUnitId: unit });
    await feed.sequence();
    const { cursor: inside } = await head(client);
    feed.owners.commerce.add({ businessUnitId: unit });
    await feed.sequence();
    const { cursor: end } = await head(client);

    await putBack();
    expect(await statusAt(client, inside)).toBe(412);
    const signal = new AbortController().signal;
    await copyLog(feed.replica(0).deps, 'commerce', signal);
    await copyLog(feed.replica(0).deps, 'catalog', signal);
    feed.owners.commerce.add({ businessUnitId: unit });
    await feed.sequence();
    const after = await head(client);
    expect(after).toMatchObject({ epoch: kept.epoch, sequence: kept.sequence + 4 });
    expect(await statusAt(client, inside)).toBe(412);
    expect(await statusAt(client, end)).toBe(412);
    expect(await statusAt(client, after.cursor)).toBe(200);
    const { changes, digest } = await page(client, `?after=${kept.cursor}`);
    expect(changes).toHaveLength(4);
    expect(digest).toBe(after.digest);
  });

  test('a cursor of the lost part remains valid if the same changes follow in the same order', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    await addChanges(unit, 1);
    const putBack = await backUp();
    for (let n = 0; n < 2; n++) feed.owners.catalog.add({ businessUnitId: unit });
    await feed.sequence();
    const before = await head(client);
    await putBack();
    await feed.sequence();
    expect(await head(client)).toEqual(before);
    expect(await statusAt(client, before.cursor)).toBe(200);
  });
});

test('a new lineage of a publisher begins a new epoch of every feed, once', async () => {
  const unit = newUnit();
  const client = await feed.as(unit);
  await addChanges(unit, 1);
  const { deps } = feed.replica(0);
  await compareLineage(deps, 'catalog');
  const before = await head(client);
  await compareLineage(deps, 'catalog');
  expect(await head(client)).toEqual(before);
  feed.owners.catalog.lineage = 'lineage_2';
  await compareLineage(deps, 'catalog');
  const after = await head(client);
  expect(after.epoch).not.toBe(before.epoch);
  expect(after.sequence).toBe(before.sequence);
  expect((await client('GET', `/v1/changes?after=${before.cursor}`)).status).toBe(412);
  await compareLineage(deps, 'catalog');
  expect(await head(client)).toEqual(after);
});

describe('changes beyond the retention', () => {
  test('are deleted, and a cursor below them is a 412', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    const { cursor } = await head(client);
    await addChanges(unit, 3);
    await feed.sql(
      `update changes.feed_change set occurred_at = now() - interval '91 days'
       where business_unit_id = $1 and sequence <= 2`,
      [unit],
    );
    await feed.sql(
      `update changes.feed_change set occurred_at = now() where business_unit_id = $1 and sequence > 2`,
      [unit],
    );
    await deleteOldChanges(feed.replica(0).db);
    const expired = await client('GET', `/v1/changes?after=${cursor}`);
    expect(expired.status).toBe(412);
    expect(expired.body).toMatchObject({ error: { details: [{ reason: 'CURSOR_EXPIRED' }] } });
    expect((await page(client)).changes).toMatchObject([{ sequence: 3 }]);
  });
});

describe('a request that waits', () => {
  const elapsed = async (work: Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    await work;
    return performance.now() - startedAt;
  };

  test('returns soon after the first change, also if another process has added it', async () => {
    const unit = newUnit();
    const client = await feed.as(unit, { n: 1 });
    const { cursor } = await head(client);
    const waiting = page(client, `?after=${cursor}&wait=5`);
    await eventually(() => expect(feed.replica(1).waiting.units()).toContain(unit));
    const [id] = await addChanges(unit, 1);
    const ms = await elapsed(waiting);
    expect((await waiting).changes).toMatchObject([{ id }]);
    expect(ms).toBeLessThan(4000);
  });

  test.each(['', '&types=order.created,order.paid'])(
    'returns changes that arrive one after the other each once, and the next page continues (%s)',
    async (filter) => {
      const unit = newUnit();
      const client = await feed.as(unit);
      const { cursor } = await head(client);
      const waiting = page(client, `?after=${cursor}&limit=4&wait=5${filter}`);
      await eventually(() => expect(feed.replica(0).waiting.units()).toContain(unit));
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.push(...(await addChanges(unit, 1)));
      const { changes, nextCursor } = await waiting;
      expect(changes.length).toBeLessThanOrEqual(4);
      const next = await page(client, `?after=${nextCursor}${filter}`);
      expect([...changes, ...next.changes].map(({ id }) => id)).toEqual(ids);
      if (filter === '') expect(next.digest).toBe((await head(client)).digest);
    },
  );

  test('reads at most five times a second, however many notices arrive', async () => {
    const { db } = feed.replica(0);
    let reads = 0;
    const counting: Db = {
      ...db,
      query(statement, values) {
        if (statement.name.startsWith('feed_page')) reads += 1;
        return db.query(statement, values);
      },
    };
    // Each wait ends at once, as if notices arrived without a pause.
    const waiting = { ...feed.replica(0).waiting, wait: async () => true };
    const caller = { businessUnitId: newUnit(), keyId: 'key_surge' };
    await followFeed({ db: counting, waiting }, caller, { limit: 1, waitSeconds: 1 });
    // One more when it begins, and one when its time has passed; a timer may end a millisecond
    // early.
    expect(reads).toBeGreaterThan(2);
    expect(reads).toBeLessThanOrEqual(8);
  });

  test('returns at once when the page is full', async () => {
    const unit = newUnit();
    const client = await feed.as(unit);
    const waiting = page(client, '?limit=1&wait=5');
    await eventually(() => expect(feed.replica(0).waiting.units()).toContain(unit));
    const [id] = await addChanges(unit, 1);
    expect((await waiting).changes).toMatchObject([{ id }]);
  });

  test('returns an empty page after its time', async () => {
    const client = await feed.as(newUnit());
    const waiting = page(client, '?wait=1');
    expect(await elapsed(waiting)).toBeGreaterThanOrEqual(990);
    expect((await waiting).changes).toEqual([]);
  });

  test('is a 429 while the key has four others', async () => {
    const unit = newUnit();
    const client = await feed.as(unit, { keyId: 'key_waiting' });
    const four = Array.from({ length: 4 }, () => page(client, '?wait=5&limit=1'));
    await eventually(() => expect(feed.replica(0).waiting.size()).toBe(4));
    const fifth = await client('GET', '/v1/changes?wait=5');
    expect(fifth.status).toBe(429);
    expect(fifth.headers['retry-after']).toBe('1');
    const other = page(await feed.as(unit, { keyId: 'key_other' }), '?wait=5&limit=1');
    await eventually(() => expect(feed.replica(0).waiting.size()).toBe(5));
    await addChanges(unit, 1);
    for (const { changes } of await Promise.all([...four, other])) expect(changes).toHaveLength(1);
    expect(feed.replica(0).waiting.size()).toBe(0);
  });

  test('returns at once when its process drains', async () => {
    const draining = await startChanges();
    const client = await draining.as(newUnit());
    const waiting = page(client, '?wait=5');
    await eventually(() => expect(draining.replica(0).waiting.size()).toBe(1));
    const closing = draining.close();
    expect(await elapsed(waiting)).toBeLessThan(4000);
    await closing;
  });
});
