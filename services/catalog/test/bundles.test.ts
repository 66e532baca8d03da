import { newId } from '@event-api/platform/core/ids';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCatalog, type TestCatalog } from './harness.ts';

let catalog: TestCatalog;
let call: HttpClient;
let stranger: HttpClient;
let event: string;
let bundle: string;
let ids: { ticketType: string; addon: string };

beforeAll(async () => {
  catalog = await startCatalog();
  call = await catalog.as(newId('unit'));
  stranger = await catalog.as(newId('unit'));
});
afterAll(() => catalog?.close());
beforeEach(async () => {
  event = await createEvent(call);
  ids = await createItems(call, event);
  const created = await call('POST', `${event}/bundles`, {
    body: { name: 'Both', items: [item('registration_type', ids.ticketType)] },
  });
  bundle = String(created.headers.location);
});

async function createEvent(client: HttpClient): Promise<string> {
  const created = await client('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } });
  return String(created.headers.location);
}

async function createItems(client: HttpClient, path: string) {
  const ticketType = await client('POST', `${path}/ticket-types`, { body: { name: 'Pass' } });
  const addon = await client('POST', `${path}/addons`, { body: { name: 'Dinner' } });
  return { ticketType: ticketType.body.id as string, addon: addon.body.id as string };
}

const item = (itemType: string, itemId: string, quantity: unknown = 1) => ({
  itemType,
  itemId,
  quantity,
});

const put = (items: unknown) => call('PUT', `${bundle}/items`, { body: items });

describe('PUT …/items', () => {
  test('replaces all items, in the order of the request', async () => {
    const items = [item('addon', ids.addon, 2), item('registration_type', ids.ticketType, 100)];
    const response = await put(items);
    expect(response.status).toBe(200);
    expect(response.body.items).toEqual(items);
    expect((await call('GET', bundle)).body.items).toEqual(items);
    expect((await put([])).body.items).toEqual([]);
  });

  test('accepts ticket_type for registration_type, and rejects one ticket type under both names', async () => {
    const { ticketType } = ids;
    const response = await put([item('ticket_type', ticketType)]);
    expect(response.body.items).toEqual([item('registration_type', ticketType)]);
    const both = [item('ticket_type', ticketType), item('registration_type', ticketType)];
    const { status, body } = await put(both);
    expect([status, body.error.details[0].field]).toEqual([400, '[1].itemId']);
  });

  async function refusals() {
    const otherEvent = await createItems(call, await createEvent(call));
    const foreign = await createItems(stranger, await createEvent(stranger));
    const good = item('addon', ids.addon);
    return {
      'of another event': [good, item('addon', otherEvent.addon)],
      'of another unit': [good, item('registration_type', foreign.ticketType)],
      nonexistent: [good, item('addon', newId('addon'))],
      'of the other kind': [good, item('registration_type', ids.addon)],
      'of a kind that does not exist': [good, item('bundle', ids.addon)],
      'there twice': [good, item('addon', ids.addon, 2)],
      'taken no times': [good, item('registration_type', ids.ticketType, 0)],
      'taken 101 times': [good, item('registration_type', ids.ticketType, 101)],
      'taken half a time': [good, item('registration_type', ids.ticketType, 0.5)],
      'taken "1" times': [good, item('registration_type', ids.ticketType, '1')],
    };
  }

  test('rejects an invalid item with its index and changes nothing', async () => {
    const before = (await call('GET', bundle)).body;
    for (const [what, items] of Object.entries(await refusals())) {
      const { status, body } = await put(items);
      expect(status, what).toBe(400);
      expect(body.error.details[0].field, what).toMatch(/^\[1\]\.(itemId|itemType|quantity)$/);
      expect((await call('GET', bundle)).body, what).toEqual(before);
    }
  });

  test('returns an identical error for an unknown item, another event and another business unit', async () => {
    const { 'of another event': a, 'of another unit': b, nonexistent: c } = await refusals();
    const addonOnly = (items: { itemId: string }[]) =>
      items.map((one, i) => (i === 1 ? item('addon', one.itemId) : one));
    const responses = await Promise.all([a, b, c].map((items) => put(addonOnly(items))));
    const bodies = responses.map(({ body }) => body);
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[1]).toEqual(bodies[2]);
  });

  test('accepts 50 items and rejects 51', async () => {
    const many = await Promise.all(
      Array.from({ length: 51 }, async () => {
        const created = await call('POST', `${event}/addons`, { body: { name: 'Extra' } });
        return item('addon', created.body.id);
      }),
    );
    expect((await put(many.slice(0, 50))).body.items).toHaveLength(50);
    const refused = await put(many);
    expect(refused.status).toBe(400);
    expect((await call('GET', bundle)).body.items).toHaveLength(50);
  });

  test('accepts only an array', async () => {
    for (const body of [{ items: [] }, null, 'x', 1]) expect((await put(body)).status).toBe(400);
  });

  test('rejects a change in an archived event, and returns 200 for a request without changes', async () => {
    await call('POST', `${event}/archive`);
    expect((await put([item('registration_type', ids.ticketType)])).status).toBe(200);
    const refused = await put([]);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].code).toBe('invalid_transition');
    const created = await call('POST', `${event}/bundles`, { body: { name: 'Late' } });
    expect(created.body.error.details).toEqual([{ reason: 'EVENT_ARCHIVED' }]);
  });
});

