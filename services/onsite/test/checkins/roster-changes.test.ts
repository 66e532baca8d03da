import { setTimeout as delay } from 'node:timers/promises';
import type { RosterBadge } from '@event-api/contracts/http/roster';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Snapshot } from '@event-api/contracts/messages/snapshot';
import { newId } from '@event-api/platform/core/ids';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import type { StreamConnection } from '@event-api/platform/messaging/bus/connect';
import { decodeMessages } from '@event-api/platform/messaging/projections/decode';
import { createProjectionQueries } from '@event-api/platform/messaging/projections/projections.queries';
import { createProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { resync } from '@event-api/platform/messaging/projections/resync';
import { writeBatch } from '@event-api/platform/messaging/projections/write-batch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onsiteOrm } from '../../src/orm.ts';
import { registrationProjection } from '../../src/projections/registration.projection.ts';
import { createTestEvent, succeeded } from '../fixtures.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';

const changes = process.env.TEST_SIZE === 'full' ? 10_000 : 500;
const projections = [registrationProjection];
const streamCreatedAt = '2027-01-01T00:00:00Z';
const queries = createProjectionQueries('onsite');
const checkpointAt = (seq: number) => ({
  ...{ seq, streamCreatedAt, lastMessageHash: '', schemaFingerprint: 'columns', origins: {} },
});

let onsite: TestOnsite;
let db: Database;
beforeAll(async () => {
  onsite = await startOnsite({ replicas: 2 });
  db = await openDatabase(onsiteOrm(onsite.database.url), 6);
  await queries.readCheckpoint(db);
});
afterAll(async () => {
  await db?.close();
  await onsite?.close();
});

const random = (below: number): number => Math.floor(Math.random() * below);

/** Registration, as far as its snapshots go: the records, and the stream of their messages. */
function createOwner({ businessUnitId, eventId }: EventScope) {
  const records = new Map<string, Snapshot>();
  const messages: { seq: number; subject: string; data: string }[] = [];
  let version = 0;
  const snapshotOf = (aggregateId: string, data: object): Snapshot => {
    version += 1;
    return {
      ...{ id: newId('msg'), type: 'registration.registration', businessUnitId, eventId },
      ...{ aggregateId, version, occurredAt: '2027-01-01T00:00:00Z', data: { ...data } },
    };
  };
  const publish = (...snapshots: Snapshot[]) => {
    const data = JSON.stringify(snapshots);
    messages.push({ seq: messages.length + 1, subject: 'snapshot.registration', data });
  };
  const dataOf = (id: string) => ({
    ...{ status: 'confirmed', type: 'standard', checkinCode: `CHK-${id}`, ticketTypeId: null },
    ...{ replacedCheckinCodes: [], addonIds: [], redemptionCodeId: null, grantedPerkIds: [] },
    ...{ name: 'Ada', ...records.get(id)?.data },
  });
  const create = (): string => {
    const id = newId('reg');
    records.set(id, snapshotOf(id, dataOf(id)));
    return id;
  };
  /**
   * Creates or changes a random record. A few messages change nothing, and a few contain an invalid
   * snapshot.
   */
  const change = (): Snapshot => {
    const ids = [...records.keys()];
    const id = ids[random(ids.length + 20)] ?? newId('reg');
    const data = dataOf(id);
    const changed = [
      { ...data, status: random(2) ? 'cancelled' : 'confirmed' },
      { ...data, name: `Ada ${random(1000)}` },
      {
        ...data,
        checkinCode: `CHK-${id}-${random(1000)}`,
        replacedCheckinCodes: [data.checkinCode],
      },
      { ...data, grantedPerkIds: [`perk_${random(9)}`] },
      data,
    ][random(5)] as object;
    const snapshot = snapshotOf(id, changed);
    records.set(id, snapshot);
    const invalid = snapshotOf(newId('reg'), { ...data, name: 'a\0b' });
    publish(...(random(25) === 0 ? [invalid, snapshot] : [snapshot]));
    return snapshot;
  };
  return { records, messages, create, change };
}

type Owner = ReturnType<typeof createOwner>;

/**
 * One turn of a projector: it applies the next messages, unless another one was faster or its
 * connection is killed.
 */
async function applyNext({ messages }: Owner): Promise<void> {
  const from = await queries.readCheckpoint(db);
  if (from.schemaFingerprint !== 'columns') return;
  const batch = messages.slice(from.seq, from.seq + 1 + random(12));
  const last = batch.at(-1);
  if (!last) return;
  const decoded = decodeMessages(
    batch.map((message) => ({ ...message, lineages: [] }) as never),
    projections,
  );
  await writeBatch(
    { db, queries, projections },
    { ...decoded, from, to: checkpointAt(last.seq), conflictPolicy: 'newest' },
  );
}

/** Rebuilds the projection from its owner. */
async function rebuild({ records, messages }: Owner): Promise<void> {
  await queries.requestResync(db);
  const streams = {
    info: async () => ({ state: { last_seq: messages.length }, created: streamCreatedAt }),
    getMessage: async () => null,
  };
  const stream = { streamCreatedAt, manager: { streams } } as unknown as StreamConnection;
  await resync({
    ...{ db, stream, projections, queries, from: await queries.readCheckpoint(db) },
    snapshotClients: {
      registration: {
        page: async () => ({
          snapshots: [...records.values()].toSorted((a, b) =>
            a.aggregateId < b.aggregateId ? -1 : 1,
          ),
          next: null,
        }),
        read: async () => null,
        lineage: async () => ({ lineage: 'one', previousLineage: null }),
      },
    },
    ownerLineages: { read: async () => ({}) } as never,
    isCheckpointValid: true,
    schemaFingerprint: 'columns',
    signal: new AbortController().signal,
    onDeadLetter: () => {},
  });
}

const keyed = (badges: readonly RosterBadge[]) =>
  badges.map((badge) => [badge.registrationId, badge] as const);

/** A device that keeps the roster. It reads everything once, and again after a 412. */
async function createDevice(scope: EventScope, replica: number, limit: number) {
  const call = await onsite.as(scope.businessUnitId, replica);
  const badges = new Map<string, RosterBadge>();
  let cursor: string | null = null;
  const device = {
    badges,
    expired: 0,
    removed: 0,
    hasCursor: () => cursor !== null,
    /** Reads a page and returns whether there are more. */
    async read(): Promise<boolean> {
      const query = `limit=${limit}&include=names${cursor ? `&cursor=${cursor}` : ''}`;
      const response = await call('GET', `/v1/events/${scope.eventId}/checkins/roster?${query}`);
      if (response.status === 503) return true;
      if (response.status === 412) {
        device.expired += 1;
        badges.clear();
        cursor = null;
        return true;
      }
      const page = succeeded(response);
      for (const badge of page.badges) {
        if (badge.removed) badges.delete(badge.registrationId);
        else badges.set(badge.registrationId, badge);
        device.removed += badge.removed ? 1 : 0;
      }
      cursor = page.nextCursor;
      return page.hasMore;
    },
  };
  return device;
}

describe('a device that reads only what has changed', () => {
  test(`has the whole roster after ${changes} changes, with killed connections and a rebuild`, async () => {
    const scope = await createTestEvent(onsite);
    const owner = createOwner(scope);
    await queries.advance(db, await queries.readCheckpoint(db), checkpointAt(0));
    let isRunning = true;
    const failures: unknown[] = [];
    const loop = async (act: () => Promise<unknown>, pauseMs: number) => {
      while (isRunning) {
        // Another projector was faster, or the connection was killed: the next turn continues.
        await act().catch((error: unknown) => failures.push(error));
        await delay(random(pauseMs));
      }
    };
    let trust: 'confirmed' | 'different' = 'confirmed';
    const refresher = createProjectionRefresher({
      db,
      projections,
      trust: { statusOf: async () => trust },
      snapshotClients: {
        registration: {
          read: async () => null,
          page: async () => ({ snapshots: [], next: null }),
          lineage: async () => ({ lineage: 'one', previousLineage: null }),
        },
      },
    });
    const recent: Snapshot[] = [];
    const refresh = async () => {
      const snapshot = recent.at(-1 - random(3));
      if (!snapshot) return;
      trust = random(8) === 0 ? 'different' : 'confirmed';
      // The owner of an unconfirmed record has lost it.
      const { type, businessUnitId, aggregateId: id } = snapshot;
      if (trust === 'different') await refresher.refresh([{ type, businessUnitId, id }]);
      else await refresher.store([snapshot]);
    };
    const kill = () =>
      onsite.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and query like '%projection%' order by random() limit 1`,
      );
    const devices = await Promise.all(
      [3, 7, 1000].map((limit, n) => createDevice(scope, n, limit)),
    );
    const running = [
      ...[1, 2].map(() => loop(() => applyNext(owner), 6)),
      ...[1, 2].map(() => loop(refresh, 12)),
      ...devices.map((device) => loop(device.read, 10)),
      loop(kill, 200),
    ];
    for (let n = 0; n < changes; n++) {
      recent.push(owner.change());
      if (n % 4 === 0) await delay(1);
      if (n !== changes / 2) continue;
      // The cursor of a device expires only if it has one by now.
      await expect.poll(() => devices.every((device) => device.hasCursor())).toBe(true);
      await retried(() => rebuild(owner));
    }
    await expect
      .poll(async () => (await queries.readCheckpoint(db).catch(() => null))?.seq)
      .toBe(owner.messages.length);
    isRunning = false;
    await Promise.all(running);
    expect(failures.length).toBeGreaterThan(0);
    const whole = await createDevice(scope, 0, 1000);
    for (const device of [...devices, whole]) while (await device.read());
    expect(whole.badges.size).toBeGreaterThan(changes / 50);
    for (const { badges, expired } of devices) {
      expect(expired).toBeGreaterThan(0);
      expect(new Map([...badges].toSorted())).toEqual(
        new Map(keyed([...whole.badges.values()]).toSorted()),
      );
    }
  });

  test('gets a change that commits late, which a cursor over the time of change misses', async () => {
    const scope = await createTestEvent(onsite);
    const owner = createOwner(scope);
    const [late, other] = [owner.create(), owner.create()];
    const from = await queries.readCheckpoint(db);
    await db.transaction(async (tx) => {
      await queries.advance(tx, from, checkpointAt(from.seq + 1));
      for (const snapshot of owner.records.values()) {
        await registrationProjection.upsert(tx, [snapshot]);
      }
    });
    await onsite.sql('create table test_times (id text, changed_at timestamptz)');
    await onsite.sql(
      `create function test_time() returns trigger as $$ begin
         insert into test_times values (new.id, clock_timestamp()); return null;
       end; $$ language plpgsql`,
    );
    await onsite.sql(
      'create trigger test_time after update on onsite.registration_projection for each row execute function test_time()',
    );
    let readUntil = '-infinity';
    const readByTime = async () => {
      const rows = await onsite.sql<{ id: string; changed_at: string }>(
        'select id, changed_at::text from test_times where changed_at > $1 order by changed_at',
        [readUntil],
      );
      readUntil = rows.at(-1)?.changed_at ?? readUntil;
      return rows.map(({ id }) => id);
    };
    const device = await createDevice(scope, 0, 1000);
    while (await device.read());
    const cancel = `update onsite.registration_projection set status = 'cancelled' where id = $1`;
    const session = await onsite.database.session();
    try {
      await session.sql('begin');
      await session.sql(cancel, [late]);
      await onsite.sql(cancel, [other]);
      await device.read();
      expect(device.badges.get(other)?.status).toBe('cancelled');
      expect(device.badges.get(late)?.status).not.toBe('cancelled');
      expect(await readByTime()).toEqual([other]);
      // The checkpoint waits for the change that is not committed.
      const at = checkpointAt(from.seq + 1);
      const advanced = queries.advance(db, at, checkpointAt(at.seq + 1));
      await expect
        .poll(() => onsite.sql(`select 1 from pg_locks where not granted`))
        .toHaveLength(1);
      await device.read();
      await session.sql('commit');
      await advanced;
    } finally {
      await session.end();
    }
    await device.read();
    expect(device.badges.get(late)?.status).toBe('cancelled');
    expect(await readByTime()).toEqual([]);
    expect((await onsite.sql('select id from test_times')).map(({ id }) => id)).toContain(late);
  });
});

async function retried(act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act();
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await delay(20);
    }
  }
}
