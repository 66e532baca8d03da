import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import { randomEmail } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let owner: Operator;
let page: Page;
let steps: Steps;
let path: string;
let eventPage: string;
let unitId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const unit = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  unitId = unit.unitId;
  steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${unit.secret}` }));
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = owner.page;
}, 600_000);
beforeEach(async () => {
  const { id } = await steps.create('/v1/events', { name: 'Fair', timezone: 'Europe/Berlin' });
  path = `/v1/events/${id}`;
  eventPage = `/u/${unitId}/events/${id}`;
});
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const group = (number: number) =>
  page.getByRole('group', { name: `Shared capacity ${number}`, exact: true });
const save = async () => {
  await owner.click(page.getByRole('button', { name: 'Save' }));
  await page.getByText('The settings are saved').first().waitFor();
};
const groups = async () => (await steps.get(path)).capacityGroups;
const createType = async (type: object) => {
  const { id } = await steps.create(`${path}/ticket-types`, type);
  await steps.patch(`${path}/ticket-types/${id}`, { status: 'open' });
  return id;
};

/** Stores a shared capacity and returns its id. */
async function createGroup(name: string, capacity: number): Promise<string> {
  const { capacityGroups } = await steps.patch(path, { capacityGroups: [{ name, capacity }] });
  return capacityGroups[0].id;
}

describe.each([
  ['a large screen', 1280, 'light'],
  ['a phone in the dark', 390, 'dark'],
])('the shared capacities on %s', (_, width, theme) => {
  test('are entered with the keyboard alone, and each bad entry is named at its field', async () => {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await owner.visit(`${eventPage}/settings`);
    await page.getByRole('button', { name: 'Add a shared capacity' }).focus();
    await page.keyboard.press('Enter');
    await group(1).getByLabel('Name of the room').focus();
    await page.keyboard.type('Main hall');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await group(1).getByText('Enter 1 or more').waitFor();
    await group(1).getByLabel('Seats in the room').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await group(1).getByText('Enter a value').waitFor();
    await page.keyboard.type('300');
    await page.getByRole('button', { name: 'Add a shared capacity' }).focus();
    await page.keyboard.press('Enter');
    await group(2).getByLabel('Name of the room').focus();
    await page.keyboard.type('Main hall');
    await page.keyboard.press('Tab');
    await page.keyboard.type('40');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await group(2).getByText('must not appear twice').waitFor();
    expect(await groups()).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `capacities-${width}-${theme}`);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await group(2).getByLabel('Name of the room').fill('Gallery');
    await save();
    await expect.poll(groups).toMatchObject([
      { name: 'Main hall', capacity: 300 },
      { name: 'Gallery', capacity: 40 },
    ]);
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  });
});

test('a renamed capacity keeps its tickets, and one that tickets use cannot be removed', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const capacityGroupId = await createGroup('Hall', 3);
  const day = await createType({ name: 'Day', capacityGroupId });
  const night = await createType({ name: 'Night', capacityGroupId });
  for (const registrationTypeId of [day, day, night]) {
    await steps.create(`${path}/registrations`, { email: randomEmail(), registrationTypeId });
  }
  await owner.visit(`${eventPage}/settings`);
  await group(1)
    .getByText('3 of 3 taken. Used by Day, Night. To remove it, choose another')
    .waitFor();
  expect(await group(1).getByRole('button').count()).toBe(0);
  await group(1).getByLabel('Seats in the room').fill('2');
  await group(1).getByText('More seats are taken than this').waitFor();
  await group(1).getByLabel('Seats in the room').fill('5');
  await group(1).getByLabel('Name of the room').fill('Large hall');
  await save();
  await expect.poll(groups).toEqual([{ id: capacityGroupId, name: 'Large hall', capacity: 5 }]);
  await steps.patch(`${path}/ticket-types/${day}`, { capacityGroupId: null });
  await steps.patch(`${path}/ticket-types/${night}`, { capacityGroupId: null });
  await page.reload();
  await group(1).getByText('0 of 5 taken. No ticket uses it.').waitFor();
  await group(1).getByRole('button', { name: 'Remove shared capacity 1' }).click();
  await save();
  await expect.poll(groups).toEqual([]);
});

test('a read of the tickets that fails is said, and the capacity can be changed', async () => {
  await createGroup('Hall', 3);
  await page.route('**/ticket-types?*', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 503, status: 'UNAVAILABLE' } } }),
  );
  await page.reload();
  await owner.visit(`${eventPage}/settings`);
  await page.getByText('cannot be reached at the moment').first().waitFor();
  await group(1).getByLabel('Seats in the room').fill('4');
  await save();
  await expect.poll(groups).toMatchObject([{ name: 'Hall', capacity: 4 }]);
  await page.unroute('**/ticket-types?*');
});

test('a ticket chooses its shared capacity by name, and the list shows it with the limits per order', async () => {
  await createGroup('Hall', 300);
  await owner.visit(`${eventPage}/tickets`);
  await owner.click(page.getByRole('button', { name: 'Add a ticket type' }).first());
  const dialog = page.getByRole('dialog', { name: 'Add a ticket type' });
  await dialog.getByLabel('Name', { exact: true }).fill('Table');
  await dialog.getByLabel('Minimum per order').fill('4');
  await dialog.getByLabel('Maximum per order').fill('3');
  await dialog.getByLabel('Shared capacity').selectOption('Hall');
  await owner.click(dialog.getByRole('button', { name: 'Create' }));
  await dialog.getByText('Maximum per order must be at least Minimum per order').waitFor();
  await dialog.getByLabel('Maximum per order').fill('8');
  await owner.click(dialog.getByRole('button', { name: 'Create' }));
  const row = page.locator('[data-row]').filter({ hasText: 'Table' });
  await row.getByText('shares Hall').waitFor();
  await row.getByText('4 to 8 per order').waitFor();
  await owner.click(page.getByRole('button', { name: 'Add an add-on' }));
  const addon = page.getByRole('dialog', { name: 'Add an add-on' });
  await addon.getByLabel('Name', { exact: true }).fill('Dinner');
  await addon.getByLabel('For sale').fill('20');
  await addon.getByLabel('Maximum per order').fill('2');
  await owner.click(addon.getByRole('button', { name: 'Create' }));
  await page
    .locator('[data-row]')
    .filter({ hasText: 'Dinner' })
    .getByText('up to 2 per order')
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('a copy of the event has the shared capacities, and its tickets use those of the copy', async () => {
  const capacityGroupId = await createGroup('Hall', 300);
  await createType({ name: 'Day', capacityGroupId });
  await owner.visit(`${eventPage}/settings`);
  await owner.click(page.getByRole('button', { name: 'Duplicate' }));
  const dialog = page.getByRole('dialog', { name: 'Duplicate Fair' });
  const name = `Fair of ${capacityGroupId}`;
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await owner.click(dialog.getByRole('button', { name: 'Create the copy' }));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByText(`${name} is created`).waitFor();
  const { events } = await steps.get('/v1/events');
  const copy = events.find((event: { name: string }) => event.name === name);
  expect(copy.capacityGroups).toMatchObject([{ name: 'Hall', capacity: 300 }]);
  const [{ id }] = copy.capacityGroups;
  expect(id).not.toBe(capacityGroupId);
  const { ticketTypes } = await steps.get(`/v1/events/${copy.id}/ticket-types`);
  expect(ticketTypes).toMatchObject([{ name: 'Day', capacityGroupId: id }]);
});
