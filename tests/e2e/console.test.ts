import { randomUUID } from 'node:crypto';
import { inviteMember } from '@event-api/contracts/operator/members';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { type ConsoleClient, signIn } from '@event-api/tools/seed/console-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInAs } from './console/operator.ts';
import { type BusFixture, createBusFixture } from './fixtures/bus.ts';
import { createSale, fastRetries, pay, type SaleFixture } from './fixtures/checkout.ts';

/** The longer journeys run with `npm run test:full`. */
const isFull = process.env.TEST_SIZE === 'full';

interface Change {
  object: { id: string };
}

let bus: BusFixture;
let shop: SaleFixture;
let finance: ConsoleClient;
let viewer: ConsoleClient;

/** Signs a demo operator in and makes it a member of the shop. */
async function member(subject: string, role: 'finance' | 'viewer'): Promise<ConsoleClient> {
  const input = { businessUnitId: shop.unitId, role };
  const { link } = await bus.operator.call(inviteMember, input);
  const session = await signIn(bus.consoleUrl, subject);
  await session.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
  return session;
}

beforeAll(async () => {
  bus = await createBusFixture({ withConsole: true, env: { commerce: fastRetries } });
  shop = await createSale(bus, { priceAmount: 2500 });
  finance = await member('fiona', 'finance');
  viewer = await member('vera', 'viewer');
}, 600_000);
afterAll(() => bus?.stop());

async function paidOrder() {
  const { id } = await shop.placed();
  await pay((await shop.confirm(id)).body.paymentUrl);
  await shop.until(id, 'paid');
  const input = {
    businessUnitId: shop.unitId,
    eventId: shop.eventId,
    orderId: id,
    amount: 100,
  };
  const refund = (client: ConsoleClient, key: string) =>
    client.send(`/api/units/${shop.unitId}/operator/order.refund`, {
      method: 'POST',
      body: input,
      headers: { 'idempotency-key': key },
    });
  return { id, refund, refunded: async () => (await shop.read(id)).refundedAmount };
}

describe('a refund in the console', () => {
  test('that is submitted twice with one Idempotency-Key refunds once', async () => {
    const { refund, refunded } = await paidOrder();
    const key = randomUUID();
    const results = await Promise.all([refund(finance, key), refund(finance, key)]);
    expect(results.map(({ status }) => status).toSorted()[0]).toBe(200);
    for (const { status, body } of results.filter((result) => result.status !== 200)) {
      expect([status, body.error.status]).toEqual([409, 'ABORTED']);
    }
    expect((await refund(finance, key)).status).toBe(200);
    expect(await refunded()).toBe(100);
  });

  test('without the permission of the role is a 403 and refunds nothing', async () => {
    const { refund, refunded } = await paidOrder();
    const { status, body } = await refund(viewer, randomUUID());
    expect([status, body.error.status]).toEqual([403, 'PERMISSION_DENIED']);
    expect(await refunded()).toBe(0);
  });

  test('is a change by the operator', async () => {
    const { refund, id } = await paidOrder();
    await refund(finance, randomUUID());
    await eventually(async () => {
      const { changes } = (await shop.call('GET', '/v1/changes?limit=1000')).body;
      const last = changes.findLast((change: Change) => change.object.id === id);
      expect(last.actor).toMatchObject({ type: 'operator', id: expect.stringMatching(/^opr_/) });
    });
  });
});

describe('the live page of an event', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await sharedBrowser();
    const { unitId, eventId } = shop;
    const owner = await signInAs(bus, browser, { unitId, role: 'owner' });
    ({ page } = owner);
    await owner.visit(`/u/${unitId}/events/${eventId}`);
    await page.evaluate('window.wasLoadedOnce = true');
  });
  afterAll(() => closeContexts(browser));

  const isLive = () => page.getByText('Live', { exact: true }).waitFor();
  const isNotLive = () => page.getByText(/^(Reconnecting|Not live)/).waitFor();
  const figure = () => page.locator('[data-figure="Confirmed"]');

  /** Registers a person during an outage, and waits until the page counts it, without a reload. */
  async function countsWhatHappensDuring(
    begin: () => Promise<unknown>,
    end: () => Promise<unknown>,
  ): Promise<void> {
    await isLive();
    await figure().filter({ hasText: /^\d+$/ }).waitFor();
    const before = Number(await figure().textContent());
    await begin();
    try {
      await isNotLive();
      const body = { email: `${randomUUID()}@example.com`, registrationTypeId: shop.typeId };
      const { status } = await shop.call('POST', `${shop.path}/registrations`, { body });
      expect(status).toBe(201);
    } finally {
      await end();
    }
    await isLive();
    await figure()
      .filter({ hasText: new RegExp(`^${before + 1}$`) })
      .waitFor();
    expect(await page.evaluate('window.wasLoadedOnce')).toBe(true);
  }

  test('says that it is not live after its stream broke, reconnects, and shows what happened meanwhile', () =>
    countsWhatHappensDuring(
      () => bus.processes.stop('console', 'SIGKILL'),
      () => bus.processes.restart('console'),
    ));

  test.runIf(isFull)(
    'says that it is not live while the change feed is away, and shows what happened meanwhile',
    () =>
      countsWhatHappensDuring(
        () => bus.processes.stop('changes', 'SIGKILL'),
        () => bus.processes.restart('changes'),
      ),
  );

  test.runIf(isFull)('is live again after both the stream and the change feed were away', () =>
    countsWhatHappensDuring(
      async () => {
        await bus.processes.stop('changes', 'SIGKILL');
        await isNotLive();
        await bus.processes.stop('console', 'SIGKILL');
      },
      async () => {
        await bus.processes.restart('changes');
        await bus.processes.restart('console');
      },
    ),
  );

  test.runIf(isFull)('notices that its stream is silent, and shows what happened meanwhile', () =>
    countsWhatHappensDuring(
      () => bus.processes.stall('console'),
      async () => bus.processes.resume('console'),
    ),
  );
});

describe.runIf(isFull)('while commerce is away', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
    await paidOrder();
  });
  afterAll(() => closeContexts(browser));

  test('a page names it and the rest works, until it is back', async () => {
    const { unitId, eventId } = shop;
    const { page, visit } = await signInAs(bus, browser, { unitId, role: 'owner' });
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
    const { page, visit } = await signInAs(bus, browser, { unitId, role: 'owner' });
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

test('a member reads what an integrator has just written', async () => {
  const created = await shop.call('POST', `${shop.path}/ticket-types`, { body: { name: 'Late' } });
  expect(created.status).toBe(201);
  const path = `/api/units/${shop.unitId}${shop.path}/ticket-types/${created.body.id}`;
  expect((await viewer.send(path)).status).toBe(200);
  const missing = await viewer.send(`/api/units/${shop.unitId}/v1/events/evt_missing`);
  expect(missing.status).toBe(404);
});
