import { getRefundDelay } from '@event-api/contracts/operator/refunds';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { createAwaitingPayment, createSaleIn, pay } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let owner: Operator;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

test('an operator sets when refunds are sent, and sees the time of each', async () => {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const shop = await createSaleIn({ unitId, call }, { priceAmount: 1000 });
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  const { page } = owner;
  const { id, url } = await createAwaitingPayment(shop);
  await shop.cancel(id);
  await pay(url, '?late=1');
  await shop.until(id, 'refund_due');

  await owner.visit(`/u/${unitId}/refunds`);
  await page.getByText('Sent by itself').waitFor();
  const isStored = () =>
    platform.operator
      .call(getRefundDelay, { businessUnitId: unitId })
      .then(({ refundAfterHours }) => refundAfterHours);
  const set = async (before: string, typed: string) => {
    await page.getByRole('button', { name: before }).click();
    const dialog = page.getByRole('dialog', { name: 'When money' });
    await dialog.getByLabel('After hours').fill(typed);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await set('Sent after 24 hours', '1');
  await page.getByRole('button', { name: 'Sent after 1 hour' }).waitFor();
  await expect.poll(isStored).toBe(1);
  await set('Sent after 1 hour', '0');
  await page.getByRole('button', { name: 'Sent at once' }).waitFor();
  await expect.poll(isStored).toBe(0);
  await set('Sent at once', '');
  await page.getByRole('button', { name: 'Sent by hand' }).waitFor();
  await expect.poll(isStored).toBeNull();
  // While refunds are sent by hand, none has a time.
  await expect.poll(() => page.getByText('Sent by itself').count()).toBe(0);
});
