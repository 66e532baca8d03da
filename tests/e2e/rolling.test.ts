import { processNames, schemas } from '@event-api/contracts/topology';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { migrate } from '@event-api/platform/db/migrations';
import { eventually } from '@event-api/platform/testing/eventually';
import { nextRelease } from '@event-api/platform/testing/next-release';
import { provisionedUrls } from '@event-api/provisioning/database-roles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackgroundLoad, LoadedEvent } from './background-load.ts';
import { expectStatus } from './fixtures/bus.ts';
import { createReplicasFixture, preStopMs, type ReplicasFixture } from './fixtures/replicas.ts';
import { newLoad, waitForMoreResponses } from './replica-load.ts';

const size =
  process.env.TEST_SIZE === 'full'
    ? { clients: 16, restMs: 20, pauseMs: preStopMs() }
    : { clients: 6, restMs: 50, pauseMs: preStopMs() / 20 };

let platform: ReplicasFixture;
beforeAll(async () => {
  platform = await createReplicasFixture();
});
afterAll(() => platform?.stop());

/** Returns the status of all records of a list by id. */
async function listOf({ call, path }: LoadedEvent, list: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor = ''; ; ) {
    const page = await expectStatus(call, ['GET', `${path}/${list}?limit=1000${cursor}`]);
    for (const { id, status } of page[list]) found.set(id, status);
    if (!page.nextCursor) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** Returns acknowledged records that do not exist in the acknowledged state. */
async function lostOf(event: LoadedEvent): Promise<string[]> {
  const { registrations, cancelled, paid, checkins } = event.acknowledged;
  const people = await listOf(event, 'registrations');
  const orders = await listOf(event, 'orders');
  const scans = await listOf(event, 'checkins');
  return [
    ...registrations.filter((id) => !people.has(id)),
    ...cancelled.filter((id) => people.get(id) !== 'cancelled'),
    ...paid.filter((id) => orders.get(id) !== 'paid'),
    ...checkins.filter((id) => !scans.has(id)),
  ];
}

async function expectNothingLost({ events }: BackgroundLoad): Promise<void> {
  for (const event of events) {
    expect(event.acknowledged.checkins.length).toBeGreaterThan(0);
    // The provider notifies payments with a delay.
    await eventually(async () => expect(await lostOf(event)).toEqual([]));
  }
  const { checked, broken } = await checkInvariantsWhenIdle(platform.bus.database.url);
  expect(broken).toEqual({});
  expect(checked).toBeGreaterThan(10);
}

/**
 * Applies the expanding migration of a release. The running processes do not know the new columns.
 */
async function expand(): Promise<void> {
  const { owner } = provisionedUrls(platform.bus.database.url, schemas);
  const applied = await Promise.all([
    migrate(
      nextRelease(
        { url: owner, schema: 'registration' },
        'alter table registration.registration add column note text',
        "alter table registration.registration add column channel text not null default 'api'",
      ),
    ),
    migrate(
      nextRelease(
        { url: owner, schema: 'onsite' },
        'alter table onsite.checkin add column note text',
        "alter table onsite.checkin add column device text not null default 'unknown'",
      ),
    ),
  ]);
  expect(applied.map(({ length }) => length)).toEqual([1, 1]);
}

test('a release with new columns and restarted replicas causes no failed request', async () => {
  const load = await newLoad(platform, size);
  await waitForMoreResponses(load, 50);
  await expand();
  await waitForMoreResponses(load, 200);
  expect(load.faults).toEqual([]);
  // As in a full rollout: processes in parallel, the replicas of each one after the other.
  await Promise.all(processNames.map((name) => platform.roll(name, size)));
  await waitForMoreResponses(load, 50);
  await load.stop();
  expect(load.faults).toEqual([]);
  await expectNothingLost(load);
  expect(platform.bus.alarms()).toEqual([]);
}, 300_000);

test('a killed replica and a missing service cause failed requests', async () => {
  // Without a pause, requests are always in progress.
  const load = await newLoad(platform, { clients: 12, restMs: 0 });
  const got = () => load.faults.map((fault) => fault.got).join('\n');
  await waitForMoreResponses(load, 50);
  await platform.kill('gateway', size.pauseMs);
  await eventually(() => expect(got()).toMatch(/other side closed|ECONNRESET/));
  for (const replica of ['commerce', 'commerce 2']) {
    await platform.bus.processes.stop(replica, 'SIGKILL');
  }
  await eventually(() => expect(got()).toMatch(/^503/m));
  await load.stop();
});
