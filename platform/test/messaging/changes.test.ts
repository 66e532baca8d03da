import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runAsActor } from '../../src/core/actor.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { ormOptions } from '../../src/db/migrations.ts';
import { statement } from '../../src/db/statement.ts';
import {
  ChangeCounter,
  ChangeInbox,
  ChangeLog,
} from '../../src/messaging/changes/change-log.entity.ts';
import { type ChangeLogReader, createChangeLog } from '../../src/messaging/changes/change-log.ts';
import {
  announceChanges,
  insertChangesSql,
  newChangeId,
  type ObjectChange,
  writeChanges,
} from '../../src/messaging/changes/write.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { postgresUrl } from '../../testing/servers.ts';
import { disableGuard } from '../../testing/switches/switches.ts';

const schema = 'owner';
const ormOf = (url: string) =>
  ormOptions({
    url,
    schema,
    entities: [ChangeInbox, ChangeLog, ChangeCounter],
    migrations: new URL('../no-migrations', import.meta.url),
  });

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  const orm = await MikroORM.init(ormOf(database.url));
  await database.sql(`create schema ${schema}`);
  await orm.schema.create();
  await orm.close(true);
  await database.sql(`create table ${schema}.seat (id text primary key, version int not null)`);
  await database.sql(
    `insert into ${schema}.seat select 'seat ' || n, 0 from generate_series(0, 3) n`,
  );
  db = await openDatabase(ormOf(database.url), 12);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** A log without changes. */
async function emptyLog(): Promise<ChangeLogReader> {
  await database.sql(
    `truncate ${schema}.change_inbox, ${schema}.change_log, ${schema}.change_counter`,
  );
  await database.sql(`insert into ${schema}.change_counter values ('changes', 0, 0)`);
  return createChangeLog(schema);
}

const confirmed = (objectId: string, version = 1): ObjectChange => ({
  type: 'registration.confirmed',
  businessUnitId: 'unit_a',
  eventId: 'evt_a',
  objectId,
  version,
  previous: { status: 'pending' },
  current: { status: 'confirmed' },
});

const write = (...changes: ObjectChange[]) =>
  db.transaction(async (tx) => writeChanges(tx, changes));

/** Writes a change in a transaction that stays open. Returns the function that commits it. */
async function openWrite(objectId: string): Promise<() => Promise<unknown>> {
  const change = {
    id: `chg_${objectId}`,
    type: 'order.paid',
    eventId: 'evt_a',
    object: { type: 'order', id: objectId, version: 1 },
    previous: { status: 'held' },
    current: { status: 'paid' },
    actor: { type: 'cli', id: null },
  };
  const session = await database.session();
  await session.sql('begin');
  await session.sql(
    `insert into ${schema}.change_inbox (business_unit_id, body) values ('unit_a', '${JSON.stringify(change)}')`,
  );
  onTestFinished(() => session.end());
  return () => session.sql('commit');
}

/** All changes after a number, page by page. */
async function readAll(log: ChangeLogReader, after = 0, limit = 100) {
  const all: { number: number; objectId: string; version: number }[] = [];
  for (;;) {
    const page = await log.read(db, { after: all.at(-1)?.number ?? after, limit });
    if ('rewoundTo' in page) throw new Error('the log was rewound');
    if (page.changes.length === 0) return all;
    for (const { number, change } of page.changes) {
      all.push({ number, objectId: change.object.id, version: change.object.version });
    }
  }
}

