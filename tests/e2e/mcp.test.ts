import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '@event-api/contracts/operator/keys';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import type { KeyGroup } from '@event-api/contracts/permissions';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pay } from './fixtures/checkout.ts';
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
  const event = { name: 'Summit', timezone: 'UTC', again: randomUUID() };
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

describe('a creation', () => {
  test('that is repeated with the same arguments makes one record, also by another server', async () => {
    const name = `Once ${randomUUID()}`;
    const input = { name, timezone: 'UTC', confirm };
    const { id } = (await writer.call('create_event', input)).body;
    const again = await connect({ args: ['--allow-writes'] });
    const reordered = { confirm, timezone: 'UTC', name };
    expect((await again.call('create_event', reordered)).body.id).toBe(id);
    const type = { eventId: id, name: 'Seat', open: true, confirm };
    const [first, second] = [
      await writer.call('create_ticket_type', type),
      await again.call('create_ticket_type', type),
    ];
    expect(second.body).toEqual(first.body);
    const other = (await writer.call('create_event', { ...input, again: 'a second one' })).body;
    expect(other).toMatchObject({ name });
    expect(other.id).not.toBe(id);
  });
});

describe('an order', () => {
  test('that is placed again with the same arguments is the same, with its present status', async () => {
    const { call } = writer;
    const { eventId, ticketTypeId } = await plan(writer);
    const items = [{ itemType: 'ticket_type', itemId: ticketTypeId }];
    const order = { eventId, email: 'buyer@example.com', items };
    const described = (await call('place_order', { ...order, again: 'x' })).body;
    expect(JSON.stringify(described)).not.toContain('again');
    const place = async (more: object = {}) =>
      (await call('place_order', { ...order, ...more, confirm })).body;
    const first = await place();
    expect(first).toMatchObject({ status: 'held', alreadyRegistered: false });
    expect(await place()).toEqual(first);
    const { orderNumber } = first;
    await call('cancel_order', { eventId, order: orderNumber, confirm });
    expect(await place()).toMatchObject({ orderNumber, status: 'cancelled' });
    const second = await place({ again: 'a second one' });
    expect(second).toMatchObject({ status: 'held' });
    expect(second.orderNumber).not.toBe(orderNumber);
  });
});

describe('the seats of a paid order', () => {
  /** Sells two open seats for 1000 each. The policy pays back four fifths of a seat. */
  async function sellOpenSeats({ call }: Connection) {
    const event = { name: 'Dinner', timezone: 'UTC', startsAt: '2035-05-01T10:00:00Z' };
    const created = await call('create_event', { ...event, again: randomUUID(), confirm });
    const eventId: string = created.body.id;
    const type = { eventId, name: 'Seat', priceAmount: 1000, capacity: 2, open: true, confirm };
    const { id: itemId } = (await call('create_ticket_type', type)).body;
    const bands = [{ daysBeforeStart: 14, percent: 80 }];
    const policy = { text: 'Four fifths', bands, automatic: false };
    const scope = { businessUnitId: unit.unitId, eventId };
    await platform.operator.call(setRefundPolicy, { ...scope, ...policy });
    const items = [{ itemType: 'ticket_type', itemId, quantity: 2 }];
    const order = { eventId, email: 'buyer@example.com', items, assignLater: true, confirm };
    const { orderNumber } = (await call('place_order', order)).body;
    const urls = { successUrl: 'https://a.example.com', cancelUrl: 'https://a.example.com' };
    const input = { eventId, order: orderNumber };
    const { paymentUrl } = (await call('confirm_order', { ...input, ...urls, confirm })).body;
    await pay(paymentUrl);
    const paid = await eventually(async () => {
      const { body } = await call('get_order', input);
      expect(body).toMatchObject({ status: 'paid', seats: [{ status: 'open' }, {}] });
      return body;
    });
    return { ...input, seatIds: paid.seats.map(({ id }: { id: string }) => id) as string[] };
  }

  test('are assigned, and cancelled by the quote that was described', async () => {
    const { call } = writer;
    const { seatIds, ...order } = await sellOpenSeats(writer);
    const assignment = { ...order, seatId: seatIds[0], email: 'ada@example.com' };
    const described = await call('assign_seat', assignment);
    expect(described.body.wouldChange).toMatchObject({ seat: { item: 'Seat', status: 'open' } });
    const assigned = await call('assign_seat', { ...assignment, confirm });
    expect(assigned.body.seats).toMatchObject([{ status: 'assigned' }, { status: 'open' }]);

    const change = { ...order, cancelSeats: seatIds };
    const { body: preview } = await call('change_order', change);
    const { quote } = preview.wouldChange;
    expect(preview).toMatchObject({
      nothingChanged: true,
      toDoIt: expect.stringContaining('quoteId'),
      wouldChange: { quote: { refund: 1600, lines: [{ refund: 800 }, { refund: 800 }] } },
    });
    const unquoted = await call('change_order', { ...change, confirm });
    expect(unquoted).toMatchObject({ isError: true, body: { details: [{ field: 'quoteId' }] } });
    expect((await call('get_order', order)).body.refundDueAmount).toBe(0);

    const execution = { ...order, quoteId: quote.id, confirm };
    const { body: done } = await call('change_order', execution);
    expect(done).toMatchObject({
      ...{ status: 'done', quote: { id: quote.id, refund: 1600 } },
      order: { refundDueAmount: 1600, seats: [{ status: 'cancelled' }, { status: 'cancelled' }] },
    });
    expect((await call('change_order', execution)).body).toEqual(done);
  });

  test('stay if the quote has expired, and the result says so', async () => {
    const { call } = writer;
    const { seatIds, ...order } = await sellOpenSeats(writer);
    const quoted = async () =>
      (await call('change_order', { ...order, cancelSeats: [seatIds[0]] })).body.wouldChange.quote;
    const [first, second] = [await quoted(), await quoted()];
    await call('change_order', { ...order, quoteId: first.id, confirm });
    const late = await call('change_order', { ...order, quoteId: second.id, confirm });
    expect(late).toMatchObject({ isError: true, body: { reason: 'QUOTE_EXPIRED' } });
    expect((await call('get_order', order)).body.refundDueAmount).toBe(800);
  });
});

