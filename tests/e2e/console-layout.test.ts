import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConference } from './console/conference.ts';
import { recordShifts, shiftOf, slowNetwork } from './console/layout-shift.ts';
import { type Operator, signInAs, waitUntilComplete } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** What the Web Vitals call good. */
const maxShift = 0.1;

describe.runIf(process.env.TEST_SIZE === 'full')('over a slow network', () => {
  let platform: PlatformFixture;
  let browser: Browser;
  let operator: Operator;
  let pages: ConsolePage[];
  let untilAllArrived: () => Promise<void>;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    const { unitId, eventId } = await createConference(platform);
    operator = await signInAs(platform, browser, { unitId, role: 'owner' });
    pages = await pagesOf(operator, { unitId, eventId });
    untilAllArrived = await slowNetwork(operator.page);
    await recordShifts(operator.page);
  }, 600_000);
  afterAll(async () => {
    await closeContexts(browser);
  });

  test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])(
    'no page moves what a person reads while its parts arrive, at $width pixels',
    async (viewport) => {
      const { page } = operator;
      await page.setViewportSize(viewport);
      const problems: Record<string, string[]> = {};
      let highest = 0;
      for (const { route, path } of pages) {
        await page.goto(platform.consoleUrl + path);
        await untilAllArrived();
        await waitUntilComplete(page);
        const { score, moved } = await shiftOf(page);
        highest = Math.max(highest, score);
        if (score > maxShift) problems[`${route}: ${score.toFixed(3)}`] = moved;
      }
      expect(problems).toEqual({});
      // Some parts move a little. Without any shift, nothing would have been recorded.
      expect(highest).toBeGreaterThan(0);
    },
  );
});
