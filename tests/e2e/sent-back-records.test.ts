import { type HttpClient, httpClient } from '@event-api/platform/testing/http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { keyOperations } from './records.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests read response bodies without a schema.
type Body = any;

let platform: PlatformFixture;
let call: HttpClient;
beforeAll(async () => {
  platform = await sharedPlatform();
  const { secret } = await platform.newUnit({ rateLimitPerMinute: 10_000_000 });
  call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
});

async function succeeded(method: string, path: string, body?: object): Promise<Body> {
  const response = await call(method, path, { body });
  expect([path, response.status, response.body]).toEqual([
    path,
    expect.toSatisfy((status) => status < 300),
    expect.anything(),
  ]);
  return response.body;
}

/** How each resource that can change is read and sent back. */
const resources: Record<string, { method: string; path: string; part?: string }> = {
  updateEvent: { method: 'PATCH', path: 'event' },
  updateTicketType: { method: 'PATCH', path: 'type' },
  updateAddon: { method: 'PATCH', path: 'addon' },
  updateBundle: { method: 'PATCH', path: 'bundle' },
  replaceBundleItems: { method: 'PUT', path: 'bundle', part: 'items' },
  updateRegistration: { method: 'PATCH', path: 'registration' },
  setOrderBilling: { method: 'PUT', path: 'order', part: 'billing' },
  updateWebhookEndpoint: { method: 'PATCH', path: 'endpoint' },
};

const billing = {
  ...{ name: 'Lin Zhao', company: 'Lin Ltd', vatId: 'DE123456789' },
  address: { line1: 'Unter den Linden 1', postalCode: '10117', city: 'Berlin', country: 'DE' },
};

/** An event with all fields, what it sells, a person, and the endpoint of a webhook. */
async function createSale() {
  const { id } = await succeeded('POST', '/v1/events', {
    name: 'Summit',
    timezone: 'Europe/Berlin',
    currency: 'USD',
    startsAt: '2027-05-10T07:00:00Z',
    endsAt: '2027-05-12T15:00:00Z',
    admissionOpensAt: '2027-05-10T06:00:00Z',
    admissionClosesAt: '2027-05-12T15:00:00Z',
  });
  const event = `/v1/events/${id}`;
  await succeeded('PATCH', event, { status: 'published' });
  const onSale = async (collection: string, body: object) => {
    const created = await succeeded('POST', `${event}/${collection}`, body);
    await succeeded('PATCH', `${event}/${collection}/${created.id}`, { status: 'open' });
    return created.id as string;
  };
  const typeId = await onSale('ticket-types', {
    name: 'Pass',
    description: 'All days',
    capacity: 2,
    allowWaitlist: true,
    priceAmount: 9900,
    opensAt: '2020-01-01T00:00:00Z',
    closesAt: '2027-05-12T15:00:00Z',
    admissionOpensAt: '2027-05-10T06:00:00Z',
    admissionClosesAt: '2027-05-12T15:00:00Z',
    sortOrder: 3,
  });
  const addonId = await onSale('addons', { name: 'Dinner', priceAmount: 4900 });
  const items = [
    { itemType: 'ticket_type', itemId: typeId, quantity: 1 },
    { itemType: 'addon', itemId: addonId, quantity: 1 },
  ];
  const bundleId = await onSale('bundles', { name: 'Both', items });
  const registered = await succeeded('POST', `${event}/registrations`, {
    email: 'Grace@example.com',
    name: 'Grace',
    registrationTypeId: typeId,
    responses: { diet: 'vegan' },
  });
  const otherId = await onSale('ticket-types', { name: 'Workshop', priceAmount: 900 });
  const order = await succeeded('POST', `${event}/orders`, {
    email: 'lin@example.com',
    items: [{ itemType: 'ticket_type', itemId: otherId, quantity: 1 }],
    billing,
  });
  const endpoint = await succeeded('POST', '/v1/webhook-endpoints', {
    url: 'https://shop.example/webhooks',
    types: ['order.paid'],
  });
  const paths: Record<string, string> = {
    event,
    type: `${event}/ticket-types/${typeId}`,
    addon: `${event}/addons/${addonId}`,
    bundle: `${event}/bundles/${bundleId}`,
    registration: `${event}/registrations/${registered.registration.id}`,
    order: `${event}/orders/${order.id}`,
    endpoint: `/v1/webhook-endpoints/${endpoint.id}`,
  };
  /** Buys the last seat. */
  const sell = async () => {
    const order = await succeeded('POST', `${event}/orders`, {
      email: 'ada@example.com',
      items: [{ itemType: 'bundle', itemId: bundleId }],
    });
    await succeeded('POST', `${event}/orders/${order.id}/confirm`, {
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/basket',
    });
  };
  return { paths, sell };
}

/** Without what changes by itself. */
const lasting = ({ counts, availability, remaining, updatedAt, ...record }: Body) => record;

test('every operation that changes a record is in the table', () => {
  const changes = keyOperations.filter(({ method }) => method === 'PATCH' || method === 'PUT');
  const names = changes.map(({ config }) => config.operationId);
  expect(Object.keys(resources).toSorted()).toEqual(names.toSorted());
});

describe('a record that was read can be sent back', () => {
  test.each([
    ['before a sale', false, false],
    ['after a sale that came between', true, false],
    ['after a sale', true, true],
  ])('%s', async (_when, isSold, isReadAfterwards) => {
    const { paths, sell } = await createSale();
    const readAll = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(paths).map(async ([kind, path]) => [kind, await succeeded('GET', path)]),
        ),
      );
    const early = await readAll();
    if (isSold) await sell();
    const present = await readAll();
    expect(present.type.availability.remaining).toBe(isSold ? 0 : 1);
    const sent = isReadAfterwards ? present : early;
    for (const [operationId, { method, path, part }] of Object.entries(resources)) {
      const record = sent[path];
      const { status, body } = await call(method, paths[path] + (part ? `/${part}` : ''), {
        // The items of a bundle are the body itself.
        body: part === 'items' ? record[part] : part ? { [part]: record[part] } : record,
      });
      expect([operationId, status, body]).toEqual([operationId, 200, expect.anything()]);
      expect(lasting(body)).toMatchObject(lasting(present[path]));
    }
    expect(await readAll()).toEqual({
      ...present,
      endpoint: { ...present.endpoint, updatedAt: expect.anything() },
    });
  });
});
