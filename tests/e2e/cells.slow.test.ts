import * as api from '@event-api/client';
import { createClient, EventApiError, verifyWebhook } from '@event-api/client';
import { pairDevice } from '@event-api/contracts/operator/devices';
import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { apiProcessNames } from '@event-api/contracts/topology';
import { launchBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CellName, type Cells, cellNames, pathOf, startCells } from './fixtures/cells.ts';
import { pay, urls } from './fixtures/checkout.ts';
import { startWebhookReceiver, type WebhookReceiver } from './fixtures/webhook-receiver.ts';

let cells: Cells;
let receiver: WebhookReceiver;
let browser: Browser;

const processNames = [...apiProcessNames, 'payment-sandbox'];

beforeAll(async () => {
  cells = await startCells();
  receiver = await startWebhookReceiver();
  browser = await launchBrowser();
});
afterAll(async () => {
  await receiver?.close();
  await browser?.close();
  await cells?.stop();
});

/** A unit of a cell with a key, and clients that know nothing but the address of the proxy. */
async function newUnit(name: CellName) {
  const { operator } = cells.platformOf(name);
  const unit = await operator.call(createUnit, { name: 'A unit', cell: name });
  const key = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'A key',
    rateLimitPerMinute: 100_000,
  });
  const clientOf = (apiKey: string) =>
    createClient({ baseUrl: cells.proxy.url, apiKey, maxRetries: 0 });
  return { unit, key, clientOf, client: clientOf(key.secret ?? '') };
}

/** Pairs a new browser at the door of an event: it opens the QR, or a person types the short code. */
async function pair(
  name: CellName,
  scope: { eventId: string; businessUnitId: string },
  by: 'QR' | 'short code',
) {
  const device = await cells.platformOf(name).operator.call(pairDevice, {
    ...{ ...scope, name: 'Door' },
    doors: [{ subjectType: 'event' }],
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  // Any scanner page sends a short code to its cell.
  await page.goto(by === 'QR' ? (device.url ?? '') : `${cells.proxy.url}/scanner/`);
  if (by === 'short code') {
    await page.getByLabel('Pairing code').fill(device.shortCode ?? '');
    await page.getByRole('button', { name: 'Pair' }).click();
  }
  await page.getByText(/^Ready for offline/).waitFor();
  const workerScope = await page.evaluate<string>(
    'navigator.serviceWorker.ready.then(({ scope }) => scope)',
  );
  const own = by === 'QR' && name !== null ? `${name} pairing` : 'pairing';
  const stored = String(await page.evaluate(`localStorage.getItem("${own}")`));
  await context.close();
  return { url: device.url ?? '', workerScope, token: JSON.parse(stored).token as string };
}

describe.each(cellNames)('a unit of the cell %s', (name) => {
  const mark = name === null ? '' : `${name}_`;

  test('sells, is paid, admits and reports through the one address', async () => {
    const { unit, key, client, clientOf } = await newUnit(name);
    expect(unit.cell).toBe(name);
    expect(key.secret).toMatch(new RegExp(`^sk_live_${mark}[0-9A-Za-z]{32}$`));
    const endpoint = await api.createWebhookEndpoint({ client, body: { url: receiver.url } });
    const event = await api.createEvent({
      client,
      body: { name: 'Summit', timezone: 'Europe/Berlin', startsAt: new Date().toISOString() },
    });
    const path = { eventId: event.id };
    await api.updateEvent({ client, path, body: { status: 'published' } });
    const newType = async (priceAmount: number) => {
      const body = { name: `At ${priceAmount}`, capacity: 10, priceAmount };
      const { id: typeId } = await api.createTicketType({ client, path, body });
      const open = { client, path: { ...path, typeId }, body: { status: 'open' } as const };
      return (await api.updateTicketType(open)).id;
    };
    const [free, paid] = [await newType(0), await newType(1500)];
    const { registration } = await api.createRegistration({
      client,
      path,
      body: { email: 'ada@example.com', registrationTypeId: free },
    });
    expect(registration.status).toBe('confirmed');
    const codes = await api.createRedemptionCodes({
      client,
      path,
      body: { registrationTypeId: paid, code: 'FRIENDS' },
    });
    expect(codes).toBeTruthy();

    // The notification of the payment arrives at the path of the cell, through the proxy.
    const order = await api.placeOrder({
      client,
      path,
      body: {
        email: 'grace@example.com',
        items: [{ itemType: 'registration_type', itemId: paid }],
      },
    });
    if (!('id' in order)) throw new Error('the buyer is registered already');
    const orderPath = { ...path, orderNumber: order.id };
    const { paymentUrl } = await api.confirmOrder({ client, path: orderPath, body: urls });
    expect(await pay(paymentUrl ?? '')).toBeLessThan(400);
    await eventually(async () => {
      const { status } = await api.getOrder({ client, path: { ...path, orderId: order.id } });
      expect(status).toBe('paid');
    });

    // The proxy sends the token of a claim link to its cell.
    const items = [{ itemType: 'registration_type' as const, itemId: free }];
    const body = { email: 'team@example.com', assignLater: true, items };
    const team = await api.placeOrder({ client, path, body });
    if (!('id' in team)) throw new Error('the buyer is registered already');
    const teamPath = { ...path, orderNumber: team.id };
    await api.confirmOrder({ client, path: teamPath });
    const { claimToken } = await api.createClaimLink({ client, path: teamPath, body: {} });
    expect(claimToken).toMatch(new RegExp(`^ct_live_${mark}[0-9A-Za-z]{32}$`));
    const claimant = clientOf(claimToken ?? '');
    const { seats } = await api.getClaim({ client: claimant });
    const claimed = await api.assignClaimedSeat({
      client: claimant,
      path: { seatId: seats[0]?.id ?? '' },
      body: { email: 'nia@example.com' },
    });
    expect(claimed.registrationStatus).toBe('confirmed');

    // A device by the QR and one by the short code.
    const scope = { ...path, businessUnitId: unit.id };
    const byQr = await pair(name, scope, 'QR');
    const scanner = `${cells.proxy.url}${pathOf(name)}/scanner/`;
    expect(byQr.url).toMatch(new RegExp(`^${scanner}#pc_live_${mark}`));
    expect(byQr.workerScope).toBe(scanner);
    const byShortCode = await pair(name, scope, 'short code');
    for (const { token } of [byQr, byShortCode])
      expect(token).toMatch(new RegExp(`^dk_live_${mark}`));
    const { alreadyCheckedIn } = await api.createCheckin({
      client: clientOf(byShortCode.token),
      path,
      body: { checkinCode: registration.checkinCode, subjectType: 'event' },
    });
    expect(alreadyCheckedIn).toBe(false);

    // The feed and the webhooks have all of it, and the webhooks name their cell.
    await eventually(async () => {
      const { changes } = await api.listChanges({ client, query: { limit: 100 } });
      const types = changes.map((change) => change.type);
      expect(types).toEqual(
        expect.arrayContaining(['registration.created', 'order.paid', 'checkin.created']),
      );
    });
    await eventually(() => {
      const own = receiver.received.filter(({ body }) => body.includes(event.id));
      expect(own.some(({ body }) => body.includes('checkin.created'))).toBe(true);
      expect(new Set(own.map(({ headers }) => headers['webhook-cell'] ?? null))).toEqual(
        new Set([name]),
      );
    });
    const [webhook] = receiver.received.filter(({ body }) => body.includes(event.id));
    expect(webhook).toBeDefined();
    expect(endpoint.secret).toMatch(/^whsec_/);
    if (webhook) {
      const headers = webhook.headers as Record<string, string>;
      await expect(
        verifyWebhook({ key: endpoint.secret ?? '', headers, body: webhook.body }),
      ).resolves.toBeTruthy();
    }
  });

  test('has its documents below its path', async () => {
    const below = pathOf(name);
    const { body: document } = await httpClient(cells.proxy.url)('GET', `${below}/openapi.json`);
    expect(document.info.description).toContain(`Bearer sk_live_${mark}…`);
    const page = await fetch(`${cells.proxy.url}${below}/docs/guides/quick-start`);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining(`href="${below}/docs/errors"`),
    ]);
  });
});

