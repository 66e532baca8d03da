import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import type { KeyGroup } from '@event-api/contracts/permissions';
import { eventually } from '@event-api/platform/testing/eventually';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

const program = join(import.meta.dirname, '../../clients/mcp/src/main.ts');

let platform: PlatformFixture;
let unit: { unitId: string; secret: string };
/** The server with all tools, for the tests that do not depend on how it is started. */
let writer: Connection;
const clients: Client[] = [];
beforeAll(async () => {
  platform = await sharedPlatform();
  unit = await platform.newUnit({ rateLimitPerMinute: 1_000_000 });
  writer = await connect({ args: ['--allow-writes'] });
});
afterAll(() => Promise.all(clients.map((client) => client.close())));

type Connection = Awaited<ReturnType<typeof connect>>;

/** Starts the server as an assistant does, and connects the SDK's own client. */
async function connect({ args = [] as string[], key = unit.secret } = {}) {
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [program, ...args] },
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      ...{ EVENT_API_URL: platform.baseUrl, EVENT_API_KEY: key },
    },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  clients.push(client);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError, structuredContent } = await client.callTool({
      ...{ name, arguments: input },
    });
    const [part] = content;
    const text = part?.type === 'text' ? part.text : '';
    if (!isError) expect(structuredContent, name).toEqual(JSON.parse(text));
    // biome-ignore lint/suspicious/noExplicitAny: each tool has a result of its own.
    const body = (/^[{[]/.test(text) ? JSON.parse(text) : text) as any;
    return { isError: isError ?? false, body };
  };
  return { client, call };
}

const keyWith = async (...groups: KeyGroup[]) => {
  const key = { businessUnitId: unit.unitId, name: groups.join(), groups };
  return (await platform.operator.call(createKey, key)).secret;
};

const confirm = true;

/** Creates an event with an open ticket type by the tools. */
async function plan({ call }: Connection, { capacity = 2 } = {}) {
  const event = { name: 'Summit', timezone: 'UTC' };
  const { id: eventId } = (await call('create_event', { ...event, confirm })).body;
  const type = { eventId, name: 'Standard', capacity, open: true, confirm };
  const { id: ticketTypeId, status } = (await call('create_ticket_type', type)).body;
  expect(status).toBe('open');
  return { eventId, ticketTypeId };
}

test('without --allow-writes there is no tool that changes something', async () => {
  const { client, call } = await connect();
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  const outcome = await call('create_event', { name: 'A', timezone: 'UTC', confirm }).catch(() => ({
    isError: true,
  }));
  expect(outcome.isError).toBe(true);
  expect((await call('list_events')).body.events).toEqual([]);
});

