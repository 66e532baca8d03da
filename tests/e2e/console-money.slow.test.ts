import { findOrders } from '@event-api/contracts/operator/persons';
import { createVenue } from '@event-api/contracts/operator/program';
import { summarizeSales } from '@event-api/contracts/operator/sales';
import type { Role } from '@event-api/contracts/permissions';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
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

const phone = { width: 375, height: 812 };

let platform: PlatformFixture;
let browser: Browser;
let shop: SaleFixture;
let owner: Operator;
let onPhone: Operator;
let eventPath: string;

const operators: Operator[] = [];
async function signIn(role: Role, viewport?: { width: number; height: number }): Promise<Operator> {
  const as = { unitId: shop.unitId, role, ...(viewport && { viewport }) };
  const operator = await signInAs(platform, browser, as);
  operators.push(operator);
  return operator;
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  shop = await createSaleIn({ unitId, call }, { priceAmount: 2500, capacity: 50 });
  await shop.call('PATCH', shop.path, {
    body: { startsAt: '2030-05-10T09:00:00Z', status: 'published' },
  });
  eventPath = `/u/${unitId}/events/${shop.eventId}`;
  owner = await signIn('owner');
  onPhone = await signIn('owner', phone);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(operators.flatMap(({ failures }) => failures)).toEqual([]);
});

interface Sold {
  id: string;
  orderNumber: string;
  registrationIds: string[];
}

let count = 0;

/** A paid order of one seat for each of these people, whose names are unique. */
async function sell(...names: string[]): Promise<Sold & { names: string[] }> {
  count += 1;
  const people = names.map((name) => ({ name: `${name} ${count}`, email: randomEmail() }));
  const [buyer] = people;
  const items = [shop.ofType({ quantity: people.length, attendees: people })];
  const { id } = await shop.placed({ ...buyer, items });
  await pay((await shop.confirm(id)).body.paymentUrl);
  const order = await shop.until(id, 'paid');
  return { ...order, names: people.map(({ name }) => name) };
}

const registration = async (id = ''): Promise<Body> =>
  (await shop.call('GET', `${shop.path}/registrations/${id}`)).body;

const statusesOf = ({ registrationIds }: Sold) =>
  Promise.all(registrationIds.map(async (id) => (await registration(id)).status));

const open = (operator: Operator, { id }: Sold) => operator.visit(`${eventPath}/orders/${id}`);

