import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireDeliverable } from '../src/checkout/check-attendees.ts';
import type { OrderRow } from '../src/orders/orders.queries.ts';
import { db, useDatabase } from './context.ts';

useDatabase();

let response: { status: number; body: object };
/** Stands for registration. */
const server = createServer((_request, reply) => {
  reply
    .writeHead(response.status, { 'content-type': 'application/json' })
    .end(JSON.stringify(response.body));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const seat = (email: string) => ({
  ticketTypeId: 'tt_1',
  email,
  name: null,
  inBundle: false,
  amount: 100,
});
const line = (firstSeat: number, seatCount: number) => ({ firstSeat, seatCount });
const order = {
  ...{ id: 'ord_1', businessUnitId: 'unit_1', eventId: 'evt_1' },
  email: 'a@example.com',
  lines: [line(0, 1), line(1, 0), line(1, 2)],
  seats: ['a', 'b', 'c'].map((name) => seat(`${name}@example.com`)),
  addonIds: [],
} as unknown as OrderRow;

async function check(of: OrderRow = order): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const signer = await (await createTestCallers(['commerce'])).signer('commerce');
  const registration = createServiceClient({ url: `http://127.0.0.1:${port}`, signer });
  return requireDeliverable({ db, registration }, of).then(
    () => 'ok',
    (error: unknown) => error,
  );
}

test('names the attendee who is registered in the items of the order', async () => {
  response = { status: 200, body: { outcome: 'attendee_registered', seat: 2 } };
  expect(await check()).toMatchObject({
    code: 412,
    details: [{ reason: 'ATTENDEE_REGISTERED', field: 'items[2].attendees[1].email' }],
  });
});

test('accepts an order whose attendees are not registered', async () => {
  response = { status: 200, body: { outcome: 'ok' } };
  expect(await check()).toBe('ok');
});

test('is a 503 when registration is unavailable', async () => {
  response = { status: 500, body: {} };
  expect(await check()).toMatchObject({ code: 503 });
});

test('names the attendee whose registration with the offer is cancelled', async () => {
  response = { status: 200, body: { outcome: 'not_registered', seat: 1 } };
  expect(await check()).toMatchObject({
    code: 412,
    details: [{ reason: 'NOT_REGISTERED', field: 'items[2].attendees[0].email' }],
    message: expect.stringContaining('is cancelled'),
  });
});

test.each([
  ['the buyer', {}, 'email'],
  ['the named recipient', { addon: 1, attendee: 1 }, 'items[1].attendees[1].email'],
])('names %s of an add-on who is not registered any more', async (_, recipient, field) => {
  response = { status: 200, body: { outcome: 'not_registered', ...recipient } };
  const addons = [0, 1].map((line) => ({ line, addonId: 'add_1', emails: ['a', 'b'] }));
  expect(await check({ ...order, addons })).toMatchObject({
    code: 412,
    details: [{ reason: 'NOT_REGISTERED', field }],
  });
});