describe('with --allow-writes', () => {
  test('every tool that changes something says so and has a confirmation', async () => {
    const { tools } = await writer.client.listTools();
    expect(tools.length).toBeLessThan(24);
    const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writes.length).toBeGreaterThan(4);
    for (const { inputSchema, name } of writes) {
      expect(inputSchema.properties, name).toHaveProperty('confirm');
      expect(inputSchema.required ?? [], name).not.toContain('confirm');
    }
  });

  test('without a confirmation nothing changes, and the result says what would', async () => {
    const { call } = writer;
    const { eventId, ticketTypeId } = await plan(writer);
    const ada = { eventId, ticketTypeId, email: 'ada@example.com', name: 'Ada' };
    const before = await call('find_person', { eventId, email: ada.email });
    const preview = await call('register_person', ada);
    expect(preview.body).toMatchObject({
      nothingChanged: true,
      wouldChange: { register: { name: 'Ada' }, event: 'Summit', ticketType: 'Standard' },
    });
    const draft = await call('create_event', { name: 'Draft', timezone: 'UTC' });
    expect(draft.body.nothingChanged).toBe(true);
    expect(await call('find_person', { eventId, email: ada.email })).toEqual(before);
    const { events } = (await call('list_events')).body;
    expect(events.map(({ name }: { name: string }) => name)).not.toContain('Draft');
  });

  test('an assistant plans an event, registers a person, checks them in and cancels another', async () => {
    const { call } = writer;
    const { body: start } = await call('changes_since');
    const { eventId, ticketTypeId } = await plan(writer);
    const register = async (email: string) => {
      const guest = { eventId, ticketTypeId, email, confirm };
      return (await call('register_person', guest)).body.registrationId as string;
    };
    const [ada, bob] = [await register('ada@example.com'), await register('bob@example.com')];
    const full = await call('register_person', {
      ...{ eventId, ticketTypeId, email: 'late@example.com', confirm },
    });
    expect(full).toMatchObject({ isError: true, body: { httpStatus: 412, reason: 'SOLD_OUT' } });
    await eventually(async () => {
      const entry = { eventId, registrationId: ada, confirm };
      expect((await call('check_in', entry)).isError).toBe(false);
    });
    const cancelled = await call('cancel_registration', { eventId, registrationId: bob, confirm });
    expect(cancelled.body.status).toBe('cancelled');
    await eventually(async () => {
      const { body } = await call('event_overview', { eventId });
      expect(body.ticketTypes).toMatchObject([{ seats: { confirmed: 1, remaining: 1 } }]);
      expect(body.checkins.checkedIn).toBe(1);
    });
    const { body: person } = await call('find_person', { eventId, email: 'ada@example.com' });
    expect(person.registrations).toMatchObject([{ id: ada, status: 'confirmed' }]);
    expect(JSON.stringify(person)).not.toContain('CHK-');
    await eventually(async () => {
      const since = { cursor: start.nextCursor, eventId, limit: 100 };
      const { body } = await call('changes_since', since);
      const types = body.changes.map(({ type }: { type: string }) => type);
      expect(types).toEqual(expect.arrayContaining(['checkin.created', 'registration.cancelled']));
    });
  });
});

