import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiOperations } from '@event-api/contracts/http/operations';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

const folder = join(import.meta.dirname, '../../docs/guides');
const names = readdirSync(folder).map((file) => file.replace('.md', ''));

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
  { appearance: 'phone, light', width: 390, colorScheme: 'light' },
  { appearance: 'phone, dark', width: 390, colorScheme: 'dark' },
  { appearance: 'desktop, light', width: 1280, colorScheme: 'light' },
  { appearance: 'desktop, dark', width: 1280, colorScheme: 'dark' },
] as const;
// Two looks have both widths and both color schemes, and two guides have every kind of content. The
// full run visits all.
const isFull = process.env.TEST_SIZE === 'full';
const visitedAppearances = isFull ? appearances : [appearances[0], appearances[3]];
const visitedGuides = isFull ? names : ['checkout', 'going-live'];
const visited = ['guides/', ...visitedGuides.map((name) => `guides/${name}`), 'errors'];

/** Opens a tab that reports errors, violations of the policy, failures and requests to other hosts. */
async function openTab(width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOurs = origin === platform.baseUrl || ['data:', 'blob:'].includes(protocol);
    if (!isOurs) complaints.push(request.url());
  });
  page.on('response', (response) => {
    const isTried = response.url().includes('/v1/');
    if (response.status() >= 400 && !isTried) complaints.push(response.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || /content security policy/i.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return page;
}

const open = (page: Page, path: string) => page.goto(`${platform.baseUrl}/docs/${path}`);
const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
/** The heading of an operation in the reference. */
const operation = (page: Page, summary: string) => page.getByRole('heading', { name: summary });

describe('the documentation in a browser', () => {
  test.each(visitedAppearances)(
    '$appearance: pages are accessible and no wider than the window',
    async ({ width, colorScheme, appearance }) => {
      const page = await openTab(width, colorScheme);
      for (const path of visited) {
        await open(page, path);
        await page.locator('h1').waitFor();
        expect(await widthOf(page), path).toBeLessThanOrEqual(width);
        expect(await violationsOf(page), path).toEqual([]);
        await takePicture(page, `${path.replace('/', '-')}-${appearance.replace(', ', '-')}`);
      }
      await open(page, '');
      await page.getByText('Authorization: Bearer').first().waitFor();
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
      await takePicture(page, `reference-${appearance.replace(', ', '-')}`);
      await page.context().close();
    },
  );

  test('a language is chosen once for all examples and pages', async () => {
    const page = await openTab();
    await open(page, 'guides/quick-start');
    await page.getByText('Python', { exact: true }).nth(1).click();
    const visible = () =>
      page
        .locator('pre:visible')
        .evaluateAll((all) =>
          all.map((one) => (one as unknown as { dataset: { language: string } }).dataset.language),
        );
    expect(new Set(await visible())).toEqual(new Set(['python']));
    await open(page, 'guides/checkout');
    expect(new Set(await visible())).toEqual(new Set(['python']));
    await page.context().close();
  });

  test('a button copies the whole example, and covers no part of it', async () => {
    const page = await openTab();
    await open(page, 'guides/quick-start');
    const markdown = readFileSync(join(folder, 'quick-start.md'), 'utf8');
    const [, code] = /^```typescript\n([\s\S]*?)\n```$/m.exec(markdown) ?? [];
    const button = page.getByRole('button', { name: 'Copy' }).first();
    const [buttonBox, codeBox] = await Promise.all([
      button.boundingBox(),
      page.locator('pre').first().boundingBox(),
    ]);
    const end = (buttonBox?.y ?? 0) + (buttonBox?.height ?? 0);
    expect(end).toBeLessThanOrEqual(codeBox?.y ?? 0);
    await button.click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    await page.context().close();
  });

  test('the keyboard reaches the content, and searches the guides, the reference and the errors', async () => {
    const page = await openTab();
    await open(page, 'guides/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/#content');
    await page.keyboard.press('/');
    await page.keyboard.type('early bird');
    await page.getByText(/^\d+ results$/).waitFor();
    await takePicture(page, 'search');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guides/codes-add-ons-and-bundles#sell-an-early-bird');

    await page.keyboard.press('/');
    await page.keyboard.type('SOLD_OUT');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#SOLD_OUT');
    expect(await page.locator('tr:target').textContent()).toContain('SOLD_OUT');

    await page.keyboard.press('/');
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing found').waitFor({ state: 'hidden' });
    await page.keyboard.type('placeOrder');
    await page.keyboard.press('Enter');
    await operation(page, 'Place an order').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('undoCheckin');
    await page.keyboard.press('Enter');
    await operation(page, 'Undo a check-in').waitFor();
    await page.context().close();
  });

  test('a phone has a menu of the guides and a list of the headings, also for the keyboard', async () => {
    const page = await openTab(390);
    await open(page, 'guides/checkout');
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await takePicture(page, 'menu');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    expect(await menu.locator(':focus').textContent()).toBe('Guides');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await page.getByText('On this page').click();
    await page.getByRole('link', { name: 'Deliver the badges' }).click();
    await page.waitForURL('**/checkout#deliver-the-badges');
    await page.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'Cancellations and changes' }).click();
    await page.waitForURL('**/docs/guides/cancellations-and-changes');
    await page.context().close();
  });

  test('without scripts every example can be read, and the menu opens', async () => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await open(page, 'guides/quick-start');
    await page.getByText('Python', { exact: true }).nth(1).click();
    await page.getByText('print(opened["status"])').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Doors' }).first().waitFor();
    await context.close();
  });
});

