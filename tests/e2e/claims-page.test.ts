import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Body, createSaleIn, randomEmail, type SaleFixture } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let shop: Server;

/** The page of a shop, which sends what its address says. */
const page = `<!doctype html><title>Seats</title><script>
  async function send(method, url, token, body) {
    const headers = { authorization: 'Bearer ' + token, 'service-version': '2026-08-22' };
    if (body) Object.assign(headers, { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() });
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    return {
      status: response.status,
      body: await response.json(),
      policy: response.headers.get('ratelimit-policy'),
      requestId: response.headers.get('request-id'),
    };
  }
</script>`;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  shop = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  );
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  await new Promise((resolve) => shop?.close(resolve));
});

/** Opens the page of the shop with a token in its fragment. */
async function openShop(token: string): Promise<Page> {
  const tab = await (await browser.newContext()).newPage();
  const { port } = shop.address() as AddressInfo;
  await tab.goto(`http://localhost:${port}/seats#${token}`);
  return tab;
}

const send = (tab: Page, method: string, path: string, body?: object): Promise<Body> =>
  tab.evaluate(
    `send(${JSON.stringify(method)}, ${JSON.stringify(`${platform.baseUrl}${path}`)}, location.hash.slice(1), ${JSON.stringify(body) ?? 'undefined'})`,
  );

async function sellOpenSeat(): Promise<{ sale: SaleFixture; order: Body; token: string }> {
  const { unitId, secret } = await platform.newUnit();
  const call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
  const sale = await createSaleIn({ unitId, call });
  const { id } = await sale.placed({ items: [sale.ofType()], assignLater: true });
  await sale.confirm(id, {});
  const links = `${sale.path}/orders/${id}/claim-links`;
  const { body } = await sale.call('POST', links, { body: {} });
  return { sale, order: await sale.read(id), token: body.claimToken };
}

describe('a page of another origin', () => {
  test('reads the seats of its token and assigns one', async () => {
    const { sale, order, token } = await sellOpenSeat();
    const tab = await openShop(token);
    const [{ id }] = order.seats;
    expect(await send(tab, 'GET', '/v1/claims')).toMatchObject({
      status: 200,
      body: { seats: [{ id, status: 'open' }] },
      policy: expect.stringContaining('"claims"'),
      requestId: expect.stringMatching(/^req_/),
    });
    const email = randomEmail();
    const claimed = await send(tab, 'POST', `/v1/claims/${id}/assign`, { email });
    expect(claimed).toMatchObject({ status: 200, body: { status: 'assigned' } });
    expect(await sale.registrations()).toMatchObject([{ email, status: 'confirmed' }]);
  });

  test('reads why a claim is refused', async () => {
    const { order, token } = await sellOpenSeat();
    const path = `/v1/claims/${order.seats[0].id}/assign`;
    const wrong = await openShop(`ct_live_${'Qx7k'.repeat(8)}`);
    expect(await send(wrong, 'POST', path, { email: randomEmail() })).toMatchObject({
      status: 401,
      body: { error: { status: 'UNAUTHENTICATED' } },
    });
    const tab = await openShop(token);
    await send(tab, 'POST', path, { email: randomEmail() });
    expect(await send(tab, 'POST', path, { email: randomEmail() })).toMatchObject({
      status: 412,
      body: { error: { details: [{ reason: 'SEAT_NOT_OPEN', status: 'assigned' }] } },
    });
  });

  test('cannot use a key: the browser sends no other request', async () => {
    const { secret } = await platform.newUnit();
    const tab = await openShop(secret);
    await expect(send(tab, 'GET', '/v1/events')).rejects.toThrow('Failed to fetch');
  });
});
