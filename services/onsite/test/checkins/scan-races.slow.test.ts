import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId } from '@event-api/platform/core/ids';
import { eventually } from '@event-api/platform/testing/eventually';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldScans } from '../../src/checkins/offline/delete-old.ts';
import { createTestEvent, createTestRegistration, succeeded, unique } from '../fixtures.ts';
import { startOnsite, type TestOnsite } from '../harness.ts';
import { startReplicaProcess } from '../replica-process.ts';

let onsite: TestOnsite;
beforeAll(async () => {
  onsite = await startOnsite({ replicas: 2 });
});
afterAll(() => onsite?.close());

interface Result {
  scanId: string;
  result: string;
}

const pathOf = ({ eventId }: EventScope) => `/v1/events/${eventId}/checkins`;
const scanOf = ({ registrationId }: { registrationId: string }) => ({
  ...{ scanId: unique('scan'), registrationId, subjectType: 'event', decision: 'admitted' },
  scannedAt: new Date().toISOString(),
});
type TestScan = ReturnType<typeof scanOf>;

const send = (call: HttpClient, scope: EventScope, scans: readonly TestScan[]) =>
  call('POST', `${pathOf(scope)}/batch`, { body: { sentAt: new Date().toISOString(), scans } });

async function deviceOf({ businessUnitId }: EventScope, id: string, n = 0, world = onsite) {
  const gateway = await world.callers.signer('gateway');
  const actor = { type: 'device', id } as const;
  const token = await gateway.sign({ audience: 'api', businessUnitId, actor });
  return httpClient(world.replica(n).apiUrl, { 'x-caller': token });
}

const createPeople = (world: TestOnsite, scope: EventScope, count: number) =>
  Promise.all(Array.from({ length: count }, () => createTestRegistration(world.sql, scope)));

/** What is stored of an event: rows, and the counts of its summary. */
async function stored(world: TestOnsite, scope: EventScope) {
  const [rows] = await world.sql<{ checkins: number; scans: number; unfinished: number }>(
    `select (select count(*)::int from onsite.checkin where event_id = $1) as checkins,
       (select count(*)::int from onsite.scan where event_id = $1) as scans,
       (select count(*)::int from onsite.scan where event_id = $1 and result is null) as unfinished`,
    [scope.eventId],
  );
  const call = await world.as(scope.businessUnitId);
  const { checkedIn, contested } = succeeded(await call('GET', `${pathOf(scope)}/summary`));
  const { checkins = 0, scans = 0, unfinished = 0 } = rows ?? {};
  return { checkins, scans, unfinished, checkedIn, contested };
}

/** Sends one batch ten times at once over two replicas. */
async function sendTenTimes(world: TestOnsite, people: number) {
  const scope = await createTestEvent(world);
  const scans = (await createPeople(world, scope, people)).map(scanOf);
  const devices = await Promise.all([0, 1].map((n) => deviceOf(scope, 'dev_1', n, world)));
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      send(devices[n % 2] as HttpClient, scope, n % 3 === 0 ? scans.toReversed() : scans),
    ),
  );
  return { scope, responses };
}

const byId = (response: TestResponse): Map<string, Result> =>
  new Map((succeeded(response).results as Result[]).map((each) => [each.scanId, each]));

test('a batch that is sent ten times at once is recorded once, and all responses are equal', async () => {
  const { scope, responses } = await sendTenTimes(onsite, 100);
  const [first, ...others] = responses.map(byId);
  for (const other of others) expect(other).toEqual(first);
  expect(new Set([...(first?.values() ?? [])].map(({ result }) => result))).toEqual(
    new Set(['recorded']),
  );
  expect(await stored(onsite, scope)).toEqual({
    ...{ checkins: 100, scans: 100, unfinished: 0, checkedIn: 100, contested: 0 },
  });
});

test('a batch that is sent ten times at once gives different results without the key of scans', async () => {
  const unguarded = await startOnsite({ replicas: 2 });
  try {
    await unguarded.sql('alter table onsite.scan drop constraint scan_pkey');
    const { scope } = await sendTenTimes(unguarded, 100);
    expect((await stored(unguarded, scope)).scans).toBeGreaterThan(100);
  } finally {
    await unguarded.close();
  }
});

test('batches of several devices, single scans and undos of the same badges leave exact counts', async () => {
  const scope = await createTestEvent(onsite);
  const people = await createPeople(onsite, scope, 40);
  const devices = await Promise.all(
    ['dev_1', 'dev_2', 'dev_3'].map((id, n) => deviceOf(scope, id, n)),
  );
  const call = await onsite.as(scope.businessUnitId, 1);
  const scanOnline = async ({ registrationId }: { registrationId: string }, n: number) => {
    const body = { registrationId, subjectType: 'event' };
    const response = await call('POST', pathOf(scope), { body });
    const { checkin } = succeeded(response, response.status === 200 ? 200 : 201);
    if (n % 4 > 0) return;
    const undo = `${pathOf(scope)}/${checkin.id}/undo`;
    succeeded(await call('POST', undo, { body: { reason: 'Race.' } }));
  };
  const results: Result[] = [];
  for (let round = 0; round < 4; round++) {
    const reports = devices.map(async (device, n) => {
      const order = n === 1 ? people.toReversed() : people;
      results.push(...succeeded(await send(device, scope, order.map(scanOf))).results);
    });
    await Promise.all([...reports, ...people.map(scanOnline)]);
  }
  const count = (word: string) => results.filter(({ result }) => result === word).length;
  expect(count('recorded') + count('already') + count('contested')).toBe(480);
  const { checkins } = succeeded(await call('GET', `${pathOf(scope)}?limit=1000`));
  const after = await stored(onsite, scope);
  expect(after).toMatchObject({ scans: 480, unfinished: 0, contested: count('contested') });
  expect(after.checkedIn).toBe(checkins.length);
  const registrations = checkins.map((one: { registrationId: string }) => one.registrationId);
  expect(new Set(registrations).size).toBe(checkins.length);
});