describe('the reference in a browser', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openTab(1440);
    await open(page, '');
  }, 600_000);

  test('shows the name of the API and the authentication', async () => {
    await page.getByRole('heading', { name: 'Event Developer API' }).first().waitFor();
    await page.getByText('Authorization: Bearer').first().waitFor();
  });

  test('lists the client libraries of this project', async () => {
    const card = page.getByText('Client Libraries');
    await card.waitFor();
    for (const name of ['TypeScript', 'CLI', 'MCP server']) {
      await page.getByRole('tab', { name }).click();
    }
    await page.getByText('node clients/mcp/src/main.ts').waitFor();
    expect(await page.getByText('Ruby', { exact: true }).count()).toBe(0);
  });

  test('lists every operation under its heading', async () => {
    for (const tag of new Set(apiOperations.map(({ config }) => config.tag))) {
      await page.getByRole('link', { name: tag }).first().waitFor();
    }
  });

  test('opens an operation with its example and its errors on a click', async () => {
    await page.getByRole('link', { name: 'Create a draft event' }).first().click();
    await operation(page, 'Create a draft event').first().waitFor();
    await page.getByText('"Spring Summit"').first().waitFor();
    await page.getByText('INVALID_ARGUMENT').first().waitFor({ state: 'attached' });
    await takePicture(page, 'reference-operation');
  });

  test('sends a request with the key that the reader enters, and shows the response', async () => {
    await open(page, '#tag/events/GET/v1/events');
    await page
      .getByRole('button', { name: /test request/i })
      .first()
      .click();
    await takePicture(page, 'reference-client');
    const responded = page.waitForResponse((response) => response.url().includes('/v1/events'));
    await page.getByRole('button', { name: /^send/i }).first().click();
    expect((await responded).status()).toBe(401);
    await takePicture(page, 'reference-response');
  });

  test('requests nothing from other hosts and nothing that fails, like the other pages', () => {
    // The request of the reader that is rejected.
    const unexpected = complaints.filter((text) => !text.includes('401 (Unauthorized)'));
    expect(unexpected).toEqual([]);
  });

  test('cannot send requests to another host', async () => {
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    const outside = await page.evaluate(() =>
      fetch('https://proxy.example.com/', { mode: 'no-cors' }).then(
        () => 'sent',
        () => 'rejected',
      ),
    );
    expect(outside).toBe('rejected');
    expect(messages.join()).toContain('connect-src');
  });
});
