import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConference } from './console/conference.ts';
import { type Operator, signInAs, visitor } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';
import { stepsOf } from './examples/steps.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** The reads without which no page is shown: the session, and the event of the page. */
const neededByAll = /\/api\/(session|units\/[^/]+\/v1\/events\/evt_\w+)$/;

/** Pages of an event whose empty lists have one action. */
const pagesWithAction = [
  'tickets',
  'registrations',
  'orders',
  'codes',
  'codes?view=batches',
  'perks',
  'doors',
  'program',
  'program?view=speakers',
  'program?view=rooms',
  'exhibitors',
  'exhibitors?view=booths',
];

/** The response of the rate limit. */
const tooMany = {
  error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Too many requests', details: [] },
};

/** Pages that show nothing but what all pages need. */
const withoutReads = ['/u/$unitId/events/new'];

/**
 * What a finger has to hit on the page that is open, and is lower than 44 pixels. A control in a
 * label has its area, and so has a box with a label beside it. A link in running text may be as
 * high as its line, and so may the link of a row, which covers the row.
 */
const smallTargets = `[...document.querySelectorAll('button, input, select, textarea, summary, nav a, a[aria-label]')]
  .filter((each) => each.checkVisibility() && each.closest('[aria-hidden="true"]') === null)
  .map((each) => each.closest('label') ?? (/^(checkbox|radio)$/.test(each.type) && each.labels[0] || each))
  .map((each) => ({ box: each.getBoundingClientRect(), html: each.outerHTML.slice(0, 160) }))
  .filter(({ box }) => box.width > 1 && box.height > 1 && box.height < 43.5)
  .map(({ box, html }) => Math.round(box.height) + ' pixels: ' + html)`;

describe('each page', () => {
  let platform: PlatformFixture;
  let browser: Browser;
  let operator: Operator;
  let pages: ConsolePage[];

  beforeAll(async () => {
    [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    const { unitId, eventId } = await createConference(platform);
    operator = await signInAs(platform, browser, { unitId, role: 'owner' });
    pages = await pagesOf(operator, { unitId, eventId });
  }, 600_000);
  afterAll(async () => {
    await closeContexts(browser);
  });

  test('whose reads fail says so, offers to try again, and has no gray bars below', async () => {
    const { page } = operator;
    await page.route(/\/api\//, (route) =>
      neededByAll.test(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
    );
    // A read is repeated twice before it fails.
    page.setDefaultTimeout(10_000);
    const problems: Record<string, string> = {};
    for (const { route, path } of pages) {
      await page.goto(platform.consoleUrl + path);
      const problem = await problemWithoutReads(page, route);
      if (problem !== null) problems[route] = problem;
    }
    await page.unroute(/\/api\//);
    expect(problems).toEqual({});
  });

  test('whose reads are over the rate limit says so, and goes on by itself', async () => {
    const { page } = operator;
    const path = pages.find(({ route }) => route.endsWith('registrations'))?.path;
    let isLimited = true;
    await page.route(/\/api\//, (route) =>
      isLimited
        ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: tooMany })
        : route.continue(),
    );
    await page.goto(platform.consoleUrl + path);
    await page.getByText('The page goes on by itself').first().waitFor();
    isLimited = false;
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByRole('table', { name: 'Registrations' }).waitFor();
    expect(await page.getByText('The page goes on by itself').count()).toBe(0);
    await page.unroute(/\/api\//);
  });

  test('without records says what to do, and where the guide is', async () => {
    const { unitId, secret } = await platform.newUnit();
    const { create } = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
    const { page, visit } = await signInAs(platform, browser, { unitId, role: 'owner' });
    const found: Record<string, number> = {};
    /** Counts the actions beside the guide. */
    const look = async (name: string, path: string) => {
      await visit(path);
      const box = page.locator('main :has(> a[href*="/docs/guides/"])').first();
      await box.waitFor();
      found[name] = await box.locator('button, a:not([href*="/docs/"])').count();
    };
    await look('events', `/u/${unitId}/events`);
    const event = await create('/v1/events', { name: 'Summit', timezone: 'UTC' });
    for (const name of pagesWithAction) await look(name, `/u/${unitId}/events/${event.id}/${name}`);
    await look('webhooks', `/u/${unitId}/webhooks`);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, 1])));
  });

  test.each([
    { device: 'phone', width: 390, height: 844 },
    { device: 'tablet', width: 1366, height: 1024 },
  ])('has targets of 44 pixels on a $device', async ({ width, height }) => {
    const context = await browser.newContext({
      storageState: await operator.context.storageState(),
      viewport: { width, height },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(platform.consoleUrl);
    const { visit } = visitor(context, page);
    const problems: Record<string, string[]> = {};
    for (const { route, path } of pages) {
      await visit(path);
      const found = await page.evaluate<string[]>(smallTargets);
      if (found.length > 0) problems[route] = found;
    }
    expect(await page.evaluate('matchMedia("(pointer: coarse)").matches')).toBe(true);
    expect(problems).toEqual({});
  });
});

/** What is wrong with a page that is open and cannot read its records. */
async function problemWithoutReads(page: Page, route: string): Promise<string | null> {
  const main = page.getByRole('main');
  if (!withoutReads.includes(route)) {
    const retry = main.getByRole('alert').getByRole('button', { name: 'Try again' });
    if (!(await isReached(retry.first().waitFor()))) return 'no error with a way to try again';
  }
  await main.getByRole('heading').or(main.getByRole('alert')).first().waitFor();
  const gray = main.locator('.appears-late').first();
  return (await isReached(gray.waitFor({ state: 'detached' }))) ? null : 'gray bars stay';
}

const isReached = (step: Promise<unknown>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  );