const insertCheckin = `insert into onsite.checkin (id, business_unit_id, event_id, registration_id, subject_type, subject_id,
    method, is_unconfirmed, version)
  values ($1, $2, $3, $4, 'event', $3, 'scan', false, 1)`;

/** Waits until a request waits for a lock in the statement with this name. */
const waitUntilBlocked = (name: string) =>
  eventually(async () => {
    const blocked = await onsite.sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%' || $1 || '%'`,
      [name],
    );
    expect(blocked).toHaveLength(1);
  }, 5000);

/**
 * A batch finds that the door of its third scan was passed meanwhile, while another request has
 * locked that check-in.
 */
async function raceWithCheckin(): Promise<void> {
  const scope = await createTestEvent(onsite);
  const people = await createPeople(onsite, scope, 3);
  const [first = '', second = '', third = ''] = people.map((one) => one.registrationId).sort();
  const rowOf = (registrationId: string) => [
    ...[newId('chk'), scope.businessUnitId, scope.eventId, registrationId],
  ];
  const [blocker, other] = [await onsite.database.session(), await onsite.database.session()];
  try {
    // The batch has found no check-in, and waits for the first one, which is not committed.
    await blocker.sql('begin');
    await blocker.sql(insertCheckin, rowOf(first));
    const batch = send(await deviceOf(scope, 'dev_1'), scope, people.map(scanOf));
    await waitUntilBlocked('checkins_insert_reported');
    // Meanwhile the third person is checked in, and that check-in is locked.
    const call = await onsite.as(scope.businessUnitId);
    const body = { registrationId: third, subjectType: 'event' };
    succeeded(await call('POST', pathOf(scope), { body }), 201);
    await other.sql('begin');
    const lock = 'select 1 from onsite.checkin where registration_id = $1 for no key update';
    await other.sql(lock, [third]);
    await blocker.sql('rollback');
    await waitUntilBlocked('checkins_of_doors');
    // A lock that the batch held would end this statement at once.
    await other.sql(`set local lock_timeout = '1ms'`);
    await other.sql(insertCheckin, rowOf(second));
    await other.sql('commit');
    const results = byId(await batch);
    expect([...results.values()].map(({ result }) => result).toSorted()).toEqual([
      'contested',
      'contested',
      'recorded',
    ]);
  } finally {
    await blocker.end();
    await other.end();
  }
}

test('a batch that waits for the check-in of another scan holds no check-in that this scan could wait for', async () => {
  // A request waits two seconds for a lock. On a busy machine, the steps of the race may take
  // longer.
  await eventually(raceWithCheckin, 90_000);
});

test('batches that are sent again after a kill record each scan once', async () => {
  const scope = await createTestEvent(onsite);
  const people = await createPeople(onsite, scope, 400);
  const batches = Array.from({ length: 20 }, (_, n) =>
    people.slice(n * 20, n * 20 + 20).map(scanOf),
  );
  const victim = await startReplicaProcess(onsite);
  const doomed = await victim.as(scope.businessUnitId);
  let responses = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, lane) => {
      for (const batch of batches.filter((_, n) => n % 4 === lane)) {
        const response = await send(doomed, scope, batch).catch(() => null);
        if (response === null) return;
        responses += 1;
        if (responses === 6) victim.kill();
      }
    }),
  );
  expect(await victim.ended).toBe('SIGKILL');
  expect(responses).toBeLessThan(batches.length);
  const call = await onsite.as(scope.businessUnitId);
  for (const batch of batches) {
    const results = [...byId(await send(call, scope, batch)).values()];
    expect(results.map(({ result }) => result)).toEqual(batch.map(() => 'recorded'));
  }
  expect(await stored(onsite, scope)).toEqual({
    ...{ checkins: 400, scans: 400, unfinished: 0, checkedIn: 400, contested: 0 },
  });
});

test('a scan is deleted after 90 days, and its repeat is then already there', async () => {
  const scope = await createTestEvent(onsite);
  const scans = (await createPeople(onsite, scope, 2)).map(scanOf);
  const device = await deviceOf(scope, 'dev_1');
  succeeded(await send(device, scope, scans));
  await onsite.sql(
    `update onsite.scan set created_at = now() - case when scan_id = $1 then interval '91 days' else interval '89 days' end
     where event_id = $2`,
    [scans[0]?.scanId, scope.eventId],
  );
  await deleteOldScans(onsite.replica(0).db, new AbortController().signal);
  const [old, recent] = succeeded(await send(device, scope, scans)).results;
  expect([old.result, recent.result]).toEqual(['already', 'recorded']);
});
