import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requireNewAttendees } from '../src/checkout/check-attendees.ts';
import type { OrderRow } from '../src/orders/queries.ts';

let response: { status: number; body: object };
let requests = 0;
/** Stands for registration. */
const server = createServer((_request, reply) => {
  requests += 1;
  reply
    .writeHead(response.status, { 'content-type': 'application/json' })
    .end(JSON.stringify(response.body));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  requests = 0;
});
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
  id: 'ord_1',
  email: 'a@example.com',
  lines: [line(0, 1), line(1, 0), line(1, 2)],
  seats: ['a', 'b', 'c'].map((name) => seat(`${name}@example.com`)),
  addonIds: [],
} as unknown as OrderRow;

async function check(of: OrderRow = order): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const signer = await (await createTestCallers(['commerce'])).signer('commerce');
  const registration = createServiceClient({ url: `http://127.0.0.1:${port}`, signer });
  return requireNewAttendees({ registration }, of).then(
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

test('accepts an order while the previous release of registration has no such operation', async () => {
  response = { status: 404, body: {} };
  expect(await check()).toBe('ok');
});

test('does not call registration for an order without seats', async () => {
  expect(await check({ ...order, seats: [] })).toBe('ok');
  expect(requests).toBe(0);
});
