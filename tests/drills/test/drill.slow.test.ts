import { apiProcessNames } from '@event-api/contracts/topology';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drillOn, runDrill } from '../drill.ts';
import { type DrillEnvironment, startEnvironment } from '../environment/environment.ts';
import { createSales } from '../environment/sales.ts';
import { watchSeats } from '../environment/seats.ts';
import { clockFaults } from '../faults/clocks.ts';
import { keyFaults } from '../faults/keys.ts';
import { longStalls } from '../faults/processes.ts';
import { restoreFaults } from '../faults/restore.ts';
import { allFaults } from '../faults/schedule.ts';
import { namedDrill } from '../named.ts';
import { describeReport } from '../report.ts';

const seed = Number(process.env.SEED ?? 1);
const isFull = process.env.TEST_SIZE === 'full';
const seconds = isFull ? 180 : 60;

let environment: DrillEnvironment;

beforeAll(async () => {
  environment = await startEnvironment(() => {});
});
afterAll(() => environment?.close());

test(`the platform keeps all guarantees under random faults (SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  const options = { seed, seconds, calmMs: 600, minFaults: 6, say: () => {} };
  const report = await drillOn(environment, options);
  if (report.isBroken) console.log(describeReport(report));
  expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
  // Proves that the drill was effective: faults were injected, clients were active and seats were
  // sampled. A minute has about a dozen faults.
  expect(report.injectedFaults.length).toBeGreaterThanOrEqual(6);
  expect(report.totals.acknowledged).toBeGreaterThan(100);
  expect(report.totals.acknowledgements).toBeGreaterThan(100);
  expect(report.totals.sampleCount).toBeGreaterThan(50);
});

test.runIf(isFull)(
  'the platform keeps all guarantees when keys are replaced, databases restored, clocks shifted and services stalled',
  {
    timeout: 900_000,
  },
  async () => {
    const faults = [...keyFaults, ...restoreFaults, ...clockFaults, ...longStalls];
    const report = await drillOn(environment, { seed, seconds, faults, once: true, say: () => {} });
    if (report.isBroken) console.log(describeReport(report));
    expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
    expect(report.injectedFaults).toHaveLength(faults.length);
  },
);

test.runIf(isFull)(
  'no request fails while each process is released alone, from the previous release',
  { timeout: 900_000 },
  async () => {
    const report = await runDrill({ ...namedDrill('release'), seed, seconds, say: () => {} });
    if (report.isBroken) console.log(describeReport(report));
    expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
    expect(report.injectedFaults).toHaveLength(apiProcessNames.length);
  },
);

test('the drill detects violations when the guards are disabled', {
  timeout: 600_000,
}, async () => {
  const expected = [
    'each provider payment has at most one settlement',
    'a retried request has no effect of its own',
    'no request creates two orders',
    'an order beyond the limits is refused',
  ];
  const found = new Set<string>();
  // A slow machine repeats few requests in one round, so that not every round violates everything.
  for (let round = 0; round < 8 && !expected.every((title) => found.has(title)); round++) {
    const { findings } = await drillOn(environment, {
      seed: seed + round,
      seconds: 8,
      calmMs: 300,
      settleMs: 2000,
      without: ['order-lock', 'idempotency', 'order-limits'],
      faults: allFaults.filter(({ name }) => name === '100 concurrent notifications'),
      say: () => {},
    });
    for (const { title, isBroken } of findings) if (isBroken) found.add(title);
  }
  expect([...found]).toEqual(expect.arrayContaining(expected));
});

test('the copy of the feed differs when changes are read by their position', {
  timeout: 300_000,
}, async () => {
  const title = 'a copy that follows the feed equals the lists';
  let isFound = false;
  for (let round = 0; round < 8 && !isFound; round++) {
    const { findings } = await drillOn(environment, {
      seed: seed + round,
      seconds: 8,
      settleMs: 2000,
      without: ['change-numbering'],
      faults: allFaults.filter(({ name }) => name === 'redis stalled'),
      say: () => {},
    });
    isFound = findings.some((found) => found.title === title && found.isBroken);
  }
  expect(isFound).toBe(true);
});

test('the samples show an oversold group and an oversold add-on', {
  timeout: 120_000,
}, async () => {
  const [sale] = await createSales(environment);
  if (!sale) throw new Error('there is no sale');
  const { unitId, eventId, groups, types, addons } = sale;
  // Each type of the group has as many seats as it may have.
  const [hall] = groups;
  const full = types.filter(({ capacityGroupId }) => capacityGroupId === hall?.id);
  const taken = [...full, { id: addons.workshop, capacity: 13 }];
  const ending = new AbortController();
  const seats = watchSeats(environment, ending.signal);
  try {
    await eventually(async () => expect(seats.sampleCount()).toBeGreaterThan(0));
    const rows = taken.map(
      ({ id, capacity }) => `('${id}', '${unitId}', '${eventId}', ${capacity}, 1)`,
    );
    await environment.sql(`insert into registration.seat_ledger
      (ticket_type_id, business_unit_id, event_id, confirmed, version) values ${rows.join(', ')}`);
    await eventually(async () => {
      const ids = seats.oversold.map(({ now }) => now.id);
      expect(new Set(ids)).toEqual(new Set([hall?.id, addons.workshop]));
    });
  } finally {
    ending.abort();
    await seats.done;
    await environment.sql(`delete from registration.seat_ledger where event_id = '${eventId}'`);
  }
});
