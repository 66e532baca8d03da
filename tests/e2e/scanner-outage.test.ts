import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import type { ScannerPlatform } from './scanner/event.ts';
import { playRun, prepareRun } from './scanner/random-run.ts';

/** It takes minutes, so it runs with `npm run test:full`. */
const isFull = process.env.TEST_SIZE === 'full';
const rounds = 4;
const runsAtOnce = 5;
/** Steps of the runs between two changes of registration. */
const stepsPerChange = 4;

let bus: BusFixture;
let browser: Browser;
let platform: ScannerPlatform;
beforeAll(async () => {
  if (!isFull) return;
  [bus, browser] = await Promise.all([createBusFixture({ withConsole: true }), sharedBrowser()]);
  platform = { baseUrl: bus.gatewayUrl, operator: bus.operator, newUnit: bus.newKey };
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  await bus?.stop();
});

test.runIf(isFull).each(Array.from({ length: rounds }, (_, index) => 5000 + index * runsAtOnce))(
  'while registration is killed again and again, everybody who was let in is inside once (seeds from %i)',
  async (firstSeed) => {
    const seeds = Array.from({ length: runsAtOnce }, (_, index) => firstSeed + index);
    const runs = await Promise.all(seeds.map((seed) => prepareRun({ platform, browser }, seed)));
    let steps = 0;
    let isOver = false;
    const played = Promise.all(runs.map((run) => playRun(run, () => void steps++))).finally(() => {
      isOver = true;
    });
    const reach = (count: number) => eventually(() => expect(isOver || steps >= count).toBe(true));
    let kills = 0;
    const kill = async () => {
      while (!isOver) {
        await bus.processes.stop('registration', 'SIGKILL');
        kills += 1;
        await reach(steps + stepsPerChange);
        await bus.processes.restart('registration');
        await reach(steps + stepsPerChange);
      }
    };
    await Promise.all([played, kill()]);
    expect(kills).toBeGreaterThan(2);
  },
);
