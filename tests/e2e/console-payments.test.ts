import { randomBytes } from 'node:crypto';
import { getPaymentAccount } from '@event-api/contracts/operator/payment-accounts';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
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

test('an operator sets up an account at the provider, uses a key instead, and disconnects it', async () => {
  const { unitId: businessUnitId } = await platform.newUnit();
  owner = await signInAs(platform, browser, { unitId: businessUnitId, role: 'owner' });
  const { page } = owner;
  const stored = () => platform.operator.call(getPaymentAccount, { businessUnitId });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await owner.visit(`/u/${businessUnitId}/payments`);
  await page.getByText('Payments go to the account of the platform').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await button('Set up an account').click();
  await page.getByRole('heading', { name: 'Set up your payment account' }).waitFor();
  await page.getByRole('link', { name: 'Go back' }).click();
  await page.getByText('Account that is being set up').waitFor();
  await page.getByText('external account').waitFor();
  await takePicture(page, 'console-payments-setup');
  expect(await violationsOf(page)).toEqual([]);
  const { setup } = await stored();
  await button('Go on at the provider').click();
  await button('Enter all that is needed').click();
  await expect.poll(async () => (await stored()).account).toBe('own');
  await page.reload();
  await page.getByText('Payments go to your own account').waitFor();
  await page.getByText('By the payment provider').waitFor();
  expect((await stored()).providerAccountId).toBe(setup?.providerAccountId);

  const key = `sandbox_sk_${randomBytes(12).toString('hex')}`;
  await button('Use a secret key').click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Connect the account' });
  await dialog.getByLabel('Secret key').fill('sandbox_sk_new0123456789abcdef');
  await dialog.getByLabel('Signing secret').fill(key);
  await save.click();
  await dialog.getByText('external_account').waitFor();
  await takePicture(page, 'console-payments-key');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel('Secret key').fill(key);
  await save.click();
  await page.getByText('By a secret key').waitFor();
  expect((await stored()).isConnected).toBe(false);

  await button('Disconnect').click();
  await button('Disconnect the account').click();
  await page.getByText('Payments go to the account of the platform').waitFor();
  expect(await stored()).toMatchObject({ account: 'platform', setup: null });
});

test.each([
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1280, height: 800 }],
] as const)('the page fits a %s', async (name, viewport) => {
  const { unitId } = await platform.newUnit();
  const finance = await signInAs(platform, browser, { unitId, role: 'finance' });
  await finance.page.setViewportSize(viewport);
  await finance.visit(`/u/${unitId}/payments`);
  await finance.page.getByText('Payments go to the account of the platform').waitFor();
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await finance.page.evaluate(overflow)).toBe(0);
  expect(await violationsOf(finance.page)).toEqual([]);
  await takePicture(finance.page, `console-payments-${name}`);
});
