import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { createSale, randomEmail, type SaleFixture } from './fixtures/checkout.ts';

let bus: BusFixture;
let browser: Browser;
let shop: SaleFixture;
let owner: Operator;
let eventPath: string;

beforeAll(async () => {
  [bus, browser] = await Promise.all([createBusFixture({ withConsole: true }), sharedBrowser()]);
  shop = await createSale(bus, { capacity: 10 });
  owner = await signInAs(bus, browser, { unitId: shop.unitId, role: 'owner' });
  eventPath = `/u/${shop.unitId}/events/${shop.eventId}`;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  await bus?.stop();
});

test('while the message bus is away, the pages that depend on it say what that means, and are up to date afterwards without a reload', async () => {
  const { page, visit } = owner;
  const notice = page.getByText('Messages between the parts of the platform are delayed.');
  const seats = page.getByText('1 of 10', { exact: true });
  await visit(`${eventPath}/tickets`);
  await page.evaluate('window.wasLoadedOnce = true');
  await page.getByText('0 of 10', { exact: true }).first().waitFor();
  expect(await notice.count()).toBe(0);
  await bus.nats.kill();
  try {
    await notice.filter({ hasText: 'Sold and free seats may be older than they look.' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const body = { email: randomEmail(), registrationTypeId: shop.typeId };
    expect((await shop.call('POST', `${shop.path}/registrations`, { body })).status).toBe(201);
    await visit(`${eventPath}/program`);
    await page.getByRole('heading', { level: 1, name: 'Program' }).waitFor();
    expect(await notice.count()).toBe(0);
    await visit(`${eventPath}/doors`);
    await notice.filter({ hasText: 'Doors stay open.' }).waitFor();
    await visit('/platform/system');
    const catalog = page.getByRole('row', { name: /^catalog/ });
    await catalog.getByText('Messages delayed').waitFor();
    await visit(`${eventPath}/tickets`);
    await notice.waitFor();
    expect(await seats.count()).toBe(0);
  } finally {
    await bus.nats.start();
  }
  await notice.waitFor({ state: 'detached' });
  await seats.first().waitFor();
  expect(await page.evaluate('window.wasLoadedOnce')).toBe(true);
  expect(owner.failures).toEqual([]);
});
