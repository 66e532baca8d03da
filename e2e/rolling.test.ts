import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settledInvariants } from '../load-tests/invariants.ts';
import { must } from './given-bus.ts';
import { type GivenReplicas, givenReplicas, preStopMs, rolled } from './given-replicas.ts';
import { type LoadedEvent, type SteadyLoad, startLoad } from './steady-load.ts';

const isFull = process.env.TEST_SIZE === 'full';
const size = isFull
  ? { clients: 12, pauseMs: 5, preStopMs: preStopMs() }
  : { clients: Number(process.env.C), pauseMs: Number(process.env.P), preStopMs: preStopMs() / 20 };

let platform: GivenReplicas;
let load: SteadyLoad;

beforeAll(async () => {
  platform = await givenReplicas();
}, 120_000);
afterAll(() => platform?.stop());

/** A load by clients with a key each, so that no limit is in the way. */
async function newLoad(): Promise<SteadyLoad> {
  const units = await Promise.all(
    Array.from({ length: size.clients }, () => platform.bus.newUnit()),
  );
  return startLoad(
    units.map(({ at }) => at(platform.url)),
    size.pauseMs,
  );
}

/** The ids of a whole list. */
async function idsOf({ call, path }: LoadedEvent, list: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor = ''; ; ) {
    const page = await must(call, ['GET', `${path}/${list}?limit=1000${cursor}`]);
    for (const { id, status } of page[list]) found.set(id, status);
    if (!page.nextCursor) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** What was acknowledged and is not there. */
async function lost(event: LoadedEvent): Promise<string[]> {
  const { registrations, cancelled, paid, checkins } = event.acknowledged;
  const [people, orders, scans] = [
    await idsOf(event, 'registrations'),
    await idsOf(event, 'orders'),
    await idsOf(event, 'checkins'),
  ];
  return [
    ...registrations.filter((id) => !people.has(id)),
    ...cancelled.filter((id) => people.get(id) !== 'cancelled'),
    ...paid.filter((id) => orders.get(id) !== 'paid'),
    ...checkins.filter((id) => !scans.has(id)),
  ];
}

test('a roll-out of every process under load is not noticed by anybody', async () => {
  load = await newLoad();
  await Promise.all(rolled.map((name) => platform.roll(name, { pauseMs: size.preStopMs })));
  await load.stop();
  expect(load.faults).toEqual([]);
  console.log(load.answers());
  for (const event of load.events) {
    await eventually(async () => expect(await lost(event)).toEqual([]), 10_000);
  }
  expect((await settledInvariants(platform.bus.database.url)).broken).toEqual({});
}, 120_000);
