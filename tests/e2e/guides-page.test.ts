import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

const names = readdirSync(join(import.meta.dirname, '../../docs/guides')).map((file) =>
  file.replace('.md', ''),
);

let platform: PlatformFixture;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

const appearances = [
  { appearance: 'phone, light', width: 360, colorScheme: 'light' },
  { appearance: 'phone, dark', width: 360, colorScheme: 'dark' },
  { appearance: 'desktop, light', width: 1280, colorScheme: 'light' },
  { appearance: 'desktop, dark', width: 1280, colorScheme: 'dark' },
] as const;
// Two looks have both widths and both color schemes, and two guides have every kind of content. The
// full run visits all.
const isFull = process.env.TEST_SIZE === 'full';
const visitedAppearances = isFull ? appearances : [appearances[0], appearances[3]];
const visited = isFull ? ['', ...names] : ['', 'checkout', 'going-live'];

/** Opens a tab that reports errors, violations of the policy and requests to other hosts. */
async function openTab(width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const viewport = { width, height: 800 };
  const context = await browser.newContext({ viewport, colorScheme, bypassCSP: false });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== platform.baseUrl) complaints.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return page;
}

const open = (page: Page, path: string) => page.goto(`${platform.baseUrl}/docs/guides/${path}`);

describe('the guides in a browser', () => {
  test.each(visitedAppearances)(
    '$look: pages are accessible and no wider than the window',
    async (appearance) => {
      const page = await openTab(appearance.width, appearance.colorScheme);
      for (const name of visited) {
        await open(page, name);
        await page.locator('h1').waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width, name).toBeLessThanOrEqual(appearance.width);
        expect(await violationsOf(page), name).toEqual([]);
        await takePicture(
          page,
          `guide-${name || 'contents'}-${appearance.appearance.replace(', ', '-')}`,
        );
      }
      await page.context().close();
    },
  );

  test('a language is chosen once for all examples and pages', async () => {
    const page = await openTab();
    await open(page, 'quick-start');
    await page.getByText('Python', { exact: true }).nth(1).click();
    const visible = () =>
      page
        .locator('pre:visible')
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { dataset: { language: string } }).dataset.language),
        );
    expect(new Set(await visible())).toEqual(new Set(['python']));
    await open(page, 'checkout');
    expect(new Set(await visible())).toEqual(new Set(['python']));
    await page.context().close();
  });

  test('the search finds a section and goes to it', async () => {
    const page = await openTab();
    await open(page, '');
    await page.getByRole('searchbox').fill('wait payment');
    await takePicture(page, 'guide-search');
    await page.getByRole('link', { name: 'Wait for the payment' }).click();
    await page.waitForURL('**/docs/guides/checkout#wait-for-the-payment');
    await page.getByRole('searchbox').fill('zzzz');
    await page.getByText('Nothing found').waitFor();
    await page.context().close();
  });

  test('a button copies an example', async () => {
    const page = await openTab();
    await open(page, 'versions');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('service-version');
    await page.context().close();
  });

  test('without scripts every example can be read', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await open(page, 'quick-start');
    await page.getByText('Python', { exact: true }).nth(1).click();
    await page.getByText('print(opened["status"])').waitFor();
    await context.close();
  });

  test('request nothing from other hosts and cause no error', () => {
    expect(complaints).toEqual([]);
  });
});
