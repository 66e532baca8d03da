import type { Database } from '@event-api/platform/db/database';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { expect, test } from 'vitest';
import { createCheckinQueues } from './batch.ts';
import type { DoorLookup } from './queries.ts';

/** Records the events of each batch, and completes it at once or, for the first one, when `release` is called. */
function recordBatches() {
  const batches: string[][] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const db: Pick<Database, 'query' | 'committed' | 'omitsChanges'> = {
    async committed() {},
    omitsChanges: () => false,
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
