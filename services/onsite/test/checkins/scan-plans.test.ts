import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { planSession } from '@event-api/platform/testing/plans';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findStoredScans,
  lockCheckinsAt,
  storeResults,
} from '../../src/checkins/offline/offline.queries.ts';
import { onsiteOrm } from '../../src/orm.ts';

const scope = { businessUnitId: 'unit_1', eventId: 'evt_1' };
const stored = 20_000;
const batch = 500;
const numbers = Array.from({ length: batch }, (_, n) => n * (stored / batch) + 1);
const scanIds = numbers.map((n) => `scan-${n}`);

type Read = Parameters<Awaited<ReturnType<typeof planSession>>['costOf']>[0];

const statements: Record<string, Read> = {
  'finding the results of scans': (db) => findStoredScans(db, scope, scanIds),
  'storing the results of scans': (db) =>
    storeResults(
      db as never,
      scope,
      scanIds.map((scanId) => ({ scanId, result: 'retry' })),
    ),
  'locking the check-ins at doors': (db) =>
    lockCheckinsAt(
      db as never,
      scope,
      numbers.map((n) => ({
        registrationId: `reg_${n}`,
        subjectType: 'event',
        subjectId: 'evt_1',
      })),
    ),
};

let database: TestDatabase;
let session: Awaited<ReturnType<typeof planSession>>;

// Devices report the first scans of an event when the statistics know none.
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql('create schema onsite');
  await migrate(onsiteOrm(database.url));
  session = await planSession(database);
  for (const read of Object.values(statements)) await session.costOf(read);
  await database.sql(
    `insert into onsite.scan (business_unit_id, event_id, source, scan_id, identity, subject_type, subject_id, decision, scanned_at,
       occurred_at)
     select 'unit_1', 'evt_1', 'dev_1', 'scan-' || n, 'identity', 'event', 'evt_1', 'admitted', now(), now()
     from generate_series(1, $1::int) n`,
    [stored],
  );
  await database.sql(
    `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id, method)
     select 'chk_' || n, 'unit_1', 'evt_1', 'reg_' || n, 'event', 'evt_1', 'scan' from generate_series(1, $1::int) n`,
    [stored],
  );
});
afterAll(async () => {
  await session?.end();
  await database?.drop();
});

test.each(Object.entries(statements))(
  '%s reads only the rows of the batch, with and without statistics',
  async (_what, read) => {
    expect((await session.costOf(read)).rows).toBeLessThanOrEqual(batch);
    await session.analyze();
    expect((await session.costOf(read)).rows).toBeLessThanOrEqual(batch);
  },
);
