import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conference, createConference } from './console/conference.ts';
import { recordShifts, shiftOf, slowNetwork } from './console/layout-shift.ts';
import { type Operator, signInAs, waitUntilComplete } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** What the Web Vitals call good. */
const maxShift = 0.1;

describe.runIf(process.env.TEST_SIZE === 'full')('over a slow network', () => {
  let platform: PlatformFixture;
  let browser: Browser;
  let conference: Conference;
  let operator: Operator;
  let pages: ConsolePage[];
  let untilAllArrived: () => Promise<void>;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    conference = await createConference(platform);
    const { unitId, eventId } = conference;
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

  /** Opens a list in another page, which has its own network. */
  async function openList(prepare: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await operator.context.newPage();
    await prepare(page);
    const { unitId, eventId } = conference;
    await page.goto(`${platform.consoleUrl}/u/${unitId}/events/${eventId}/registrations`);
    return page;
  }

  test('a page shows placeholders, and no sign-in, until the session is read', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const page = await openList((opened) =>
      opened.route('**/api/session', async (route) => {
        await isReleased;
        await route.continue();
      }),
    );
    await page.locator('main .appears-late').first().waitFor();
    expect(await page.getByRole('heading').count()).toBe(0);
    expect(new URL(page.url()).pathname).toMatch(/\/registrations$/);
    release();
    await waitUntilComplete(page);
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await page.close();
  });

  test('a page goes on without its messages if their code cannot be loaded', async () => {
    let isRequested = false;
    const page = await openList((opened) =>
      opened.route(/\/toasts-[^/]*\.js$/, async (route) => {
        isRequested = true;
        await route.abort();
      }),
    );
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await waitUntilComplete(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await saved;
    await expect.poll(() => isRequested).toBe(true);
    await page.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    expect(await page.getByText('This page has failed').count()).toBe(0);
    expect(failures).toEqual([]);
    await page.close();
  });
});
