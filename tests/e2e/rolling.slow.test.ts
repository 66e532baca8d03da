import { apiProcessNames, type ProcessName, schemas } from '@event-api/contracts/topology';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { migrate } from '@event-api/platform/db/migrations';
import { eventually } from '@event-api/platform/testing/eventually';
import { nextRelease } from '@event-api/platform/testing/next-release';
import { provisionedUrls } from '@event-api/provisioning/database-roles';
import { migrateProcess } from '@event-api/tools/platform/prepare-database';
import { currentSource } from '@event-api/tools/platform/process-source';
import { readBaseline } from '@event-api/tools/release/baseline';
import { checkOutRelease, hasRevision } from '@event-api/tools/release/previous-release';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BackgroundLoad, LoadedEvent } from './background-load.ts';
import { expectStatus } from './fixtures/bus.ts';
import { createReplicasFixture, preStopMs, type ReplicasFixture } from './fixtures/replicas.ts';
import { expectNoFaults, newLoad, waitForMoreResponses } from './replica-load.ts';

const isFull = process.env.TEST_SIZE === 'full';
const size = isFull
  ? { clients: 16, restMs: 20, pauseMs: preStopMs() }
  : { clients: 6, restMs: 50, pauseMs: preStopMs() / 20 };

// A clone without the commit of the previous release rolls from the current release to itself.
const { revision } = readBaseline();
let platform: ReplicasFixture;
/** The processes of the previous release. One that a release adds has no replicas to replace. */
let running: readonly ProcessName[];
beforeAll(async () => {
  const previous = hasRevision(revision) ? await checkOutRelease(revision) : undefined;
  running = (previous ?? currentSource).topology
    .map(({ name }) => name)
    .filter((name) => apiProcessNames.includes(name));
  platform = await createReplicasFixture({ source: previous });
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
  const { checked, broken } = await checkInvariantsWhenIdle(platform.bus.database.urls);
  expect(broken).toEqual({});
  expect(checked).toBeGreaterThan(10);
}

const migrateAs = (name: ProcessName) =>
  migrateProcess(platform.bus.database.urls, name, new AbortController().signal);

/**
 * Applies the expanding migration of a release. The running processes do not know the new columns.
 */
async function expand(): Promise<void> {
  const ownerOf = (name: ProcessName) =>
    provisionedUrls(platform.bus.database.urls[name], schemas).owner;
  const applied = await Promise.all([
    migrate(
      nextRelease(
        { url: ownerOf('registration'), schema: 'registration' },
        'alter table registration.registration add column note text',
        "alter table registration.registration add column channel text not null default 'api'",
      ),
    ),
    migrate(
      nextRelease(
        { url: ownerOf('onsite'), schema: 'onsite' },
        'alter table onsite.checkin add column note text',
        "alter table onsite.checkin add column device text not null default 'unknown'",
      ),
    ),
  ]);
  expect(applied.map(({ length }) => length)).toEqual([1, 1]);
}

// Each process in the full size, onsite alone otherwise.
const released: readonly ProcessName[] = isFull ? apiProcessNames : ['onsite'];
test.each(released)(
  'a release of %s alone causes no failed request',
  async (name) => {
    const load = await newLoad(platform, size);
    await waitForMoreResponses(load, 50);
    await migrateAs(name);
    await waitForMoreResponses(load, 50);
    expectNoFaults(load, platform);
    await platform.roll(name, { ...size, source: currentSource });
    await waitForMoreResponses(load, 50);
    await load.stop();
    expectNoFaults(load, platform);
    await expectNothingLost(load);
  },
  300_000,
);

test('a release of all processes with new columns causes no failed request', async () => {
  const load = await newLoad(platform, size);
  await waitForMoreResponses(load, 50);
  for (const name of apiProcessNames) await migrateAs(name);
  await expand();
  await waitForMoreResponses(load, 200);
  expectNoFaults(load, platform);
  // As in a full rollout: processes in parallel, the replicas of each one after the other.
  await Promise.all(running.map((name) => platform.roll(name, { ...size, source: currentSource })));
  await waitForMoreResponses(load, 50);
  await load.stop();
  expectNoFaults(load, platform);
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
