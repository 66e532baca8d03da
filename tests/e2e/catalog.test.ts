import { listEvents, setEventFeatures } from '@event-api/contracts/operator/events';
import { bindPerk, createPerk, listPerks, unbindPerk } from '@event-api/contracts/operator/perks';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let businessUnitId: string;
let call: HttpClient;
let event: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000_000 });
  businessUnitId = unitId;
  call = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
});
beforeEach(async () => {
  event = await newEvent();
});

async function newEvent(): Promise<string> {
  const created = await call('POST', '/v1/events', { body: { name: 'Summit', timezone: 'UTC' } });
  return created.headers.location ?? '';
}

/** Creates a record in a collection of an event. */
async function create(collection: string, body: object, of = event): Promise<TestResponse['body']> {
  const created = await call('POST', `${of}/${collection}`, { body });
  expect(created).toMatchObject({
    status: 201,
    headers: { location: `${of}/${collection}/${created.body.id}` },
  });
  return created.body;
}

const eventId = () => event.split('/').at(-1) ?? '';
const fieldsOf = ({ body }: TestResponse) =>
  body.error.details.map(({ field }: { field: string }) => field);

describe('an add-on', () => {
  test('is created as a draft without a price', async () => {
    expect(await create('addons', { name: 'Workshop', status: 'draft' })).toEqual({
      id: expect.stringMatching(/^addon_[0-9a-z]{26}$/),
      eventId: eventId(),
      name: 'Workshop',
      description: null,
      status: 'draft',
      capacity: null,
      opensAt: null,
      closesAt: null,
      priceAmount: 0,
      taxRateId: null,
      minPerOrder: null,
      maxPerOrder: null,
      availability: { capacity: null, sold: 0, held: 0, remaining: null },
      sortOrder: 0,
      createdAt: expect.any(String),
    });
  });

  test.each([
    ['draft', []],
    ['open', ['open']],
    ['closed', ['open', 'closed']],
    ['archived', ['archived']],
  ])('with status %s allows exactly the transitions of its lifecycle', async (from, way) => {
    const moves: Record<string, string[]> = {
      draft: ['draft', 'open', 'archived'],
      open: ['open', 'closed', 'archived'],
      closed: ['closed', 'open', 'archived'],
      archived: ['archived'],
    };
    for (const status of ['draft', 'open', 'closed', 'archived']) {
      const path = `${event}/addons/${(await create('addons', { name: 'Dinner' })).id}`;
      for (const step of way) await call('PATCH', path, { body: { status: step } });
      const response = await call('PATCH', path, { body: { status } });
      const isMove = moves[from]?.includes(status);
      expect(response.status, `${from} to ${status}`).toBe(isMove ? 200 : 400);
      if (!isMove) expect(response.body.error.details[0].code).toBe('invalid_transition');
      expect((await call('GET', path)).body.status).toBe(isMove ? status : from);
    }
  });

  test('enforces the limits of its fields', async () => {
    const most = {
      name: 'é'.repeat(200),
      description: 'x'.repeat(2000),
      priceAmount: 100_000_000,
      capacity: 1_000_000,
      minPerOrder: 100,
      maxPerOrder: 100,
      sortOrder: 10_000,
    };
    expect(await create('addons', most)).toMatchObject(most);
    const wrong = {
      name: ' ',
      description: 'x'.repeat(2001),
      capacity: 0,
      opensAt: 'soon',
      priceAmount: 100_000_001,
      minPerOrder: 0,
      maxPerOrder: 101,
      sortOrder: -1,
    };
    const rejected = await call('POST', `${event}/addons`, { body: wrong });
    expect([rejected.status, fieldsOf(rejected)]).toEqual([400, Object.keys(wrong)]);
  });
});