describe('a sale', () => {
  /** Calls a tool without a confirmation, then with it. Returns what it would change and the result. */
  async function confirmed(name: string, input: Record<string, unknown>) {
    const preview = await writer.call(name, input);
    expect(preview, JSON.stringify(preview.body)).toMatchObject({
      ...{ isError: false, body: { nothingChanged: true } },
    });
    const { isError, body } = await writer.call(name, { ...input, confirm });
    expect(isError, JSON.stringify(body)).toBe(false);
    return { would: preview.body.wouldChange, body };
  }

  test('is set up and run by an assistant, who sees each change before it happens', async () => {
    const { call } = writer;
    const { eventId, ticketTypeId } = await plan(writer);
    const startsAt = '2031-05-10T09:00:00+02:00';
    const published = await confirmed('publish_event', { eventId, startsAt });
    expect(published.would).toMatchObject({ publish: 'Summit', status: 'draft', startsAt });
    expect(published.body.status).toBe('published');

    const dinner = { eventId, name: 'Dinner', priceAmount: 4500, open: true };
    const addon = await confirmed('create_addon', dinner);
    expect(addon.would).toMatchObject({ create: 'add-on', event: 'Summit', name: 'Dinner' });
    const { body: overview } = await call('event_overview', { eventId });
    expect(overview.addons).toEqual([
      { id: addon.body.id, name: 'Dinner', status: 'open', priceAmount: 4500 },
    ]);

    const discount = { type: 'percent', value: 10 };
    const guests = { eventId, ticketTypeId, code: 'GUESTS', maxUses: 5, discount };
    const codes = await confirmed('create_codes', guests);
    expect(codes.would).toMatchObject({ ticketType: 'Standard', code: 'GUESTS', discount });
    const [{ id: codeId }] = codes.body.redemptionCodes;

    const seat = { itemType: 'ticket_type', itemId: ticketTypeId };
    const buyer = { eventId, email: 'ada@example.com', redemptionCode: 'GUESTS' };
    const free = await confirmed('place_order', { ...buyer, items: [seat] });
    expect(free.would).toMatchObject({
      event: 'Summit',
      items: [{ name: 'Standard', quantity: 1 }],
    });
    expect(free.body).toMatchObject({ status: 'held', totalAmount: 0 });
    const paid = await confirmed('confirm_order', { eventId, order: free.body.orderNumber });
    expect(paid.would).toMatchObject({ confirm: { status: 'held', email: 'ada@example.com' } });
    expect(paid.body).toMatchObject({ status: 'paid', registrationIds: [expect.any(String)] });

    const extra = { itemType: 'addon', itemId: addon.body.id };
    const other = { eventId, email: 'bob@example.com', items: [seat, extra] };
    const held = await confirmed('place_order', other);
    expect(held.body).toMatchObject({ status: 'held', totalAmount: 4500 });
    const cancelled = await confirmed('cancel_order', { eventId, order: held.body.orderNumber });
    expect(cancelled.would).toMatchObject({ cancel: { status: 'held', totalAmount: 4500 } });
    expect(cancelled.body.status).toBe('cancelled');

    const disabled = await confirmed('disable_code', { eventId, codeId });
    expect(disabled.would).toEqual({ disable: 'GUESTS', status: 'active', uses: 1 });
    expect((await call('list_codes', { eventId })).body.redemptionCodes).toMatchObject([
      { id: codeId, code: 'GUESTS', status: 'disabled', uses: 1 },
    ]);
  });

  test('says that a buyer is registered already, instead of placing an order', async () => {
    const { eventId, ticketTypeId } = await plan(writer);
    const items = [{ itemType: 'ticket_type', itemId: ticketTypeId }];
    const order = { eventId, email: 'ada@example.com', items, confirm };
    const { orderNumber } = (await writer.call('place_order', order)).body;
    await writer.call('confirm_order', { eventId, order: orderNumber, confirm });
    const { body } = await writer.call('place_order', order);
    expect(body).toEqual({ alreadyRegistered: true, registrationId: expect.any(String) });
  });

  test('has no tool that takes something away without saying so', async () => {
    const { tools } = await writer.client.listTools();
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(destructive.map(({ name }) => name).toSorted()).toEqual([
      ...['cancel_order', 'cancel_registration', 'decide_application', 'disable_code'],
    ]);
  });

  test('rejects an argument that a line of an order does not have', async () => {
    const { eventId, ticketTypeId } = await plan(writer);
    const items = [{ itemType: 'ticket_type', itemId: ticketTypeId, quantty: 2 }];
    const rejected = await writer.call('place_order', { eventId, email: 'a@example.com', items });
    expect(rejected.isError).toBe(true);
    expect(rejected.body).toContain('quantty');
  });
});

describe('arguments and results', () => {
  test('every tool has an output schema and rejects an unknown argument', async () => {
    const { tools } = await writer.client.listTools();
    for (const { name, inputSchema, outputSchema } of tools) {
      expect(inputSchema, name).toHaveProperty('additionalProperties', false);
      expect(Object.keys(outputSchema?.properties ?? {}), name).not.toEqual([]);
      const required = Object.fromEntries((inputSchema.required ?? []).map((key) => [key, 'x']));
      const { isError, body } = await writer.call(name, { ...required, emial: 'a@example.com' });
      expect(isError, name).toBe(true);
      expect(body, name).toContain('emial');
    }
  });

  test('lists of a unit full of people contain no email and no name of a person', async () => {
    const { call } = writer;
    const start = (await call('changes_since')).body.nextCursor;
    const { eventId, people } = await fill(writer);
    const lists = {
      list_events: {},
      event_overview: { eventId },
      list_orders: { eventId, limit: 100 },
      list_codes: { eventId, limit: 100 },
      changes_since: { cursor: start, limit: 100 },
    };
    const { tools } = await writer.client.listTools();
    const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    // Those that show a person on purpose, and the documentation.
    const others = ['find_person', 'get_order', 'read_guide'];
    expect(reads.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(lists), ...others].toSorted(),
    );
    await eventually(async () => {
      const { body } = await call('changes_since', lists.changes_since);
      expect(JSON.stringify(body)).toContain('order.paid');
    });
    for (const [name, input] of Object.entries(lists)) {
      const { isError, body } = await call(name, input);
      expect(isError, name).toBe(false);
      const text = JSON.stringify(body);
      for (const word of people) expect(text, name).not.toContain(word);
    }
    const [buyer = '', , other = ''] = people;
    const found = JSON.stringify((await call('find_person', { eventId, email: buyer })).body);
    expect(found).toContain(buyer);
    expect(found).not.toContain(other);
  });

  test('a list says that there is more and continues at its cursor', async () => {
    const { call } = writer;
    const { eventId } = await fill(writer);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const input = { eventId, limit: 1, ...(cursor !== undefined && { cursor }) };
      const { orders, hasMore, nextCursor } = (await call('list_orders', input)).body;
      expect(hasMore).toBe(nextCursor !== null);
      seen.push(...orders.map(({ orderNumber }: { orderNumber: string }) => orderNumber));
      if (!hasMore) break;
      cursor = nextCursor;
    }
    expect(new Set(seen).size).toBe(2);
    const { events, hasMore, nextCursor } = (await call('list_events', { limit: 1 })).body;
    expect({ count: events.length, hasMore }).toEqual({ count: 1, hasMore: true });
    const second = await call('list_events', { limit: 1, cursor: nextCursor });
    expect(second.body.events[0].id).not.toBe(events[0].id);
  });
});

