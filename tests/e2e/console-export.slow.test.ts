import { readFileSync } from 'node:fs';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeManyRecords } from './console/many-records.ts';
import { type Operator, signInAs } from './console/operator.ts';
import { createSaleIn } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** More than two pages of an export, which have 500 rows each. */
const count = 1200;

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let page: Page;
let eventPath: string;
let ids: Awaited<ReturnType<typeof writeManyRecords>>;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const { eventId, typeId } = await createSaleIn({ unitId, call }, { priceAmount: 2500 });
  ids = await writeManyRecords(platform.sql, { unitId, eventId, typeId, count });
  operator = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = operator.page;
  eventPath = `/u/${unitId}/events/${eventId}`;
}, 600_000);
afterAll(() => closeContexts(browser));

const status = () => page.getByRole('status').filter({ hasText: /row/ });

/**
 * Exports a list. Holds its third request until the page has shown `progress`. Returns the cells of
 * the rows of the file.
 */
async function exportList(list: string, progress: string) {
  await operator.visit(`${eventPath}/${list}`);
  await page.getByRole('table').locator('tbody tr').first().waitFor();
  const { promise: isShown, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  const ofList = new RegExp(`/${list}\\?.*limit=500`);
  await page.route(ofList, async (route) => {
    requests += 1;
    if (requests === 3) await isShown;
    await route.fallback();
  });
  const click = async () => {
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await status().filter({ hasText: progress }).waitFor();
  };
  const [saved] = await Promise.all([page.waitForEvent('download'), click().finally(resolve)]);
  const [, ...lines] = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  await page.unroute(ofList);
  return lines.map((line) => line.slice(1, -1).split('","'));
}

describe('the file of a list with several pages', () => {
  test('has every registration once, with its order and check-in, and the page shows how many of all are read', async () => {
    const rows = await exportList('registrations', '1,000 of 1,200 rows read');
    expect(rows.map(([id]) => id).toSorted()).toEqual(ids.registrationIds);
    const order = new Map(ids.registrationIds.map((id, n) => [id, ids.orderIds[n]]));
    const wrong = rows.filter(
      (cells) =>
        cells[5] !== order.get(cells[0] ?? '') ||
        !cells[8]?.startsWith('ORD-') ||
        cells.at(-1) !== '2027-05-10 09:00',
    );
    expect(wrong).toEqual([]);
  });

  test('has every order once, and the page shows how many rows it has so far', async () => {
    const rows = await exportList('orders', '1,000 rows exported so far');
    expect(rows.map(([id]) => id).toSorted()).toEqual(ids.orderIds);
    await page.locator('[data-toast]').filter({ hasText: '1,200 rows exported' }).first().waitFor();
  });

  test('is complete also after the rate limit has rejected a page, and the page says that it waits', async () => {
    let isRejected = false;
    const secondPage = /\/registrations\?.*cursor=/;
    await page.route(secondPage, async (route) => {
      if (isRejected) return route.continue();
      isRejected = true;
      const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: '', details: [] };
      await route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { error } });
    });
    await operator.visit(eventPath);
    const rows = await exportList(
      'registrations',
      '500 of 1,200 rows read. Waiting: there were too many requests in one minute.',
    );
    await page.unroute(secondPage);
    expect(isRejected).toBe(true);
    expect(rows.map(([id]) => id).toSorted()).toEqual(ids.registrationIds);
  });
});

test('causes no error', () => {
  expect(operator.failures).toEqual([]);
});