describe('the status of a bundle', () => {
  const patch = (body: object) => call('PATCH', bundle, { body });

  test('begins as a draft and moves like that of an add-on', async () => {
    expect((await call('GET', bundle)).body.status).toBe('draft');
    for (const status of ['open', 'closed', 'open']) {
      expect((await patch({ status })).body.status).toBe(status);
    }
    const back = await patch({ status: 'draft' });
    expect(back.status).toBe(400);
    expect(back.body.error.details).toMatchObject([
      { field: 'status', code: 'invalid_transition' },
    ]);
  });

  test('that is archived is final, also for the items', async () => {
    expect((await patch({ status: 'archived' })).status).toBe(200);
    const issue = 'cannot change, because the bundle is archived';
    for (const [field, response] of [
      ['name', await patch({ name: 'Late' })],
      ['items', await put([])],
    ] as const) {
      expect(response.status).toBe(400);
      expect(response.body.error.details).toEqual([{ field, issue, code: 'invalid_transition' }]);
    }
    expect((await put([item('registration_type', ids.ticketType)])).status).toBe(200);
  });

  test('filters the list', async () => {
    await call('POST', `${event}/bundles`, { body: { name: 'Draft' } });
    await patch({ status: 'open' });
    const names = async (status: string) =>
      (await call('GET', `${event}/bundles?status=${status}`)).body.bundles.map(
        ({ name }: { name: string }) => name,
      );
    expect([await names('open'), await names('draft'), await names('closed')]).toEqual([
      ['Both'],
      ['Draft'],
      [],
    ]);
  });
});

describe('the effective price of a bundle', () => {
  test('is the present sum of its items, or its own price', async () => {
    const price = async () => (await call('GET', bundle)).body.effectivePriceAmount;
    expect(await price()).toBe(0);
    await put([item('registration_type', ids.ticketType, 2), item('addon', ids.addon, 3)]);
    await call('PATCH', `${event}/ticket-types/${ids.ticketType}`, { body: { priceAmount: 500 } });
    await call('PATCH', `${event}/addons/${ids.addon}`, { body: { priceAmount: 70 } });
    expect(await price()).toBe(1210);
    await call('PATCH', bundle, { body: { priceAmount: 900 } });
    expect(await price()).toBe(900);
    await call('PATCH', bundle, { body: { priceAmount: 0 } });
    expect(await price()).toBe(0);
  });
});

describe('creating a bundle', () => {
  test('validates its items like PUT, and creates nothing when one is invalid', async () => {
    const body = { name: 'Bad', items: [item('addon', newId('addon'))] };
    const { status, body: responseBody } = await call('POST', `${event}/bundles`, { body });
    expect(status).toBe(400);
    expect(responseBody.error.details[0].field).toBe('items[0].itemId');
    expect((await call('GET', `${event}/bundles`)).body.bundles).toHaveLength(1);
  });

  test('has a null price, the sum of its items, unless one is sent', async () => {
    const created = await call('POST', `${event}/bundles`, { body: { name: 'Sum' } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ priceAmount: null, items: [], description: null });
    const path = String(created.headers.location);
    const priced = await call('PATCH', path, { body: { priceAmount: 100_000_000 } });
    expect(priced.body.priceAmount).toBe(100_000_000);
    expect(
      (await call('PATCH', path, { body: { priceAmount: null } })).body.priceAmount,
    ).toBeNull();
    expect((await call('PATCH', path, { body: { priceAmount: 100_000_001 } })).status).toBe(400);
  });
});
