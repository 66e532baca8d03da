import { apiOperations } from '@event-api/contracts/http/operations';
import { closeContexts, sharedBrowser, takePicture } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let page: Page;
const elsewhere: string[] = [];
const complaints: string[] = [];
const violations: string[] = [];

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isOurs = url.origin === platform.baseUrl || ['data:', 'blob:'].includes(url.protocol);
    if (!isOurs) elsewhere.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  await page.goto(`${platform.baseUrl}/docs`);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

describe('/docs in a browser', () => {
  test('shows the name of the API and the authentication', async () => {
    await page.getByRole('heading', { name: 'Event Developer API' }).first().waitFor();
    await page.getByText('Authorization: Bearer').first().waitFor();
    await takePicture(page, 'docs');
  });

  test('lists every operation under its heading', async () => {
    for (const tag of new Set(apiOperations.map(({ config }) => config.tag))) {
      await page.getByRole('link', { name: tag }).first().waitFor();
    }
  });

  test('opens an operation with its example and its errors on a click', async () => {
    await page.getByRole('link', { name: 'Create a draft event' }).first().click();
    await page.getByRole('heading', { name: 'Create a draft event' }).first().waitFor();
    await page.getByText('"Spring Summit"').first().waitFor();
    await page.getByText('INVALID_ARGUMENT').first().waitFor({ state: 'attached' });
    await takePicture(page, 'docs-operation');
  });

  test('sends a request with the key that the reader enters, and shows the response', async () => {
    await page.goto(`${platform.baseUrl}/docs/#tag/events/GET/v1/events`);
    await page
      .getByRole('button', { name: /test request/i })
      .first()
      .click();
    await takePicture(page, 'docs-client');
    const responded = page.waitForResponse((response) => response.url().includes('/v1/events'));
    await page.getByRole('button', { name: /^send/i }).first().click();
    expect((await responded).status()).toBe(401);
    await takePicture(page, 'docs-response');
  });

  test('requests nothing from other hosts and causes no error', () => {
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('complies with its Content-Security-Policy', () => {
    expect(violations).toEqual([]);
  });

  test('cannot send requests to another host', async () => {
    const outside = await page.evaluate(() =>
      fetch('https://proxy.example.com/', { mode: 'no-cors' }).then(
        () => 'sent',
        () => 'rejected',
      ),
    );
    expect(outside).toBe('rejected');
    expect(violations.join()).toContain('connect-src');
    expect(elsewhere).toEqual([]);
  });
});
