import type { Database } from '@event-api/platform/db/database';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { expect, test } from 'vitest';
import { createCheckinQueues } from './batch.ts';
import type { DoorLookup } from './checkins.queries.ts';
import type { NewCheckin } from './insert.ts';

/**
 * Records the events of each batch, and completes it at once or, for the first one, when `release`
 * is called.
 */
function recordBatches() {
  const batches: string[][] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const db: Pick<Database, 'query' | 'committed'> = {
    async committed() {},
    async query(_statement, values = []) {
      const eventIds = values[1] as string[];
      batches.push(eventIds);
      if (batches.length === 1) await promise;
      return eventIds.map(() => ({ id: null, own: [], ofVenue: [] })) as never;
    },
  };
  return { db, batches, release };
}

const scanOf = (eventId: string, n: number): DoorLookup => ({
  businessUnitId: 'unit_1',
  eventId,
  checkinCode: `CHK-${n}`,
  subjectType: 'event',
  subjectId: eventId,
});

test('a scan is in the next batch, however many scans of another event wait', async () => {
  const { db, batches, release } = recordBatches();
  const { read } = createCheckinQueues(db, createMetrics('onsite'));
  const first = read(scanOf('busy', 0));
  await expect.poll(() => batches.length).toBe(1);
  const busy = Array.from({ length: 1000 }, (_, n) => read(scanOf('busy', n + 1)));
  const calm = read(scanOf('calm', 0));
  release();
  await Promise.all([first, calm, ...busy]);
  expect(batches[1]).toHaveLength(256);
  expect(batches.findIndex((eventIds) => eventIds.includes('calm'))).toBe(1);
});

/**
 * A database in which the check-in of another request is undone each time before it can be read,
 * `times` times.
 */
function undoBeforeReads(times: number) {
  let inserts = 0;
  const row = { id: 'chk_1', registrationId: 'reg_1', subjectType: 'event', subjectId: 'evt_1' };
  const db: Pick<Database, 'query' | 'committed'> = {
    async committed() {},
    async query(statement) {
      const isInsert = statement.text.includes('insert into onsite.checkin ');
      if (isInsert) inserts += 1;
      return (isInsert && inserts > times ? [row] : []) as never;
    },
  };
  return { db, inserts: () => inserts };
}

const checkin: NewCheckin = {
  ...{ id: 'chk_1', businessUnitId: 'unit_1', eventId: 'evt_1', registrationId: 'reg_1' },
  ...{ subjectType: 'event', subjectId: 'evt_1', method: 'scan', isUnconfirmed: false },
  source: { id: 'key_1', deviceId: null },
  codeHash: 'hash',
  ...{ change: { id: null, actor: { type: 'key', id: 'key_1' } }, audited: null },
};

test('an insert is repeated if its conflicting check-in was undone before it was read', async () => {
  const { db, inserts } = undoBeforeReads(2);
  const { write } = createCheckinQueues(db, createMetrics('onsite'));
  expect(await write(checkin)).toMatchObject({ checkin: { id: 'chk_1' }, alreadyCheckedIn: false });
  expect(inserts()).toBe(3);
});

test('an insert is given up after five conflicts with check-ins that are undone', async () => {
  const { db, inserts } = undoBeforeReads(100);
  const { write } = createCheckinQueues(db, createMetrics('onsite'));
  await expect(write(checkin)).rejects.toThrow('failed to write or find a check-in');
  expect(inserts()).toBe(5);
});
