import type { EventScope } from '@event-api/contracts/internal/scope';
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
    const { checkin } = (await call('POST', pathOf(scope), { body })).body;
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
