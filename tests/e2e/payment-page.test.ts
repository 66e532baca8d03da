import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeContexts, sharedBrowser, takePicture } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { createCheckoutFixture, createSale, type SaleFixture, urls } from './fixtures/checkout.ts';

const markup = `<img src=x onerror="document.title='broken'">"'&`;

let bus: BusFixture;
let browser: Browser;
let page: Page;
let shop: SaleFixture;
let home: string;

/** Requests that the page has sent to the shop. */
const shopRequests: string[] = [];
const shopServer = createServer((request, response) => {
  shopRequests.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>The shop</h1>');
});

beforeAll(async () => {
  [bus, browser] = await Promise.all([createCheckoutFixture(), sharedBrowser()]);
  page = await browser.newPage({ viewport: { width: 420, height: 760 } });
  await new Promise<void>((resolve) => shopServer.listen(0, '127.0.0.1', resolve));
  home = `http://localhost:${(shopServer.address() as AddressInfo).port}`;
  shop = await createSale(bus, { priceAmount: 12_345, capacity: null, name: markup });
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  await bus?.stop();
  shopServer.close();
});

async function openPage(): Promise<{ id: string; url: string }> {
  const { id } = await shop.placed();
  const { body } = await shop.confirm(id, {
    successUrl: `${home}/thanks?a=%22'&b={CHECKOUT}`,
    cancelUrl: `${home}/basket`,
  });
  await page.goto(body.paymentUrl);
  return { id, url: body.paymentUrl };
}

test('shows the items, escapes them, and loads no resources', async () => {
  await openPage();
  await page.getByRole('heading', { name: '€123.45' }).waitFor();
  await page.getByText(`1 × ${markup}`).waitFor();
  expect(await page.title()).toBe('Pay €123.45');
  expect(shopRequests).toEqual([]);
  await takePicture(page, 'payment-page');
});

test('accepts the payment with the keyboard and redirects to the shop', async () => {
  const { id } = await openPage();
  // The button may receive focus after the page has loaded.
  await page.locator('button.pay:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${home}/thanks**`);
  await shop.until(id, 'paid');
});

test('redirects to a URL with non-ASCII characters', async () => {
  const { id } = await shop.placed();
  const { body } = await shop.confirm(id, {
    successUrl: `${home}/日本?q=ä`,
    cancelUrl: `${home}/basket`,
  });
  await page.goto(body.paymentUrl);
  await page.getByRole('button', { name: 'Pay €123.45' }).click();
  await page.waitForURL(`${home}/%E6%97%A5%E6%9C%AC?q=%C3%A4`);
  await shop.until(id, 'paid');
});

test('reports a declined card and then accepts another payment', async () => {
  const { id } = await openPage();
  await page.getByRole('button', { name: 'declined' }).click();
  await page.getByRole('alert').waitFor();
  await takePicture(page, 'payment-declined');
  expect((await shop.read(id)).status).toBe('awaiting_payment');
  await page.getByRole('button', { name: 'Pay €123.45' }).click();
  await shop.until(id, 'paid');
});

test('redirects without a payment', async () => {
  const { id } = await openPage();
  await page.getByRole('link', { name: 'Go back without paying' }).click();
  await page.waitForURL(`${home}/basket`);
  expect((await shop.read(id)).status).toBe('awaiting_payment');
});

test('reports that a cancelled order can no longer be paid', async () => {
  const { id, url } = await openPage();
  await shop.cancel(id);
  await expect.poll(async () => (await bus.sandboxSession(url)).state).toBe('expired');
  await page.reload();
  await page.getByRole('heading', { name: 'can no longer be paid' }).waitFor();
  await takePicture(page, 'payment-over');
});

test('shows a page for an unknown session', async () => {
  const { url } = await openPage();
  const response = await page.goto(url.replace(/cs_.*/, 'cs_nobody'));
  expect(response?.status()).toBe(404);
  await page.getByText('nothing to pay here').waitFor();
});

test('confirming responds with 503 while the provider is unavailable, and the hold is kept', async () => {
  const { id } = await shop.placed();
  await bus.processes.stop('payment-sandbox');
  const { status, headers } = await shop.confirm(id);
  expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
  expect((await shop.read(id)).status).toBe('held');
  await bus.processes.restart('payment-sandbox');
  expect((await shop.confirm(id)).body.status).toBe('awaiting_payment');
});

test('confirming responds with 503 before the timeout of the gateway if the provider is slow, and the hold is kept', async () => {
  const { id } = await shop.placed();
  await bus.processes.stall('payment-sandbox');
  try {
    const { status, body } = await shop.confirm(id);
    expect([status, body.error.status]).toEqual([503, 'UNAVAILABLE']);
    expect((await shop.read(id)).status).toBe('held');
  } finally {
    bus.processes.resume('payment-sandbox');
  }
  expect((await shop.confirm(id)).body.status).toBe('awaiting_payment');
});

test('confirming again with the same key returns a page after the first attempt timed out', async () => {
  const { id } = await shop.placed();
  const confirm = () =>
    shop.call('POST', `${shop.path}/orders/${id}/confirm`, {
      headers: { 'idempotency-key': id },
      body: urls,
    });
  await bus.processes.stop('payment-sandbox');
  expect((await confirm()).status).toBe(503);
  await bus.processes.restart('payment-sandbox');
  await bus.database.sql(`update commerce.payment set state = 'expired' where order_id = '${id}'`);
  expect(await confirm()).toMatchObject({ status: 200, body: { status: 'awaiting_payment' } });
});
