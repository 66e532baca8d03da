import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import type { BusFixture } from './fixtures/bus.ts';
import { createCheckoutFixture, createSale, type SaleFixture, urls } from './fixtures/checkout.ts';

const hostile = `<img src=x onerror="document.title='broken'">"'&`;

let bus: BusFixture;
let browser: Browser;
let page: Page;
let shop: SaleFixture;
let home: string;

/** Where the page leads back to, and who has asked for it. */
const elsewhere: string[] = [];
const backHome = createServer((request, response) => {
  elsewhere.push(request.url ?? '');
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>The shop</h1>');
});

beforeAll(async () => {
  [bus, browser] = await Promise.all([createCheckoutFixture(), launchBrowser()]);
  page = await browser.newPage({ viewport: { width: 420, height: 760 } });
  await new Promise<void>((resolve) => backHome.listen(0, '127.0.0.1', resolve));
  home = `http://localhost:${(backHome.address() as AddressInfo).port}`;
  shop = await createSale(bus, { priceAmount: 12_345, capacity: null, name: hostile });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await bus?.stop();
  backHome.close();
});

/** For a look by eye: `SCREENSHOTS=folder npm test -- payment-page`. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function openPage(): Promise<{ id: string; url: string }> {
  const { id } = await shop.placed();
  const { body } = await shop.confirm(id, {
    successUrl: `${home}/thanks?a=%22'&b={CHECKOUT}`,
    cancelUrl: `${home}/basket`,
  });
  await page.goto(body.paymentUrl);
  return { id, url: body.paymentUrl };
}

test('shows what is paid for, escapes it, and fetches nothing', async () => {
  await openPage();
  await page.getByRole('heading', { name: '€123.45' }).waitFor();
  await page.getByText(`1 × ${hostile}`).waitFor();
  expect(await page.title()).toBe('Pay €123.45');
  expect(elsewhere).toEqual([]);
  await picture('payment-page');
});

test('takes the payment at the press of a key and leads back to the shop', async () => {
  const { id } = await openPage();
  // A page that has loaded has not yet given its button the focus.
  await page.locator('button.pay:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${home}/thanks**`);
  await shop.until(id, 'paid');
});

test('leads back to an address with characters beyond ASCII', async () => {
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

test('tells of a declined card, and can be paid after it', async () => {
  const { id } = await openPage();
  await page.getByRole('button', { name: 'declined' }).click();
  await page.getByRole('alert').waitFor();
  await picture('payment-declined');
  expect((await shop.read(id)).status).toBe('awaiting_payment');
  await page.getByRole('button', { name: 'Pay €123.45' }).click();
  await shop.until(id, 'paid');
});

test('leads back without paying', async () => {
  const { id } = await openPage();
  await page.getByRole('link', { name: 'Go back without paying' }).click();
  await page.waitForURL(`${home}/basket`);
  expect((await shop.read(id)).status).toBe('awaiting_payment');
});

test('of a cancelled order says that it can no longer be paid', async () => {
  const { id, url } = await openPage();
  await shop.cancel(id);
  await expect.poll(async () => (await bus.sandboxSession(url)).state).toBe('expired');
  await page.reload();
  await page.getByRole('heading', { name: 'can no longer be paid' }).waitFor();
  await picture('payment-over');
});

test('that nobody has is a page, too', async () => {
  const { url } = await openPage();
  const response = await page.goto(url.replace(/cs_.*/, 'cs_nobody'));
  expect(response?.status()).toBe(404);
  await page.getByText('nothing to pay here').waitFor();
});

test('while the provider is away confirming is a 503, and the hold stays', async () => {
  const { id } = await shop.placed();
  await bus.processes.stop('payment-sandbox');
  const { status, headers } = await shop.confirm(id);
  expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
  expect((await shop.read(id)).status).toBe('held');
  await bus.processes.restart('payment-sandbox');
  expect((await shop.confirm(id)).body.status).toBe('awaiting_payment');
});

test('a provider that is slow makes confirming a 503 before the gateway gives it up, and the hold stays', async () => {
  const { id } = await shop.placed();
  bus.processes.signal('payment-sandbox', 'SIGSTOP');
  try {
    const { status, body } = await shop.confirm(id);
    expect([status, body.error.status]).toEqual([503, 'UNAVAILABLE']);
    expect((await shop.read(id)).status).toBe('held');
  } finally {
    bus.processes.signal('payment-sandbox', 'SIGCONT');
  }
  expect((await shop.confirm(id)).body.status).toBe('awaiting_payment');
});

test('a confirmation that is repeated with its key gets a page, also when its first attempt was given up', async () => {
  const { id } = await shop.placed();
  const confirm = () =>
    shop.call('POST', `${shop.path}/orders/${id}/confirm`, {
      headers: { 'idempotency-key': id },
      body: urls,
    });
  await bus.processes.stop('payment-sandbox');
  expect((await confirm()).status).toBe(503);
  await bus.processes.restart('payment-sandbox');
  await bus.database.sql(`update commerce.payment set state = 'ended' where order_id = '${id}'`);
  expect(await confirm()).toMatchObject({ status: 200, body: { status: 'awaiting_payment' } });
});
