import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { migrate } from '@event-api/platform/db/migrations';
import { eventually } from '@event-api/platform/testing/eventually';
import { nextRelease } from '@event-api/platform/testing/next-release';
import { provisionedUrls } from '@event-api/provisioning/provision';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackgroundLoad, type LoadedEvent, startLoad } from './background-load.ts';
import { expectStatus } from './fixtures/bus.ts';
import {
  createReplicasFixture,
  preStopMs,
  type ReplicasFixture,
  rolled,
} from './fixtures/replicas.ts';

const size =
  process.env.TEST_SIZE === 'full'
    ? { clients: 16, restMs: 20, pauseMs: preStopMs() }
    : { clients: 6, restMs: 50, pauseMs: preStopMs() / 20 };

let platform: ReplicasFixture;
beforeAll(async () => {
  platform = await createReplicasFixture();
});
afterAll(() => platform?.stop());

/** A load by clients with a key each, so that no limit is in the way. */
async function newLoad(options: { clients: number; restMs: number }): Promise<BackgroundLoad> {
  const units = await Promise.all(Array.from({ length: options.clients }, platform.bus.newUnit));
  const clients = units.map(({ at }) => at(platform.url));
  return startLoad(clients, options.restMs);
}

/** Waits until the load has got so many answers more: what came before was seen by it. */
async function waitForMoreResponses(load: BackgroundLoad, count: number): Promise<void> {
  const enough = load.responseCount() + count;
  await eventually(() => expect(load.responseCount()).toBeGreaterThan(enough));
}

/** A whole list: the status of each record, by its id. */
async function listOf({ call, path }: LoadedEvent, list: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor = ''; ; ) {
    const page = await expectStatus(call, ['GET', `${path}/${list}?limit=1000${cursor}`]);
    for (const { id, status } of page[list]) found.set(id, status);
    if (!page.nextCursor) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** What was acknowledged and is not there. */
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
    // Payments are told of by the provider, in its own time.
    await eventually(async () => expect(await lostOf(event)).toEqual([]));
  }
  const { checked, broken } = await checkInvariantsWhenIdle(platform.bus.database.url);
  expect(broken).toEqual({});
  expect(checked).toBeGreaterThan(10);
}

/** The first half of a release that changes tables: the columns come, and the processes that are there know nothing of them. */
async function expand(): Promise<void> {
  const { owner } = provisionedUrls(platform.bus.database.url);
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

test('a release is noticed by nobody: new columns, then each replica of each process ended and started', async () => {
  const load = await newLoad(size);
  await waitForMoreResponses(load, 50);
  await expand();
  await waitForMoreResponses(load, 200);
  expect(load.faults).toEqual([]);
  // As with the manifests of a whole release: the processes go side by side, the replicas of each one by one.
  await Promise.all(rolled.map((name) => platform.roll(name, size)));
  await waitForMoreResponses(load, 50);
  await load.stop();
  expect(load.faults).toEqual([]);
  await expectNothingLost(load);
  expect(platform.bus.alarms()).toEqual([]);
}, 300_000);

test('would be noticed if a replica were killed, although nobody new is sent to it, and if none were there', async () => {
  // Without a rest there is always something on its way.
  const load = await newLoad({ clients: 12, restMs: 0 });
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