describe('a bundle', () => {
  const ticket = async (of = event) => ({
    itemType: 'registration_type',
    itemId: (await create('ticket-types', { name: 'Pass' }, of)).id,
    quantity: 1,
  });
  const addon = async () => ({
    itemType: 'addon',
    itemId: (await create('addons', { name: 'Tour' })).id,
    quantity: 2,
  });

  test('is created with its contents; a null price means the sum of the items', async () => {
    const items = [await addon(), await ticket()];
    expect(await create('bundles', { name: 'All', items })).toMatchObject({
      items,
      priceAmount: null,
    });
    expect(await create('bundles', { name: 'Own', priceAmount: 0 })).toMatchObject({
      items: [],
      priceAmount: 0,
    });
  });

  test('replaces its contents as a whole, in the given order, or empties them', async () => {
    const [first, second] = [await ticket(), await addon()];
    const { id } = await create('bundles', { name: 'All', items: [first] });
    for (const items of [[second, first], [first, second], [first], []]) {
      const put = await call('PUT', `${event}/bundles/${id}/items`, { body: items });
      expect(put).toMatchObject({ status: 200, body: { id, items } });
      expect((await call('GET', `${event}/bundles/${id}`)).body.items).toEqual(items);
    }
  });

  test('accepts only items of its event with the correct type, and is unchanged after a rejection', async () => {
    const good = await ticket();
    const { id } = await create('bundles', { name: 'All', items: [good] });
    const wrong = [
      await ticket(await newEvent()),
      { ...good, itemType: 'addon' },
      { ...good, itemId: 'tt_none' },
    ];
    const put = await call('PUT', `${event}/bundles/${id}/items`, { body: [good, ...wrong] });
    expect([put.status, fieldsOf(put)]).toEqual([400, ['[1].itemId', '[2].itemId', '[3].itemId']]);
    expect((await call('GET', `${event}/bundles/${id}`)).body.items).toEqual([good]);
  });

  test('accepts up to 50 distinct items with a quantity from 1 to 100', async () => {
    const item = await ticket();
    const { id } = await create('bundles', { name: 'All' });
    const put = (items: object[]) => call('PUT', `${event}/bundles/${id}/items`, { body: items });
    expect((await put([{ ...item, quantity: 100 }])).status).toBe(200);
    for (const quantity of [0, 101]) expect((await put([{ ...item, quantity }])).status).toBe(400);
    expect(fieldsOf(await put([item, item]))).toEqual(['[1].itemId']);
    const many = await Promise.all(Array.from({ length: 51 }, addon));
    expect((await put(many.slice(1))).status).toBe(200);
    expect((await put(many)).status).toBe(400);
  });
});

describe('an operator', () => {
  const scope = () => ({ businessUnitId, eventId: eventId() });

  test('binds and unbinds a perk idempotently', async () => {
    const { id: targetId } = await create('addons', { name: 'Lounge' });
    const perk = await platform.operator.call(createPerk, { ...scope(), name: 'Lounge access' });
    const binding = { ...scope(), perkId: perk.id, targetType: 'addon' as const, targetId };
    const bound = { ...perk, bindings: [{ targetType: 'addon', targetId }] };
    for (const _ of [1, 2]) expect(await platform.operator.call(bindPerk, binding)).toEqual(bound);
    expect(await platform.operator.call(listPerks, scope())).toEqual({ perks: [bound] });
    for (const _ of [1, 2]) expect(await platform.operator.call(unbindPerk, binding)).toEqual(perk);
  });

  test('cannot bind a perk to a record of another event or of a wrong type', async () => {
    const { id: otherEventAddon } = await create('addons', { name: 'Lounge' }, await newEvent());
    const { id: ticketType } = await create('ticket-types', { name: 'Pass' });
    const { id: perkId } = await platform.operator.call(createPerk, { ...scope(), name: 'Access' });
    for (const targetId of [otherEventAddon, ticketType]) {
      const binding = { ...scope(), perkId, targetType: 'addon' as const, targetId };
      await expect(platform.operator.call(bindPerk, binding)).rejects.toMatchObject({
        status: 404,
        envelope: { error: { details: [{ field: 'targetId', code: 'not_found' }] } },
      });
    }
  });

  test('lists the events of a business unit, newest first, with pagination', async () => {
    const list = (input: object) =>
      platform.operator.callUnchecked(listEvents, { businessUnitId, ...input }) as Promise<{
        events: { id: string }[];
        nextCursor: string | null;
      }>;
    const ids = (await call('GET', '/v1/events')).body.events.map(({ id }: { id: string }) => id);
    expect((await list({})).events.map(({ id }) => id)).toEqual(ids);
    const first = await list({ limit: 1 });
    const second = await list({ limit: 1, cursor: first.nextCursor });
    expect([...first.events, ...second.events].map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await list({ businessUnitId: 'unit_none' })).events).toEqual([]);
  });

  test('sets the features of an event, which the API cannot', async () => {
    const features = ['agenda', 'badges', 'agenda'];
    await call('PATCH', event, { body: { features: ['mine'] } });
    expect((await call('GET', event)).body.features).toEqual([]);
    await platform.operator.call(setEventFeatures, { ...scope(), features });
    expect((await call('GET', event)).body.features).toEqual(['agenda', 'badges']);
  });
});
