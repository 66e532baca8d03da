import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { playRun, prepareRun } from './scanner/random-run.ts';

const runs = process.env.TEST_SIZE === 'full' ? 200 : 5;

let platform: PlatformFixture;
let browser: Browser;
beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

test.concurrent.each(Array.from({ length: runs }, (_, index) => 1000 + index))(
  'after random scans, undos and lost networks of two devices at one door, everybody who was let in is inside once (seed %i)',
  async (seed) => playRun(await prepareRun({ platform, browser }, seed)),
);