/** An event with two free orders of three people. Returns what is personal about them. */
async function fill(connection: Connection) {
  const { eventId, ticketTypeId } = await plan(connection, { capacity: 10 });
  const tag = randomUUID().slice(0, 8);
  const personOf = (role: string) => ({
    email: `${role}-${tag}@example.com`,
    name: `${role} Q${tag}`,
  });
  const [buyer, guest, second] = [personOf('buyer'), personOf('guest'), personOf('second')];
  const line = { itemType: 'registration_type', itemId: ticketTypeId };
  const orders = [
    { ...buyer, items: [{ ...line, quantity: 2, attendees: [buyer, guest] }] },
    { ...second, items: [line] },
  ];
  for (const body of orders) {
    const { orderNumber } = await post(`/v1/events/${eventId}/orders`, body);
    await post(`/v1/events/${eventId}/orders/${orderNumber}/confirm`, {});
  }
  // A label is free text.
  const code = { registrationTypeId: ticketTypeId, label: `For ${guest.name}` };
  await post(`/v1/events/${eventId}/redemption-codes`, code);
  const people = [buyer, guest, second].flatMap(({ email, name }) => [email, name]);
  return { eventId, people };
}

async function post(path: string, body: object) {
  const response = await fetch(`${platform.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${unit.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { orderNumber: string };
}

test('a restricted key works for what it may do, and says what it may not', async () => {
  const { eventId } = await plan(writer);
  const { call } = await connect({ key: await keyWith('read'), args: ['--allow-writes'] });
  expect((await call('event_overview', { eventId })).isError).toBe(false);
  const rejected = await call('create_event', { name: 'A', timezone: 'UTC', confirm });
  expect(rejected).toMatchObject({
    isError: true,
    body: { httpStatus: 403, hint: 'the key is restricted and may not do this' },
  });
});

test('an unknown id and a wrong field are results that an assistant can correct', async () => {
  const { call } = writer;
  const missing = await call('event_overview', { eventId: 'evt_00000000000000000000000000' });
  expect(missing).toMatchObject({ isError: true, body: { httpStatus: 404 } });
  const wrong = await call('create_event', { name: 'A', timezone: 'Berlin', confirm });
  expect(wrong).toMatchObject({ isError: true, body: { details: [{ field: 'timezone' }] } });
});

test('every guide for integrators can be read', async () => {
  const { client, call } = writer;
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === 'read_guide') ?? {};
  const { enum: names } = (inputSchema?.properties?.name ?? {}) as { enum: string[] };
  const guides = readdirSync(join(import.meta.dirname, '../../docs/guides'));
  const forIntegrators = guides.filter((file) => file !== 'running-an-event.md');
  expect(names.map((name) => `${name}.md`).toSorted()).toEqual(forIntegrators.toSorted());
  for (const name of names) {
    const { body, isError } = await call('read_guide', { name });
    expect(isError, name).toBe(false);
    expect(body.guide).toMatch(/^# /);
  }
});
