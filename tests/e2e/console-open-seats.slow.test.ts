import { setForm } from '@event-api/contracts/operator/forms';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import {
  type Body,
  createSaleIn,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let shop: SaleFixture;
let owner: Operator;
let eventPath: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  shop = await createSaleIn({ unitId, call }, { priceAmount: 2500, capacity: 200 });
  await call('PATCH', shop.path, {
    body: { startsAt: '2030-05-10T09:00:00Z', status: 'published' },
  });
  eventPath = `/u/${unitId}/events/${shop.eventId}`;
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

/** An order of seats without names, which is paid unless it is to wait. */
async function sell(quantity: number, { isPaid = true } = {}): Promise<Body> {
  const { id } = await shop.placed({ items: [shop.ofType({ quantity })], assignLater: true });
  if (!isPaid) return shop.read(id);
  await pay((await shop.confirm(id)).body.paymentUrl);
  return shop.until(id, 'paid');
}

const seats = () => owner.page.getByRole('region', { name: 'Seats' });
const row = (text: string) => seats().getByRole('listitem').filter({ hasText: text });
const statusesOf = async ({ id }: Body): Promise<string> =>
  (await shop.read(id)).seats.map(({ status }: Body) => status).join(' ');

async function look(width: number, theme: string): Promise<void> {
  await owner.page.setViewportSize({ width, height: 900 });
  await owner.page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
}

const looks = [
  ['a large screen', 1440, 'light'],
  ['a phone in the dark', 390, 'dark'],
] as const;

describe.each(looks)('on %s', (_, width, theme) => {
  test('an open seat is assigned with the keyboard alone; a bad email and a person with a seat are named', async () => {
    const { page } = owner;
    await look(width, theme);
    const order = await sell(2);
    await owner.visit(`${eventPath}/orders/${order.id}`);
    await seats().getByText('2 seats are sold without a name').waitFor();
    await page.getByRole('button', { name: 'Assign seat 2' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Assign seat 2, / });
    await dialog.getByLabel('Email').waitFor();
    await page.keyboard.type('nobody');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter an email address').waitFor();
    const [ada, bob] = [randomEmail(), randomEmail()];
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(ada);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ada');
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `assign-${width}-${theme}`);
    await page.keyboard.press('Enter');
    await page.getByText('Ada has the seat').first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await row('Ada').getByText('Confirmed').waitFor();
    await row('Ada').getByText(ada).waitFor();
    expect(await statusesOf(order)).toBe('open assigned');
    await page.getByRole('button', { name: 'Assign seat 1' }).click();
    const first = page.getByRole('dialog', { name: /^Assign seat 1, / });
    await first.getByLabel('Email').fill(ada);
    await first.getByRole('button', { name: 'Assign' }).click();
    await first.getByText('Somebody with this email is already registered').waitFor();
    expect(await first.getByLabel('Email').inputValue()).toBe(ada);
    await first.getByLabel('Email').fill(bob);
    await first.getByRole('button', { name: 'Assign' }).click();
    await first.waitFor({ state: 'detached' });
    expect(await statusesOf(order)).toBe('assigned assigned');
    await row(bob).getByText('Confirmed').waitFor();
    expect(await page.getByRole('button', { name: /^Assign/ }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('many are assigned from a pasted list, which says each problem before and each result after', async () => {
    const { page } = owner;
    await look(width, theme);
    const order = await sell(4);
    const taken = randomEmail();
    const person = { email: taken, registrationTypeId: shop.typeId };
    expect((await shop.call('POST', `${shop.path}/registrations`, { body: person })).status).toBe(
      201,
    );
    await owner.visit(`${eventPath}/orders/${order.id}`);
    await page.getByRole('button', { name: 'Assign from a list' }).click();
    const dialog = page.getByRole('dialog', { name: /^Assign seats of / });
    await dialog.getByText('4 seats are open.').waitFor();
    const assign = dialog.getByRole('button', { name: /^Assign( \d+ seats?)?$/ });
    expect(await assign.isEnabled()).toBe(false);
    const [ada, eve] = [randomEmail(), randomEmail()];
    const people = dialog.getByLabel('People');
    await people.fill(`Ada\t${ada}\nno email\n${ada}\n${taken}; Tom\n${eve}`);
    await dialog.getByText('Line 2: no email').waitFor();
    await dialog.getByText('has no email').waitFor();
    await dialog.getByText('has the email of line 1').waitFor();
    await dialog.getByText('Correct or remove the lines with a problem').waitFor();
    expect(await assign.isEnabled()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `assign-list-${width}-${theme}`);
    await people.fill(`Ada\t${ada}\n${taken}; Tom\n${eve}`);
    await dialog.getByText(/^gets seat 1, /).waitFor();
    await assign.click();
    await dialog.getByText('3 of 3 lines are done').waitFor();
    await dialog.getByText(/^has seat 1, /).waitFor();
    await dialog.getByText('Somebody with this email is already registered').waitFor();
    await takePicture(page, `assign-list-result-${width}-${theme}`);
    expect(await violationsOf(page)).toEqual([]);
    expect(await statusesOf(order)).toBe('assigned open assigned open');
    await dialog.getByRole('button', { name: 'Correct 1 line' }).click();
    await expect.poll(() => people.inputValue()).toBe(`${taken}; Tom`);
    await people.fill(`${randomEmail()}; Tom`);
    await assign.click();
    await dialog.getByText('1 of 1 lines are done').waitFor();
    await expect.poll(() => statusesOf(order)).toBe('assigned assigned assigned open');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row('Tom').getByText('Confirmed').waitFor();
    await row('Seat 4').getByText('Open', { exact: true }).waitFor();
    await takePicture(page, `order-open-seats-${width}-${theme}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await look(1440, 'light');
  });
});

test('a seat of an order that is not paid cannot be assigned yet, and the page says so', async () => {
  const order = await sell(2, { isPaid: false });
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await row('Seat 1').getByText('It can be assigned when the order is paid.').waitFor();
  expect(await owner.page.getByRole('button', { name: /^Assign/ }).count()).toBe(0);
  await owner.visit(`${eventPath}/orders`);
  const listed = owner.page.locator('[data-row]').filter({ hasText: order.orderNumber });
  await listed.getByText('0 of 2').waitFor();
});

test('the lines that failed are corrected over the seats that are open then', async () => {
  const { page } = owner;
  const order = await sell(2);
  const taken = randomEmail();
  const person = { email: taken, registrationTypeId: shop.typeId };
  await shop.call('POST', `${shop.path}/registrations`, { body: person });
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Assign from a list' }).click();
  const dialog = page.getByRole('dialog', { name: /^Assign seats of / });
  await dialog.getByLabel('People').fill(`${randomEmail()}\n${taken}`);
  await dialog.getByText(/^gets seat 2, /).waitFor();
  // The order is read again only when the test lets it.
  const read = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let isOver = false;
  await page.route('**/order.find', async (route) => {
    if (isOver) read.resolve();
    await held.promise;
    await route.continue();
  });
  await page.route('**/assign', async (route) => {
    const response = await route.fetch();
    isOver = response.status() === 412;
    await route.fulfill({ response });
  });
  await dialog.getByRole('button', { name: 'Assign 2 seats' }).click();
  await dialog.getByText('2 of 2 lines are done').waitFor();
  await read.promise;
  const correct = dialog.getByRole('button', { name: 'Correct 1 line' });
  expect(await correct.count()).toBe(0);
  held.resolve();
  await correct.click();
  await dialog.getByText(/^gets seat 2, /).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await dialog.getByLabel('People').fill('');
  await dialog.getByRole('button', { name: 'Done' }).click();
});

test('one open seat is refunded and cancelled, and the others stay', async () => {
  const { page } = owner;
  const order = await sell(3);
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Refund and cancel: Seat 2' }).click();
  const dialog = page.getByRole('dialog', { name: /^Refund and cancel in/ });
  await dialog.getByText(/^€25.00 go back to .* Seat 2 is cancelled/).waitFor();
  await dialog.getByRole('button', { name: 'Refund €25.00 and cancel Seat 2' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row('Seat 2').getByText('Cancelled').waitFor();
  expect(await statusesOf(order)).toBe('open cancelled open');
  expect((await shop.read(order.id)).refundedAmount).toBe(2500);
  expect(await page.getByRole('button', { name: /^Assign seat/ }).count()).toBe(2);
});

test('the questions of the event are asked, and a viewer can assign nothing', async () => {
  const { page } = owner;
  const question = { id: 'diet', label: 'Diet', type: 'choice', required: true };
  const order = await sell(1);
  await platform.operator.call(setForm, {
    businessUnitId: shop.unitId,
    eventId: shop.eventId,
    questions: [{ ...question, type: 'choice', options: ['None', 'Vegan'] }],
  });
  const viewer = await signInAs(platform, browser, { unitId: shop.unitId, role: 'viewer' });
  await viewer.visit(`${eventPath}/orders/${order.id}`);
  const ofViewer = viewer.page.getByRole('region', { name: 'Seats' });
  await ofViewer.getByText('Seat 1').waitFor();
  expect(await ofViewer.getByRole('button').count()).toBe(0);
  await page.reload();
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Assign seat 1' }).click();
  const dialog = page.getByRole('dialog', { name: /^Assign seat 1, / });
  await dialog.getByLabel('Email').fill(randomEmail());
  await dialog.getByText('Leave all questions empty to take the answers of the order.').waitFor();
  await dialog.getByLabel('Diet').selectOption('Vegan');
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { seats: after } = await shop.read(order.id);
  const path = `${shop.path}/registrations/${after[0].registrationId}`;
  expect((await shop.call('GET', path)).body.responses).toEqual({ diet: 'Vegan' });
});
