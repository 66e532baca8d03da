import { listTaxRates } from '@event-api/contracts/operator/tax-rates';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { createSaleIn } from './fixtures/checkout.ts';
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

test('an operator creates a tax rate, taxes a ticket with it, sees it in an order and archives it', async () => {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const shop = await createSaleIn({ unitId, call }, { priceAmount: 10_000 });
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  const { page } = owner;
  const ratesOf = async () =>
    (await platform.operator.call(listTaxRates, { businessUnitId: unitId })).taxRates;

  await owner.visit(`/u/${unitId}/taxes`);
  await page.getByText('No tax rates yet').waitFor();
  await page.getByRole('button', { name: 'New tax rate' }).first().click();
  const creation = page.getByRole('dialog', { name: 'New tax rate' });
  await creation.getByLabel('Name').fill('VAT 8.25 %');
  await creation.getByLabel('Percentage').fill('8.25');
  await creation.getByLabel('Prices').selectOption('exclusive');
  expect(await violationsOf(page)).toEqual([]);
  await creation.getByRole('button', { name: 'New tax rate' }).click();
  await creation.waitFor({ state: 'detached' });
  await expect
    .poll(ratesOf)
    .toMatchObject([{ name: 'VAT 8.25 %', percentage: 825, mode: 'exclusive', archivedAt: null }]);

  await owner.visit(`/u/${unitId}/events/${shop.eventId}/tickets`);
  await page.getByRole('button', { name: 'Standard' }).first().click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Standard' });
  await edit.getByLabel('Tax rate').selectOption({ label: 'VAT 8.25 %' });
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.waitFor({ state: 'detached' });

  const address = { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' };
  const { id } = await shop.placed({ billing: { company: 'Engines GmbH', address } });
  await owner.visit(`/u/${unitId}/events/${shop.eventId}/orders/${id}`);
  const items = page.getByRole('table', { name: 'Items' });
  await items.getByText('VAT 8.25 %').waitFor();
  expect(await items.getByRole('row').last().getByRole('cell').allTextContents()).toEqual([
    ...['Total', '', '', '€100.00', '€8.25', '€108.25'],
  ]);
  await page.getByText('Engines GmbH').waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await owner.visit(`/u/${unitId}/taxes`);
  await page.getByRole('button', { name: 'Archive VAT 8.25 %' }).click();
  const archive = page.getByRole('dialog', { name: 'Archive VAT 8.25 %?' });
  await archive.getByRole('button', { name: 'Archive VAT 8.25 %' }).click();
  await page.getByText('VAT 8.25 % is archived').waitFor();
  const [rate] = await ratesOf();
  expect(rate?.archivedAt).not.toBeNull();
});
