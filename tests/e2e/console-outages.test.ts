import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countsDuring, isNotLive, openLivePage } from './console/live-page.ts';
import { type Operator, signInAs } from './console/operator.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { createSale, fastRetries, pay, type SaleFixture } from './fixtures/checkout.ts';

describe.runIf(process.env.TEST_SIZE === 'full')('the console', () => {
  let bus: BusFixture;
  let browser: Browser;
  let shop: SaleFixture;
  const owner = (): Promise<Operator> =>
    signInAs(bus, browser, { unitId: shop.unitId, role: 'owner' });

  beforeAll(async () => {
    bus = await createBusFixture({ withConsole: true, env: { commerce: fastRetries } });
    browser = await sharedBrowser();
    shop = await createSale(bus, { priceAmount: 2500 });
    const { id } = await shop.placed();
    await pay((await shop.confirm(id)).body.paymentUrl);
    await shop.until(id, 'paid');
  }, 600_000);
  afterAll(async () => {
    await closeContexts(browser);
    await bus?.stop();
  });

  describe('on the live page of an event', () => {
    let page: Page;
    beforeAll(async () => {
      const operator = await owner();
      ({ page } = operator);
      await openLivePage(operator, shop);
    });

    test('says that it is not live after its stream broke, reconnects, and shows what happened meanwhile', () =>
      countsDuring(page, shop, {
        begin: () => bus.processes.stop('console', 'SIGKILL'),
        end: () => bus.processes.restart('console'),
      }));

    test('says that it is not live while the change feed is away, and shows what happened meanwhile', () =>
      countsDuring(page, shop, {
        begin: () => bus.processes.stop('changes', 'SIGKILL'),
        end: () => bus.processes.restart('changes'),
      }));

    test('is live again after both the stream and the change feed were away', () =>
      countsDuring(page, shop, {
        async begin() {
          await bus.processes.stop('changes', 'SIGKILL');
          await isNotLive(page);
          await bus.processes.stop('console', 'SIGKILL');
        },
        async end() {
          await bus.processes.restart('changes');
          await bus.processes.restart('console');
        },
      }));

    test('notices that its stream is silent, and shows what happened meanwhile', () =>
      countsDuring(page, shop, {
        begin: () => bus.processes.stall('console'),
        end: async () => bus.processes.resume('console'),
      }));
  });

  describe.each([
    {
      part: 'registration',
      named: 'Registrations and codes',
      page: 'registrations',
      other: { page: 'orders', table: 'Orders' },
    },
    {
      part: 'onsite',
      named: 'Doors, program and exhibitors',
      page: 'exhibitors',
      other: { page: 'registrations', table: 'Registrations' },
    },
    {
      part: 'catalog',
      named: 'Events, tickets and perks',
      page: 'tickets',
      other: { page: '../../keys', table: 'API keys' },
    },
    {
      part: 'gateway',
      named: 'API keys and business units',
      page: '../../keys',
      other: { page: 'registrations', table: 'Registrations' },
      // It has no names of business units in its memory.
      restartsConsole: true,
    },
  ])('while $part is away', ({ part, named, page: path, other, restartsConsole }) => {
    test('a page names it and another one works, until it is back', async () => {
      const { page, visit } = await owner();
      const base = `http://console/u/${shop.unitId}/events/${shop.eventId}/`;
      const pathOf = (relative: string) => new URL(relative, base).pathname;
      const open = () => page.goto(`${bus.consoleUrl}${pathOf(path)}`);
      const banner = page.getByText(`${named} cannot be reached`);
      await bus.processes.stop(part);
      try {
        if (restartsConsole) {
          await bus.processes.stop('console');
          await bus.processes.restart('console');
        }
        await open();
        await banner.waitFor();
        await visit(pathOf(other.page));
        await page.getByRole('table', { name: other.table }).waitFor();
        expect(await banner.count()).toBe(0);
        await open();
        await banner.waitFor();
      } finally {
        await bus.processes.restart(part);
      }
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await banner.waitFor({ state: 'detached' });
    });
  });

  describe('while commerce is away', () => {
    test('a page names it and the rest works, until it is back', async () => {
      const { unitId, eventId } = shop;
      const { page, visit } = await owner();
      const eventPath = `/u/${unitId}/events/${eventId}`;
      await visit(`${eventPath}/orders`);
      await bus.processes.stop('commerce');
      try {
        await page.reload();
        await page.getByText(/Orders and money cannot be reached/).waitFor();
        await visit(`${eventPath}/tickets`);
        await page.getByText('Ticket types').first().waitFor();
        expect(await page.getByText(/cannot be reached/).count()).toBe(0);
        await visit(`${eventPath}/registrations`);
        await page.getByRole('table', { name: 'Registrations' }).waitFor();
        await visit(eventPath);
        await page.getByText('something may be missing here').waitFor();
        expect(await page.getByText('Nothing needs your attention').count()).toBe(0);
        await visit(`${eventPath}/orders`);
      } finally {
        await bus.processes.restart('commerce');
      }
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('table', { name: 'Orders' }).waitFor();
    });

    test('because it hangs, a page names it within seconds and its other parts work, until it responds', async () => {
      const { unitId, eventId } = shop;
      const { page, visit } = await owner();
      const eventPath = `/u/${unitId}/events/${eventId}`;
      // From here the test can move the timers of the page forward.
      await page.clock.install();
      await visit(`${eventPath}/registrations`);
      const banner = page.getByText(/Orders and money cannot be reached/);
      await bus.processes.stall('commerce');
      try {
        const startedAt = performance.now();
        await page.evaluate(`__TSR_ROUTER__.navigate({ href: '${eventPath}' })`);
        await banner.waitFor();
        // A command has 25 seconds.
        expect(performance.now() - startedAt).toBeLessThan(12_000);
        await page.locator('[data-figure="Confirmed"]').filter({ hasText: /^\d+$/ }).waitFor();
        await page.getByText('Live', { exact: true }).waitFor();
        await visit(`${eventPath}/registrations`);
        await page
          .getByRole('table', { name: 'Registrations' })
          .locator('tbody tr')
          .first()
          .waitFor();
        expect(await banner.count()).toBe(0);
        await visit(eventPath);
        await banner.waitFor();
      } finally {
        bus.processes.resume('commerce');
      }
      await page.clock.runFor(15_000);
      await banner.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Show revenue' }).click();
      await page.getByRole('region', { name: 'Revenue per day' }).waitFor();
    });
  });
});
