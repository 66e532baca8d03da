import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Locator } from 'playwright-core';
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
import { openType } from './fixtures/type-changes.ts';

let platform: PlatformFixture;
let browser: Browser;
let shop: SaleFixture;
let owner: Operator;
let eventPath: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  shop = await createSaleIn({ unitId, call }, { priceAmount: 2500, capacity: 50 });
  const startsAt = new Date(Date.now() + 60 * 86_400_000).toISOString();
  await call('PATCH', shop.path, { body: { startsAt, status: 'published' } });
  const bands = [{ daysBeforeStart: 14, percent: 80, fixedFee: 500 }];
  await platform.operator.call(setRefundPolicy, {
    ...{ businessUnitId: unitId, eventId: shop.eventId, text: 'Ask us', bands },
  });
  eventPath = `/u/${unitId}/events/${shop.eventId}`;
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

/** A paid order of one seat for each of these people. */
async function sell(...names: string[]): Promise<Body> {
  const people = names.map((name) => ({ name, email: randomEmail() }));
  const items = [shop.ofType({ quantity: people.length, attendees: people })];
  const { id } = await shop.placed({ ...people[0], items });
  await pay((await shop.confirm(id)).body.paymentUrl);
  return shop.until(id, 'paid');
}

/** Opens the dialog, chooses seats and asks for their quote. */
async function quote({ id }: Body, ...names: string[]): Promise<Locator> {
  const { page } = owner;
  await owner.visit(`${eventPath}/orders/${id}`);
  await page.getByRole('button', { name: 'Change by the policy' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change seats of / });
  for (const name of names) await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: /^Show the amounts/ }).click();
  await dialog.getByRole('table').waitFor();
  return dialog;
}

