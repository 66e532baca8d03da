import { randomUUID } from 'node:crypto';
import { inviteMember } from '@event-api/contracts/operator/members';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { type ConsoleClient, signIn } from '@event-api/tools/seed/console-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countsDuring, openLivePage } from './console/live-page.ts';
import { signInAs } from './console/operator.ts';
import { createSaleIn, pay, type SaleFixture } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

interface Change {
  object: { id: string };
}

let platform: PlatformFixture;
let browser: Browser;
let shop: SaleFixture;
let finance: ConsoleClient;
let viewer: ConsoleClient;

/** Signs a demo operator in and makes it a member of the shop. */
async function member(subject: string, role: 'finance' | 'viewer'): Promise<ConsoleClient> {
  const input = { businessUnitId: shop.unitId, role };
  const { link } = await platform.operator.call(inviteMember, input);
  const session = await signIn(platform.consoleUrl, subject);
  await session.post('/api/invitations/accept', { token: new URL(link).hash.slice(1) });
  return session;
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  shop = await createSaleIn({ unitId, call }, { priceAmount: 2500 });
  finance = await member('fiona', 'finance');
  viewer = await member('vera', 'viewer');
}, 600_000);
afterAll(() => closeContexts(browser));

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

test('the live page of an event says that it is not live without a connection, and shows what happened meanwhile', async () => {
  const { unitId } = shop;
  const { context, page, visit } = await signInAs(platform, browser, { unitId, role: 'owner' });
  await openLivePage({ page, visit }, shop);
  // Such reads share their responses with other pages.
  const isShared = page.waitForRequest((request) => 'live-read' in request.headers());
  await countsDuring(page, shop, {
    begin: () => context.setOffline(true),
    end: () => context.setOffline(false),
  });
  await isShared;
});

test('a member reads what an integrator has just written', async () => {
  const created = await shop.call('POST', `${shop.path}/ticket-types`, { body: { name: 'Late' } });
  expect(created.status).toBe(201);
  const path = `/api/units/${shop.unitId}${shop.path}/ticket-types/${created.body.id}`;
  expect((await viewer.send(path)).status).toBe(200);
  const missing = await viewer.send(`/api/units/${shop.unitId}/v1/events/evt_missing`);
  expect(missing.status).toBe(404);
});