describe('the description of a check-in', () => {
  test('warns of what the check-in would say', async () => {
    const { call } = writer;
    const { eventId, ticketTypeId } = await plan(writer);
    const guest = { eventId, ticketTypeId, email: 'guest@example.com', confirm };
    const { registrationId } = (await call('register_person', guest)).body;
    const entry = { eventId, registrationId };
    const warnings = async () => (await call('check_in', entry)).body.wouldChange.warnings;
    const draft = 'The event is not published: it is draft.';
    expect(await warnings()).toEqual([draft]);
    const made = await eventually(async () => {
      const { isError, body } = await call('check_in', { ...entry, confirm });
      expect(isError).toBe(false);
      return body;
    });
    expect(made).toMatchObject({ badgeReplaced: false, notice: 'EVENT_NOT_PUBLISHED' });
    expect(await warnings()).toEqual([
      `Nothing will change: the person was checked in at ${made.checkedInAt}.`,
      draft,
    ]);
    await call('cancel_registration', { ...entry, confirm });
    expect((await warnings())[0]).toBe('It will be rejected: the registration is cancelled.');
    const api = httpClient(platform.baseUrl, { authorization: `Bearer ${unit.secret}` });
    const times = { admissionOpensAt: '2100-01-01T00:00:00.000Z' };
    const days = { startsAt: '2100-01-01T08:00:00Z', endsAt: '2100-01-02T08:00:00Z' };
    await api('PATCH', `/v1/events/${eventId}`, { body: { ...times, ...days } });
    expect((await warnings()).slice(1)).toEqual([
      'It will be rejected: admission is from 2100-01-01T00:00:00.000Z until any time.',
      `Nothing will change: the person was checked in at ${made.checkedInAt}.`,
      ...[draft, 'Today is not a day of the event.'],
    ]);
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

test('every guide of the documentation can be read', async () => {
  const { client, call } = writer;
  const { tools } = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === 'read_guide') ?? {};
  const { enum: names } = (inputSchema?.properties?.name ?? {}) as { enum: string[] };
  const files = await readdir(join(import.meta.dirname, '../../docs/guides'));
  expect(names.map((name) => `${name}.md`).toSorted()).toEqual(files.toSorted());
  for (const name of names) {
    const { body, isError } = await call('read_guide', { name });
    expect(isError, name).toBe(false);
    expect(body.guide).toMatch(/^# /);
  }
});