describe.each([
  ['a large screen', 1440, 'light'],
  ['a phone in the dark', 390, 'dark'],
])('on %s', (_, width, theme) => {
  test('seats are cancelled with the keyboard alone, for exactly the amounts that were quoted', async () => {
    const { page } = owner;
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const order = await sell('Ada', 'Bea', 'Cleo');
    await owner.visit(`${eventPath}/orders/${order.id}`);
    await page.getByRole('button', { name: 'Change by the policy' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Change seats of / });
    await dialog.getByLabel('Change').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    expect(await dialog.getByRole('button', { name: 'Show the amounts' }).isEnabled()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Show the amounts for 2 seats' }).focus();
    await page.keyboard.press('Enter');
    const rows = dialog.getByRole('table', { name: 'What is paid back and kept' }).getByRole('row');
    await rows.filter({ hasText: 'Bea' }).getByText('by rule 1, fee €5.00').waitFor();
    expect(
      (await rows.allTextContents()).slice(1).map((row) => row.match(/€[\d.]+/g)?.join(' ')),
    ).toEqual(['€5.00 €25.00 €10.00 €15.00', '€5.00 €25.00 €10.00 €15.00', '€50.00 €20.00 €30.00']);
    await dialog.getByText(/^These amounts are valid for (9:\d\d|10:00)\.$/).waitFor();
    await dialog.getByText('The money is due, and your team pays it back.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `change-quote-${width}-${theme}`);
    const box = await dialog.getByRole('table').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    await dialog.getByRole('button', { name: 'Cancel 2 seats, €30.00 back' }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const seats = page.getByRole('region', { name: 'Seats' });
    const row = seats.getByRole('listitem').filter({ hasText: 'Cleo' });
    await row.getByText('€15.00 due by the policy').waitFor();
    const after = await shop.read(order.id);
    expect(after.refundDueAmount).toBe(3000);
    expect(after.seats.map(({ status }: Body) => status)).toEqual([
      'assigned',
      'cancelled',
      'cancelled',
    ]);
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  });
});

test('an open seat is cancelled by the policy like a seat of a person, and its row says what it gets', async () => {
  const { page } = owner;
  const person = { name: 'Gus', email: randomEmail() };
  const items = [shop.ofType({ quantity: 2, attendees: [person] })];
  const { id } = await shop.placed({ ...person, items, assignLater: true });
  await pay((await shop.confirm(id)).body.paymentUrl);
  const order = await shop.until(id, 'paid');
  const dialog = await quote(order, 'Gus', 'Seat 2');
  await dialog.getByRole('row').filter({ hasText: 'Seat 2' }).getByText('€15.00').waitFor();
  await dialog.getByRole('button', { name: 'Cancel 2 seats, €30.00 back' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page
    .getByRole('region', { name: 'Seats' })
    .getByRole('listitem')
    .filter({ hasText: 'Seat 2' });
  await row.getByText('€15.00 due by the policy').waitFor();
  await row.getByText('€10.00 kept, with a fee of €5.00 · by rule 1').waitFor();
  expect((await shop.read(id)).cancelledSeats).toMatchObject([
    { registrationId: order.seats[0].registrationId, refundAmount: 1500 },
    { registrationId: order.seats[1].id, refundAmount: 1500 },
  ]);
});

test('a seat gets another ticket type for the amounts that were quoted, and keeps its badge', async () => {
  const { page } = owner;
  const day = await openType(shop, { name: 'Day', priceAmount: 1000, capacity: 5 });
  const order = await sell('Hal', 'Ida');
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Change by the policy' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change seats of / });
  await dialog.getByLabel('Change').selectOption({ label: 'Change the ticket type to Day' });
  await dialog.getByRole('checkbox', { name: 'Ida' }).check();
  await dialog.getByRole('button', { name: 'Show the amounts for 1 seat' }).click();
  const row = dialog.getByRole('row').filter({ hasText: 'Ida' });
  await row.getByText('€12.00', { exact: true }).waitFor();
  await dialog.getByText('The new ticket type is Day. Badges and add-ons stay').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await takePicture(page, 'change-ticket-type');
  await dialog.getByRole('button', { name: 'Change 1 seat, €12.00 back' }).click();
  await dialog.waitFor({ state: 'detached' });
  const seats = page.getByRole('region', { name: 'Seats' }).getByRole('listitem');
  const changed = seats.filter({ hasText: 'Ida' });
  await changed.getByText('Day').waitFor();
  await changed.getByText('€10.00').waitFor();
  expect(await shop.read(order.id)).toMatchObject({
    refundDueAmount: 1200,
    seats: [{ amount: 2500 }, { amount: 1000, ticketTypeId: day.id, status: 'assigned' }],
  });
});

test('a dearer ticket type shows the page that the buyer pays, and the order what it has cost', async () => {
  const { page } = owner;
  await openType(shop, { name: 'Gold', priceAmount: 4000, capacity: 5 });
  const order = await sell('Jo');
  await owner.visit(`${eventPath}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Change by the policy' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change seats of / });
  await dialog.getByLabel('Change').selectOption({ label: 'Change the ticket type to Gold' });
  await dialog.getByRole('checkbox', { name: 'Jo' }).check();
  await dialog.getByRole('button', { name: 'Show the amounts for 1 seat' }).click();
  await dialog.getByText('€15.00 are to be paid in addition.').waitFor();
  await dialog.getByRole('button', { name: 'Change 1 seat, €15.00 to pay' }).click();
  await dialog.getByText('The seats are held.').waitFor();
  const url = await dialog.getByRole('link').textContent();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await pay(url ?? '');
  await eventually(async () =>
    expect(await shop.read(order.id)).toMatchObject({ changesAmount: 1500 }),
  );
  await page.getByText('€40.00').filter({ visible: true }).first().waitFor();
});

test('a quote whose seat was cancelled meanwhile changes nothing, and asking again says why', async () => {
  const order = await sell('Dora', 'Emil');
  const dialog = await quote(order, 'Dora', 'Emil');
  const { registrationId } = order.seats[1];
  await shop.call('POST', `${shop.path}/registrations/${registrationId}/cancel`);
  await dialog.getByRole('button', { name: 'Cancel 2 seats, €30.00 back' }).click();
  await dialog.getByText('The amounts are no longer valid. Nothing has happened.').waitFor();
  expect((await shop.read(order.id)).seats[0].status).toBe('assigned');
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await dialog.getByText('The seat is cancelled already').waitFor();
  await dialog.getByRole('button', { name: 'Choose other seats' }).click();
  await dialog.getByRole('checkbox', { name: 'Dora' }).waitFor();
});

test('a quote that expires on the screen is asked for again', async () => {
  const { page } = owner;
  const order = await sell('Fay');
  let isFirst = true;
  await page.route('**/changes', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    if (isFirst) json.quote.expiresAt = new Date(Date.now() + 2000).toISOString();
    isFirst = false;
    await route.fulfill({ response, json });
  });
  const dialog = await quote(order, 'Fay');
  await dialog.getByText('These amounts are valid for 0:0').waitFor();
  await dialog.getByText('The amounts are no longer valid. Nothing has happened.').waitFor();
  await dialog.getByRole('button', { name: 'Ask again' }).click();
  await dialog.getByRole('button', { name: 'Cancel 1 seat, €15.00 back' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.unroute('**/changes');
  expect((await shop.read(order.id)).refundDueAmount).toBe(1500);
});