describe('a written change', () => {
  test('has a number, the state before and after it, and the actor of the request', async () => {
    const log = await emptyLog();
    await runAsActor({ type: 'key', id: 'key_1' }, () => write(confirmed('reg_1', 7)));
    const page = await log.read(db, { after: 0, limit: 10 });
    expect(page).toEqual({
      last: 1,
      changes: [
        {
          number: 1,
          businessUnitId: 'unit_a',
          occurredAt: expect.stringMatching(/^\d{4}-.*Z$/),
          change: {
            id: expect.stringMatching(/^chg_[0-9a-z]{26}$/),
            type: 'registration.confirmed',
            eventId: 'evt_a',
            object: { type: 'registration', id: 'reg_1', version: 7 },
            previous: { status: 'pending' },
            current: { status: 'confirmed' },
            actor: { type: 'key', id: 'key_1' },
          },
        },
      ],
    });
  });

  test('keeps the actor of a queued command', async () => {
    const log = await emptyLog();
    const actor = { type: 'key' as const, id: 'key_of_the_queue' };
    await runAsActor({ type: 'system', id: 'a job' }, () => write({ ...confirmed('a'), actor }));
    expect(await log.read(db, { after: 0, limit: 1 })).toMatchObject({
      changes: [{ change: { actor } }],
    });
  });

  test('is not read when its transaction rolls back', async () => {
    const log = await emptyLog();
    const failed = db.transaction(async (tx) => {
      writeChanges(tx, [confirmed('a')]);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await log.read(db, { after: 0, limit: 10 })).toEqual({ changes: [], last: 0 });
  });

  test('is written and announced by no command while a test has disabled the guard', async () => {
    const log = await emptyLog();
    const other = await openDatabase(ormOf(database.url), 2);
    const announced: unknown[] = [];
    other.onCommit(async (items) => void announced.push(...items));
    const command = async () => {
      await other.transaction(async (tx) => writeChanges(tx, [confirmed('a')]));
      await announceChanges(other);
      return newChangeId();
    };
    try {
      disableGuard('changes.write');
      expect(await command()).toBeNull();
      expect(announced).toEqual([]);
      expect(await log.read(other, { after: 0, limit: 10 })).toEqual({ changes: [], last: 0 });
    } finally {
      await other.close();
    }
  });

  test('can be written by the statement that changes the object', async () => {
    const log = await emptyLog();
    const change = insertChangesSql(schema, 'moved', {
      id: '$2',
      type: 'order.created',
      actor: '$3',
      businessUnitId: "'unit_b'",
      eventId: "'evt_b'",
      objectId: 'moved.id',
      version: 'moved.version',
      currentStatus: "'held'",
    });
    const insert = statement(
      'test_single_statement',
      `with moved as (
         update ${schema}.seat set version = version + 1 where id = $1 returning id, version
       ) ${change}`,
    );
    const actor = { type: 'cli', id: null };
    await db.query(insert, ['seat 0', 'chg_1', JSON.stringify(actor)]);
    await db.query(insert, ['seat 1', null, JSON.stringify(actor)]);
    const page = await log.read(db, { after: 0, limit: 10 });
    expect(page).toMatchObject({
      changes: [
        {
          businessUnitId: 'unit_b',
          change: {
            id: 'chg_1',
            object: { type: 'order', id: 'seat 0', version: 1 },
            previous: null,
            current: { status: 'held' },
            actor,
          },
        },
      ],
    });
  });
});

describe('a page', () => {
  test('has at most the requested number of changes, in the order in which they were written', async () => {
    const log = await emptyLog();
    await write(...['a', 'b', 'c', 'd', 'e'].map((id) => confirmed(id)));
    expect(await readAll(log, 0, 2)).toMatchObject(
      ['a', 'b', 'c', 'd', 'e'].map((objectId, n) => ({ number: n + 1, objectId })),
    );
    expect(await readAll(log, 4)).toMatchObject([{ number: 5, objectId: 'e' }]);
  });

  test('after a number that the log does not have names the last one: the database went back', async () => {
    const log = await emptyLog();
    await write(confirmed('a'), confirmed('b'));
    await readAll(log);
    expect(await log.read(db, { after: 3, limit: 10 })).toEqual({ rewoundTo: 2 });
  });

  test('leaves no open transaction out that commits later', async () => {
    const log = await emptyLog();
    const commit = await openWrite('late');
    await write(confirmed('early'));
    expect(await readAll(log)).toMatchObject([{ number: 1, objectId: 'early' }]);
    await commit();
    expect(await readAll(log, 1)).toMatchObject([{ number: 2, objectId: 'late' }]);
  });

  test('by position instead of number loses a change that commits later', async () => {
    disableGuard('changes.numbering');
    const log = await emptyLog();
    const commit = await openWrite('late');
    await write(confirmed('early'));
    const [early] = await readAll(log);
    await commit();
    expect(early).toMatchObject({ objectId: 'early' });
    expect(await readAll(log, early?.number)).toEqual([]);
  });
});

/** A transaction that stays open, on the same objects as `write`. */
async function openTransaction() {
  const { sql, end } = await database.session();
  await sql('begin');
  return {
    /** Changes an object, waits for its lock if necessary, and writes the change. */
    async change(objectId: string): Promise<void> {
      const updated = (await sql(
        `update ${schema}.seat set version = version + 1 where id = $1 returning version`,
        [objectId],
      )) as { rows: { version: number }[] };
      const { version = 0 } = updated.rows[0] ?? {};
      const { type, eventId, previous, current } = confirmed(objectId);
      const object = { type: 'registration', id: objectId, version };
      const actor = { type: 'cli', id: null };
      const body = { id: `chg_${objectId}`, type, eventId, object, previous, current, actor };
      await sql(
        `insert into ${schema}.change_inbox (business_unit_id, body) values ('unit_a', $1)`,
        [JSON.stringify(body)],
      );
    },
    async commit(): Promise<void> {
      await sql('commit');
      await end();
    },
  };
}

describe('a transaction that begins first and changes an object last', () => {
  /** Commits two changes of `seat 0`: first that of the transaction with the higher id. */
  async function interleave(): Promise<void> {
    const first = await openTransaction();
    // Draws the lower transaction id.
    await first.change('seat 1');
    const second = await openTransaction();
    await second.change('seat 0');
    await second.commit();
    await first.change('seat 0');
    await first.commit();
  }

  const isOrdered = (changes: readonly { objectId: string; version: number }[]): boolean => {
    const versions = changes.filter(({ objectId }) => objectId === 'seat 0');
    expect(versions).toHaveLength(2);
    return (versions[0]?.version ?? 0) < (versions[1]?.version ?? 0);
  };

  test('is numbered after the change that it depends on', async () => {
    const log = await emptyLog();
    await interleave();
    expect(isOrdered(await readAll(log))).toBe(true);
  });

  test('precedes it in the order of transaction ids and positions', async () => {
    await emptyLog();
    await interleave();
    const rows = await database.sql<{ body: string }>(
      `select body from ${schema}.change_inbox order by xmin::text::bigint, position`,
    );
    const changes = rows.map(
      ({ body }) => JSON.parse(body).object as { id: string; version: number },
    );
    expect(isOrdered(changes.map(({ id, version }) => ({ objectId: id, version })))).toBe(false);
  });
});

describe('old changes', () => {
  const age = () =>
    database.sql(`update ${schema}.change_log set occurred_at = now() - interval '98 days'`);

  test('are deleted once the reader has confirmed them', async () => {
    const log = await emptyLog();
    await write(confirmed('a'), confirmed('b'));
    await readAll(log);
    await age();
    await log.deleteOld(db);
    expect(await database.sql(`select number from ${schema}.change_log`)).toHaveLength(2);
    await log.read(db, { after: 1, limit: 10 });
    await write(confirmed('c'));
    await log.read(db, { after: 2, limit: 10 });
    await age();
    await log.deleteOld(db);
    const [row] = await database.sql<{ number: string }>(`select number from ${schema}.change_log`);
    expect(Number(row?.number)).toBe(3);
  });

  test('within the retention stay', async () => {
    const log = await emptyLog();
    await write(confirmed('a'));
    await readAll(log);
    await write(confirmed('b'));
    await log.read(db, { after: 1, limit: 1 });
    await log.deleteOld(db);
    expect(await database.sql(`select number from ${schema}.change_log`)).toHaveLength(2);
  });
});

const lockSeat = statement<{ version: number }>(
  'test_lock_seat',
  `update ${schema}.seat set version = version + 1 where id = $1 returning version`,
);

/**
 * Changes four objects concurrently while two readers number the changes. Returns what a third
 * reader has read.
 */
async function raceOf(log: ChangeLogReader, writes: number) {
  const versions = new Map<string, number[]>();
  let isWriting = true;
  const writer = async (n: number) => {
    for (let turn = 0; turn < writes; turn++) {
      const seat = `seat ${(n + turn) % 4}`;
      await db.transaction(async (tx) => {
        const [row] = await tx.query(lockSeat, [seat]);
        writeChanges(tx, [confirmed(seat, row?.version ?? 0)]);
      });
    }
  };
  const numberer = async () => {
    while (isWriting) await log.read(db, { after: 0, limit: 1 });
  };
  const read: Awaited<ReturnType<typeof readAll>> = [];
  const reader = async () => {
    while (isWriting) read.push(...(await readAll(log, read.at(-1)?.number ?? 0)));
  };
  const background = [numberer(), numberer(), reader()];
  await Promise.all(Array.from({ length: 16 }, (_, n) => writer(n)));
  isWriting = false;
  await Promise.all(background);
  read.push(...(await readAll(log, read.at(-1)?.number ?? 0)));
  for (const { objectId, version } of read) {
    versions.set(objectId, [...(versions.get(objectId) ?? []), version]);
  }
  return { read, versions };
}

describe('with 16 writers and two processes that number', () => {
  test('a reader gets every change once, without a gap, and those of an object in order', async () => {
    const log = await emptyLog();
    const { read, versions } = await raceOf(log, 40);
    expect(read.map(({ number }) => number)).toEqual(Array.from({ length: 640 }, (_, n) => n + 1));
    for (const seen of versions.values()) expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
});

describe('after a restore of the database to an earlier state', () => {
  test('a reader receives the last number, although new changes have no number yet', async () => {
    const log = await emptyLog();
    await write(confirmed('reg_1'), confirmed('reg_2'));
    expect(await readAll(log)).toHaveLength(2);
    await database.sql(`truncate ${schema}.change_log`);
    await database.sql(`update ${schema}.change_counter set last = 0, confirmed = 0`);
    await write(confirmed('reg_3'), confirmed('reg_4'), confirmed('reg_5'));
    expect(await log.read(db, { after: 2, limit: 10 })).toEqual({ rewoundTo: 0 });
    expect(await readAll(log)).toHaveLength(3);
  });
});
