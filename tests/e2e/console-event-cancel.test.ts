import { getEventCancellation } from '@event-api/contracts/operator/event-cancellation';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import { pay, urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let owner: Operator;
let page: Page;
let steps: Steps;
let businessUnitId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = owner.page;
  businessUnitId = unitId;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

/** A published event with a paid order and a person on its waitlist. */
async function soldEvent(): Promise<{ id: string; orderId: string; personId: string }> {
  const { id } = await steps.create('/v1/events', {
    ...{ name: 'Fair', timezone: 'Europe/Berlin', startsAt: '2027-05-10T09:00:00+02:00' },
  });
  const path = `/v1/events/${id}`;
  await steps.patch(path, { status: 'published' });
  const type = { name: 'Day', capacity: 1, priceAmount: 2500, allowWaitlist: true };
  const { id: typeId } = await steps.create(`${path}/ticket-types`, type);
  await steps.patch(`${path}/ticket-types/${typeId}`, { status: 'open' });
  const items = [{ itemType: 'registration_type', itemId: typeId }];
  const order = await steps.create(`${path}/orders`, { email: 'ada@example.com', items });
  const { paymentUrl } = await steps.post(`${path}/orders/${order.id}/confirm`, urls);
  await pay(paymentUrl);
  const readOrder = () => steps.get(`${path}/orders/${order.id}`);
  await expect.poll(async () => (await readOrder()).status).toBe('paid');
  const waiting = { email: 'bob@example.com', registrationTypeId: typeId };
  const { registration } = await steps.create(`${path}/registrations`, waiting);
  return { id, orderId: order.id, personId: registration.id };
}

/** Moves the focus with the keyboard alone until it is on the element. */
async function tabTo(target: Locator): Promise<void> {
  for (let turn = 0; turn < 80; turn++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not reach the element');
}

describe.each([
  ['a large screen, light', 1280, 'light'],
  ['a phone, dark', 390, 'dark'],
] as const)('a cancellation on %s', (look, width, colorScheme) => {
  test('is previewed, confirmed with the keyboard alone, and shows its progress and its end', async () => {
    const event = await soldEvent();
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await owner.visit(`/u/${businessUnitId}/events/${event.id}/settings`);
    const open = page.getByRole('button', { name: 'Cancel the event', exact: true });
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel Fair?' });
    const concerned = dialog.getByRole('region', { name: 'This concerns' });
    await concerned.getByText('€25.00 to 1 order').waitFor();
    await concerned.getByText('1 confirmed, 1 on the waitlist').waitFor();
    await dialog.getByText('2 people lose their registrations').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Cancel Fair', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    const choice = dialog.getByRole('radio', { name: /^Nothing/ });
    await tabTo(dialog.getByRole('radio').first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await choice.isChecked()).toBe(true);
    await expect.poll(() => concerned.getByText('€25.00').count()).toBe(0);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await concerned.getByText('€25.00 to 1 order').waitFor();
    await tabTo(dialog.getByLabel('To confirm, type “Fair”'));
    await page.keyboard.type('Fair');
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `event-cancel-preview-${look}`);
    await tabTo(confirm);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const progress = page.getByRole('region', { name: 'Cancellation' });
    await progress.getByText('nothing is left to do').waitFor();
    await progress.getByText('€25.00').waitFor();
    expect(await progress.getByText('2 of 2').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Cancel the event' }).count()).toBe(0);
    await page.getByText('its settings cannot change any more').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `event-cancel-finished-${look}`);
    const scope = { businessUnitId, eventId: event.id };
    const { cancellation } = await platform.operator.call(getEventCancellation, scope);
    expect(cancellation).toMatchObject({ refund: 'full', refunds: [{ sent: 2500 }] });
    for (const of of [`orders/${event.orderId}`, `registrations/${event.personId}`]) {
      await owner.visit(`/u/${businessUnitId}/events/${event.id}/${of}`);
      await page.getByRole('note').getByText('This event is cancelled.').waitFor();
    }
  });
});

test('an organizer, who may not move money, is offered no cancellation and sees its progress', async () => {
  const event = await soldEvent();
  const viewport = { width: 1280, height: 900 };
  const role = { unitId: businessUnitId, role: 'organizer', viewport } as const;
  const organizer = await signInAs(platform, browser, role);
  await organizer.visit(`/u/${businessUnitId}/events/${event.id}/settings`);
  const button = organizer.page.getByRole('button', { name: 'Cancel the event', exact: true });
  expect(await button.count()).toBe(0);
  expect(organizer.failures).toEqual([]);
});