test('the people of an order are on its page, with a way to each of them and back', async () => {
  const { page } = owner;
  const order = await sell('Ada', 'Bea');
  await open(owner, order);
  const people = page.getByRole('region', { name: 'Seats' });
  const rows = people.getByRole('listitem');
  await rows.nth(1).getByText('Confirmed').waitFor();
  expect(await rows.count()).toBe(2);
  const { checkinCode, email } = await registration(order.registrationIds[1]);
  await rows.nth(1).getByText(checkinCode).waitFor();
  await rows.nth(1).getByText(email).waitFor();
  await rows.nth(1).getByText('€25.00').waitFor();
  await rows.nth(1).getByRole('link', { name: order.names[1] }).click();
  await page.getByRole('heading', { level: 1, name: order.names[1] }).waitFor();
  expect(page.url()).toContain(`/registrations/${order.registrationIds[1]}`);
  await page.getByRole('link', { name: order.orderNumber }).first().click();
  await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('a person who is checked in at two doors counts once in the overview', async () => {
  const { page } = owner;
  const { registrationIds } = await sell('Ines');
  const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
  const { id: venueId } = await platform.operator.call(createVenue, { ...scope, name: 'Terrace' });
  for (const door of [{ subjectType: 'event' }, { subjectType: 'venue', subjectId: venueId }]) {
    const body = { registrationId: registrationIds[0], ...door };
    expect((await shop.call('POST', `${shop.path}/checkins`, { body })).status).toBe(201);
  }
  await owner.visit(eventPath);
  await page.locator('[data-figure="Checked in"]').filter({ hasText: /^1$/ }).waitFor();
  const { body } = await shop.call('GET', `${shop.path}/checkins/summary`);
  expect(body.checkedIn).toBe(2);
});

test('the buyer of an order is corrected on its page, or with the person who bought it', async () => {
  const { page } = owner;
  const order = await sell('Jana', 'Karl');
  await open(owner, order);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit the buyer' }).click();
  const dialog = page.locator('[role="dialog"]:not([aria-modal="false"])');
  const [email, right] = [randomEmail(), randomEmail()];
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel(/^Name/).fill('Company');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(`Company, ${email}`).waitFor();
  expect(await shop.read(order.id)).toMatchObject({ email, name: 'Company' });
  expect((await registration(order.registrationIds[0])).name).toBe(order.names[0]);

  const bought = await sell('Lena', 'Mona');
  const [buyer = '', other = ''] = bought.registrationIds;
  const edit = async (id: string, to: string) => {
    await owner.visit(`${eventPath}/registrations/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Email').fill(to);
    const also = dialog.getByLabel(`Also for the buyer of ${bought.orderNumber}`);
    if (id === buyer) await also.waitFor();
    expect(await also.count()).toBe(id === buyer ? 1 : 0);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await edit(other, randomEmail());
  await edit(buyer, right);
  expect((await registration(buyer)).email).toBe(right);
  expect(await shop.read(bought.id)).toMatchObject({ email: right, name: bought.names[0] });
});

describe.each([
  ['a desktop', () => owner],
  ['a phone', () => onPhone],
])('on %s', (_, operatorOf) => {
  test('one of three people is refunded and cancelled in two clicks from the order, and the list says so', async () => {
    const operator = operatorOf();
    const { page } = operator;
    const order = await sell('Cleo', 'Dora', 'Emil');
    const [buyer = '', name = ''] = order.names;
    await open(operator, order);
    const before = operator.clicks();
    await operator.click(page.getByRole('button', { name: `Refund and cancel: ${name}` }));
    const dialog = page.getByRole('dialog', { name: /^Refund and cancel in/ });
    const { email } = await registration(order.registrationIds[0]);
    await dialog
      .getByText(`€25.00 go back to ${email}. ${name} is cancelled: the badge opens no door.`)
      .waitFor();
    await operator.click(dialog.getByRole('button', { name: `Refund €25.00 and cancel ${name}` }));
    await page.getByText(`€25.00 are on the way back, ${name} is cancelled`).waitFor();
    expect(operator.clicks() - before).toBe(2);
    expect(await statusesOf(order)).toEqual(['confirmed', 'cancelled', 'confirmed']);
    expect((await shop.read(order.id)).refundedAmount).toBe(2500);
    const { checkinCode } = await registration(order.registrationIds[1]);
    const body = { checkinCode, subjectType: 'event' };
    const entered = await shop.call('POST', `${shop.path}/checkins`, { body });
    expect(entered.body.error.details).toMatchObject([{ reason: 'NOT_CONFIRMED' }]);
    // The page says the same, and offers nothing more for this person.
    const main = page.getByRole('main');
    await main.getByText('Partly refunded').first().waitFor();
    await main.getByText('€50.00', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Seats' }).getByText('Cancelled').waitFor();
    const again = page.getByRole('button', { name: new RegExp(`: ${name}$`) });
    expect(await again.count()).toBe(0);
    await operator.visit(`${eventPath}/orders?q=${order.orderNumber}`);
    const row = page.locator('[data-row]').filter({ hasText: order.orderNumber });
    for (const text of [buyer, email, '3 × ', '2 of 3', 'Partly refunded', '€50.00']) {
      await row.getByText(text).first().waitFor();
    }
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a person is refunded and cancelled in three clicks from the page of the person', async () => {
    const operator = operatorOf();
    const { page } = operator;
    const order = await sell('Fay', 'Gus');
    const [name = ''] = order.names;
    await operator.visit(`${eventPath}/registrations/${order.registrationIds[0]}`);
    const before = operator.clicks();
    await operator.click(page.getByRole('button', { name: 'More actions' }));
    await operator.click(page.getByRole('menuitem', { name: 'Cancel the registration' }));
    const dialog = page.getByRole('dialog', { name: /^Refund and cancel in/ });
    await dialog.getByText(new RegExp(`^€25.00 go back to .* ${name} is cancelled`)).waitFor();
    await operator.click(dialog.getByRole('button', { name: `Refund €25.00 and cancel ${name}` }));
    await page.getByText(`€25.00 are on the way back, ${name} is cancelled`).waitFor();
    expect(operator.clicks() - before).toBe(3);
    expect(await statusesOf(order)).toEqual(['cancelled', 'confirmed']);
    expect((await shop.read(order.id)).refundedAmount).toBe(2500);
  });
});

test('several people get their money back and keep their tickets, or are cancelled without it', async () => {
  const { page } = owner;
  const order = await sell('Hal', 'Ida', 'Jon');
  await open(owner, order);
  const dialog = page.getByRole('dialog', { name: /^Refund and cancel in/ });
  const choose = async (...names: string[]) => {
    await page.getByRole('button', { name: 'Refund or cancel several' }).click();
    for (const name of names) await dialog.getByLabel(name).check();
  };
  const [hal = '', ida = '', jon = ''] = order.names;
  await choose(hal, ida);
  await dialog.getByLabel('Refund €50.00 and keep the ticket').check();
  await dialog.getByText(/^€50.00 go back to .* Nobody is cancelled/).waitFor();
  await dialog.getByRole('button', { name: 'Refund €50.00', exact: true }).click();
  await page.getByText('€50.00 are on the way back').waitFor();
  expect(await statusesOf(order)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  // Whose price is back can only be cancelled.
  await page.getByRole('button', { name: `Cancel: ${hal}` }).waitFor();
  await choose(ida, jon);
  await dialog.getByLabel('Cancel without a refund').check();
  await dialog.getByText(`No money moves. ${ida} and ${jon} are cancelled`).waitFor();
  await dialog.getByRole('button', { name: `Cancel ${ida} and ${jon}` }).click();
  await page.getByText(`${ida} and ${jon} are cancelled`).first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await statusesOf(order)).toEqual(['confirmed', 'cancelled', 'cancelled']);
  expect((await shop.read(order.id)).refundedAmount).toBe(5000);
  // The money of the one who was cancelled without it can still go back.
  await page.getByRole('button', { name: `Refund: ${jon}` }).click();
  await dialog.getByRole('button', { name: 'Refund €25.00', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
  const { orders } = await platform.operator.call(findOrders, { ...scope, orderIds: [order.id] });
  expect(orders[0]?.seats.map(({ refundableAmount }) => refundableAmount)).toEqual([0, 0, 0]);
  expect([orders[0]?.status, orders[0]?.refundedAmount]).toEqual(['refunded', 7500]);
  expect(await statusesOf(order)).toEqual(['confirmed', 'cancelled', 'cancelled']);
});

test('a role without money sees the people of an order, and can only do what it may', async () => {
  const order = await sell('Kim', 'Lea');
  const [name = ''] = order.names;
  const actions: Record<string, string[]> = {};
  for (const role of ['organizer', 'finance', 'viewer'] as const) {
    const operator = await signIn(role);
    await open(operator, order);
    const people = operator.page.getByRole('region', { name: 'Seats' });
    await people.getByText(name).first().waitFor();
    const buttons = people.getByRole('button', { name: new RegExp(`: ${name}$`) });
    actions[role] = await buttons.evaluateAll((found: { textContent: string }[]) =>
      found.map(({ textContent }) => textContent),
    );
  }
  expect(actions).toEqual({
    organizer: ['Cancel'],
    finance: ['Refund and cancel'],
    viewer: [],
  });
});

test('the overview shows the money and people of the chosen period', async () => {
  const { page } = owner;
  await owner.visit(eventPath);
  const figure = (name: string) => page.locator(`[data-period-figure="${name}"]`);
  await figure('Net').getByText('€').first().waitFor();
  expect(await page.getByRole('button', { name: 'Last 7 days' }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  await figure('Net').getByText('€0.00 before').waitFor();
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const { totals } = await platform.operator.call(summarizeSales, {
    businessUnitId: shop.unitId,
    eventId: shop.eventId,
    from: day(-1),
    to: day(2),
    by: 'day',
  });
  const [total] = totals;
  const money = (amount = 0) => `€${(amount / 100).toFixed(2)}`;
  for (const [name, amount] of [
    ['Gross', total?.grossAmount],
    ['Refunded', total?.refundedAmount],
    ['Net', total?.netAmount],
  ] as const) {
    await figure(name).getByText(money(amount), { exact: true }).waitFor();
  }
  const people = (await shop.registrations()).length;
  await figure('Registrations').getByText(String(people), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await page.getByText('Compared with the 30 days before').waitFor();
  expect(page.url()).toContain('period=30');
  await page.getByRole('button', { name: 'Since the sale began' }).click();
  await page.getByText(/^Since \d+ \w+ \d+$/).waitFor();
  await figure('Net').getByText('before').waitFor({ state: 'detached' });
  await figure('Net').getByText(money(total?.netAmount), { exact: true }).waitFor();
  const sales = page.getByRole('table', { name: 'Sales per ticket type' });
  await sales.getByRole('cell', { name: money(total?.netAmount) }).waitFor();
  const all = page.getByRole('table', { name: 'Money' });
  await all.getByRole('cell', { name: money(total?.netAmount) }).waitFor();
  await page.getByText(/ of 50$/).waitFor();
  await page.getByRole('button', { name: 'Show revenue' }).click();
  const revenue = page.getByRole('region', { name: 'Revenue per day' });
  await revenue.getByText(/^€[\d,.]+ today, €[\d,.]+ yesterday$/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await onPhone.visit(`${eventPath}?period=all`);
  await onPhone.page.getByText(/^Since \d+ \w+ \d+$/).waitFor();
  const width = await onPhone.page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(phone.width);
});
