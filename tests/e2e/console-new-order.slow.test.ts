import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { expectStatus } from './fixtures/bus.ts';
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
let unitId: string;
let eventPath: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const unit = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  unitId = unit.unitId;
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${unit.secret}` });
  shop = await createSaleIn({ unitId, call }, { name: 'Day', priceAmount: 2500, capacity: 20 });
  await call('PATCH', shop.path, {
    body: { startsAt: '2030-05-10T09:00:00Z', status: 'published' },
  });
  const addon = { name: 'Lunch', priceAmount: 0 };
  const { id } = await expectStatus(call, ['POST', `${shop.path}/addons`, addon]);
  await expectStatus(call, ['PATCH', `${shop.path}/addons/${id}`, { status: 'open' }]);
  eventPath = `/u/${unitId}/events/${shop.eventId}`;
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const looks = [
  ['a large screen', 1440, 'light'],
  ['a phone in the dark', 390, 'dark'],
] as const;

async function look(width: number, theme: string): Promise<void> {
  await owner.page.setViewportSize({ width, height: 900 });
  await owner.page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
}

const dialogOf = (name: string | RegExp): Locator => owner.page.getByRole('dialog', { name });
const placing = () => dialogOf('Place an order');

async function open(): Promise<Locator> {
  await owner.visit(`${eventPath}/orders`);
  await owner.page.getByRole('button', { name: 'New order' }).click();
  await placing().getByLabel('Email of the buyer').waitFor();
  return placing();
}

const submit = () => placing().getByRole('button', { name: 'Place order' }).click();

const newestOrder = async (): Promise<Body> =>
  (await expectStatus(shop.call, ['GET', `${shop.path}/orders?limit=1`])).orders[0];

describe.each(looks)('on %s', (_, width, theme) => {
  test('tickets for a group are sold with the keyboard alone, and the link is paid', async () => {
    const { page } = owner;
    await look(width, theme);
    await owner.visit(`${eventPath}/orders`);
    await page.getByRole('button', { name: 'New order' }).focus();
    await page.keyboard.press('Enter');
    await placing()
      .getByLabel(/^Day, /)
      .waitFor();
    const [buyer, ada] = [randomEmail(), randomEmail()];
    const words = ['3', '2', buyer, 'Grace', `${ada}, Ada`, '', 'https://shop.example.com/thanks'];
    for (const [n, text] of words.entries()) {
      if (n > 0) await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `new-order-${width}-${theme}`);
    await page.keyboard.press('Enter');
    const done = dialogOf(/^Order ORD-.* is placed$/);
    await done.getByText('€75.00 is to be paid.').waitFor();
    const link = await done
      .getByRole('button', { name: /^Copy the payment link: / })
      .getAttribute('aria-label');
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `new-order-placed-${width}-${theme}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await pay(link?.split(': ')[1] ?? '');
    const { id } = await newestOrder();
    expect(await shop.until(id, 'paid')).toMatchObject({
      ...{ email: buyer, name: 'Grace', totalAmount: 7500 },
      items: [{ quantity: 3, attendees: [{ email: ada, name: 'Ada' }] }, { quantity: 2 }],
      seats: [{ status: 'assigned' }, { status: 'open' }, { status: 'open' }],
    });
    await done.getByRole('link', { name: 'Open the order' }).click();
    await page.getByText('2 seats are sold without a name').waitFor();
    await look(1440, 'light');
  });
});

test('an order without cost is confirmed at once, and the next one begins with empty fields', async () => {
  const discount = { type: 'percent', value: 100 };
  const made = { registrationTypeId: shop.typeId, discount };
  const { redemptionCodes } = await expectStatus(shop.call, [
    ...(['POST', `${shop.path}/redemption-codes`, made] as const),
  ]);
  const dialog = await open();
  const buyer = randomEmail();
  await dialog.getByLabel(/^Day, /).fill('1');
  await dialog.getByLabel('Email of the buyer').fill(buyer);
  await dialog.getByLabel('Redemption code').fill(redemptionCodes[0].code);
  // The code decides whether anything is to be paid.
  await dialog.getByLabel('Page after the payment').fill('https://shop.example.com/');
  await submit();
  const done = dialogOf(/ is placed$/);
  await done.getByText('Nothing is to be paid.').waitFor();
  expect(await newestOrder()).toMatchObject({
    ...{ email: buyer, status: 'paid', totalAmount: 0 },
    seats: [{ status: 'assigned' }],
  });
  await done.getByRole('button', { name: 'Another order' }).click();
  expect(await placing().getByLabel('Email of the buyer').inputValue()).toBe('');
  await placing()
    .getByLabel(/^Day, /)
    .fill('1');
  // Remembered from the last order.
  expect(await placing().getByLabel('Page after the payment').inputValue()).toBe(
    'https://shop.example.com/',
  );
  await placing().getByLabel('Email of the buyer').fill(buyer);
  await submit();
  const again = dialogOf(`${buyer} is registered already. Nothing was ordered.`);
  await again.getByRole('link', { name: 'Open the person' }).waitFor();
  await again.getByRole('button', { name: 'Done' }).click();
});

test('what cannot be ordered is named at its field, and what was typed stays', async () => {
  const dialog = await open();
  await dialog.getByLabel('Email of the buyer').fill(randomEmail());
  await submit();
  await dialog.getByText('Choose a quantity of at least one item.').first().waitFor();
  await dialog.getByLabel(/^Day, /).fill('1');
  await dialog.getByLabel('Page after the payment').fill('https://shop.example.com/');
  await dialog.getByLabel('Who comes').fill(`${randomEmail()}\n${randomEmail()}`);
  await submit();
  await dialog.getByText('Line 2 no open seat is left').first().waitFor();
  expect(await violationsOf(owner.page)).toEqual([]);
  await dialog.getByLabel('Who comes').fill('');
  await dialog.getByLabel(/^Day, /).fill('21');
  await submit();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByLabel(/^Day, /).inputValue()).toBe('21');
});

test('a role that sells nothing has no button', async () => {
  const finance = await signInAs(platform, browser, { unitId, role: 'finance' });
  await finance.visit(`${eventPath}/orders`);
  expect(await finance.page.getByRole('button', { name: 'New order' }).count()).toBe(0);
  expect(finance.failures).toEqual([]);
});
