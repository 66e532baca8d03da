import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
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
import { createSaleIn, pay, randomEmail, type SaleFixture } from './fixtures/checkout.ts';
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
  shop = await createSaleIn({ unitId, call }, { priceAmount: 2500, capacity: 50 });
  const startsAt = new Date(Date.now() + 60 * 86_400_000).toISOString();
  await call('PATCH', shop.path, { body: { startsAt, status: 'published' } });
  eventPath = `/u/${unitId}/events/${shop.eventId}`;
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const setPolicy = (automatic: boolean, percent = 80) =>
  platform.operator.call(setRefundPolicy, {
    businessUnitId: shop.unitId,
    eventId: shop.eventId,
    text: 'Ask us',
    bands: [{ daysBeforeStart: 14, percent, fixedFee: 500 }],
    automatic,
  });

/** A paid order of one seat for each of these people. */
async function sell(...names: string[]): Promise<{ id: string; registrationIds: string[] }> {
  const people = names.map((name) => ({ name, email: randomEmail() }));
  const items = [shop.ofType({ quantity: people.length, attendees: people })];
  const { id } = await shop.placed({ ...people[0], items });
  await pay((await shop.confirm(id)).body.paymentUrl);
  return shop.until(id, 'paid');
}

const seats = () => owner.page.getByRole('region', { name: 'Seats' });
const row = (name: string) => seats().getByRole('listitem').filter({ hasText: name });

describe.each([
  ['a large screen', 1440, 'light'],
  ['a phone in the dark', 390, 'dark'],
])('on %s', (_, width, theme) => {
  test('a seat that is cancelled by the policy shows what is due, what is kept, and is paid back', async () => {
    const { page } = owner;
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await setPolicy(false);
    const { id } = await sell('Ada', 'Bea', 'Cleo');
    await owner.visit(`${eventPath}/orders/${id}`);
    await setPolicy(false, 10);
    const policy = page.getByRole('region', { name: 'Refund policy' });
    await policy.getByText('Until 14 days before the start: 80 %, minus €5.00').waitFor();
    await row('Bea').getByRole('button', { name: 'Refund and cancel: Bea' }).click();
    const dialog = page.getByRole('dialog', { name: /^Refund and cancel in/ });
    await dialog.getByLabel('Cancel, and pay back what the policy says').check();
    await dialog
      .getByText(/^The policy of the order says what goes back\. Bea is cancelled/)
      .waitFor();
    await dialog.getByText('Until 14 days before the start: 80 %, minus €5.00').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `order-cancel-by-policy-${width}-${theme}`);
    await dialog.getByRole('button', { name: 'Cancel Bea' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('Bea').getByText('€15.00 due by the policy').waitFor();
    await row('Bea').getByText('€10.00 kept, with a fee of €5.00 · by rule 1').waitFor();
    expect(await row('Bea').getByText('Cancelled').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `order-due-${width}-${theme}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Pay it back' }).click();
    const refund = page.getByRole('dialog', { name: /^Refund/ });
    expect(await refund.getByLabel('Only what is due, €15.00').isChecked()).toBe(true);
    await refund.getByRole('button', { name: 'Refund €15.00' }).click();
    await refund.waitFor({ state: 'detached' });
    await row('Bea').getByText('€15.00 paid back by the policy').waitFor();
    const { refundedAmount, refundDueAmount, cancelledSeats } = await shop.read(id);
    expect([refundedAmount, refundDueAmount]).toEqual([1500, 0]);
    expect(cancelledSeats).toMatchObject([{ refundAmount: 1500, keptAmount: 1000 }]);
    // The rest is a decision of its own.
    await row('Bea').getByRole('button', { name: 'Refund: Bea' }).click();
    await dialog.getByRole('button', { name: 'Refund €10.00', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await shop.read(id)).refundedAmount).toBe(2500);
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  });
});

test('an automatic policy pays back without a step, and an order that ended unpaid shows its seats as cancelled', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 1440, height: 900 });
  await setPolicy(true);
  const { id, registrationIds } = await sell('Dora', 'Emil');
  await shop.call('POST', `${shop.path}/registrations/${registrationIds[1]}/cancel`);
  await owner.visit(`${eventPath}/orders/${id}`);
  await row('Emil').getByText('€15.00 paid back by the policy').waitFor();
  expect(await page.getByRole('button', { name: 'Pay it back' }).count()).toBe(0);
  const unpaid = await shop.placed({ name: 'Fay', email: randomEmail() });
  await owner.visit(`${eventPath}/orders/${unpaid.id}`);
  await row('Fay').getByText('€25.00').waitFor();
  expect(await row('Fay').getByText('Cancelled').count()).toBe(0);
  await shop.cancel(unpaid.id);
  await owner.visit(`${eventPath}/orders`);
  await owner.visit(`${eventPath}/orders/${unpaid.id}`);
  await row('Fay').getByText('Cancelled').waitFor();
});
