import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { StreamStateRow } from '../../src/messaging/outbox/rewind.ts';
import { createStreamStateQueries } from '../../src/messaging/outbox/stream-state.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { postgresUrl } from '../../testing/servers.ts';
import { createTables, ormOf } from './items.ts';

let database: TestDatabase;
let db: Database;
let state: StreamStateRow;
const queries = createStreamStateQueries('catalog');

beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await createTables(database);
  db = await openDatabase(ormOf(database.url, 'catalog'), 2);
});
beforeEach(async () => {
  await database.sql('delete from catalog.stream_state; delete from catalog.outbox_message');
  state = { ...(await queries.read(db)), incarnation: 'first', confirmedSeq: 10 };
  await database.sql("update catalog.stream_state set incarnation = 'first', confirmed_seq = 10");
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

describe('the stream state', () => {
  test('never confirms a lower sequence than before', async () => {
    expect(await queries.confirm(db, state, 8)).toEqual({ ...state, confirmedSeq: 10 });
    expect(await queries.confirm(db, state, 12)).toEqual({ ...state, confirmedSeq: 12 });
  });

  const changes: [string, Partial<StreamStateRow>][] = [
    ['lineage', { lineage: randomUUID() }],
    ['incarnation', { incarnation: 'another' }],
    ['confirmed sequence', { confirmedSeq: 9 }],
  ];

  test.each(changes)(
    'does not follow another stream when its %s has changed meanwhile',
    async (_, change) => {
      const to = { incarnation: 'new', confirmedSeq: 3 };
      expect(await queries.follow(db, { ...state, ...change }, to)).toBeNull();
      expect(await queries.read(db)).toEqual(state);
    },
  );

  test('follows another stream from the sequence given, also a lower one', async () => {
    const to = { incarnation: 'new', confirmedSeq: 3 };
    expect(await queries.follow(db, state, to)).toEqual({ ...state, ...to });
  });

  test.each(changes.slice(0, 2))(
    'confirms nothing when its %s has changed meanwhile',
    async (_, change) => {
      expect(await queries.confirm(db, { ...state, ...change }, 12)).toBeNull();
      expect(await queries.read(db)).toEqual(state);
    },
  );

  test('gets one new lineage and one marker when two processes replace it', async () => {
    const next = () => ({ ...state, lineage: randomUUID() });
    const markers = await Promise.all([
      queries.renew(db, state, next(), '[]'),
      queries.renew(db, state, next(), '[]'),
    ]);
    expect(markers.filter((marker) => marker !== null)).toHaveLength(1);
    const rows = await database.sql(
      'select id from catalog.outbox_message where stream_seq is null',
    );
    expect(rows).toHaveLength(1);
  });
});