test('a request without a valid prefix is a 401 of the default cell', async () => {
  const random = '0'.repeat(32);
  for (const [bearer, message] of [
    ['nothing', 'A valid API key is required'],
    [`sk_live_${random}`, 'A valid API key is required'],
    [
      `sk_live_us1_${random}`,
      'A valid API key is required: this one names cell us1, and the request has reached the default cell',
    ],
  ]) {
    const send = httpClient(cells.proxy.url, { authorization: `Bearer ${bearer}` });
    const { status, body } = await send('GET', '/v1/events');
    expect([status, body.error]).toMatchObject([401, { message }]);
  }
  const { status } = await httpClient(cells.proxy.url)('GET', '/v1/events');
  expect(status).toBe(401);
});

describe('when all processes of a cell are killed', () => {
  test.each([
    ['eu2', null, 'Cell eu2'],
    [null, 'eu2', 'The default cell'],
  ] as const)(
    '%s: %s goes on, and its keys get a 503 that names it',
    async (fallen, other, named) => {
      const [fallenUnit, standing] = [await newUnit(fallen), await newUnit(other)];
      const listOf = ({ client }: typeof fallenUnit) => api.listEvents({ client });
      await Promise.all([listOf(fallenUnit), listOf(standing)]);
      const { processes } = cells.platformOf(fallen);
      for (const process of processNames) await processes.stop(process, 'SIGKILL');
      const error = await listOf(fallenUnit).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (!(error instanceof EventApiError)) throw new Error('was served', { cause: error });
      expect([error.httpStatus, error.message]).toEqual([
        503,
        expect.stringContaining(`${named} is temporarily unavailable`),
      ]);
      for (let request = 0; request < 20; request++) {
        const event = await api.createEvent({
          client: standing.client,
          body: { name: 'Goes on', timezone: 'UTC' },
        });
        expect(event.name).toBe('Goes on');
      }
      for (const process of processNames) await processes.restart(process);
      await eventually(() => listOf(fallenUnit));
    },
  );
});
