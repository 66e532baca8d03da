import { findUndeliverable } from '@event-api/contracts/internal/reservations';
import { createLogger } from '@event-api/platform/core/log';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { createServiceClient, type ServiceClient } from '@event-api/platform/http/service-client';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Checks, findUndeliverableOrders } from '../src/checkout/find-undeliverable.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

type Reservation = { reservationId: string; seats: unknown[]; addonIds: unknown[] };

/** Stands for registration, which finds the orders in `undeliverable`. */
let app: HttpServer;
let registration: ServiceClient;
let undeliverable: string[] = [];
let requests: Reservation[][] = [];

beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  app.route({
    ...findUndeliverable,
    handler: async ({ body: { reservations } }) => {
      requests.push(reservations);
      const ids = reservations.map(({ reservationId }) => reservationId);
      return { reservationIds: ids.filter((id) => undeliverable.includes(id)) };
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const signer = await (await createTestCallers(['commerce'])).signer('commerce');
  registration = createServiceClient({ url, signer });
});
afterAll(() => app?.close());
beforeEach(async () => {
  undeliverable = [];
  requests = [];
  await database.sql('truncate commerce.customer_order, commerce.projection_checkpoint');
  await moveTo(1);
});

/** The projections have applied this message. */
const moveTo = (seq: number) =>
  database.sql(
    `insert into commerce.projection_checkpoint (name, seq, stream_created_at, last_message_hash, schema_fingerprint)
     values ('main', $1, '2027-01-01', '', '') on conflict (name) do update set seq = excluded.seq`,
    [seq],
  );

const seats = [{ ticketTypeId: 'tt_1', email: 'a@example.com', name: null, inBundle: false }];

const createOrder = (id: string, status: string, fields: { intent?: string; hold?: string } = {}) =>
  database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, intent, version)
     values ($1, 'unit_1', 'evt_1', $1, 'a@example.com', $2, 'EUR', 5, $3, '{add_1}', now() + $4::interval, now(), now(), $5, 1)`,
    [id, status, JSON.stringify(seats), fields.hold ?? '1 hour', fields.intent ?? null],
  );

async function find(checks: Checks = new Map()): Promise<string[]> {
  const found = await findUndeliverableOrders({ db, registration }, null, checks);
  return found.map(({ orderId }) => orderId);
}
const checked = () => requests.map((each) => each.map(({ reservationId }) => reservationId));

test('asks about open orders alone, and without a page about the offers of the order alone', async () => {
  await createOrder('ord_held', 'held');
  await createOrder('ord_page', 'awaiting_payment');
  await createOrder('ord_paid', 'paid');
  await createOrder('ord_ending', 'awaiting_payment', { intent: 'cancel' });
  await createOrder('ord_over', 'held', { hold: '-1 second' });
  undeliverable = ['ord_held'];
  expect(await find()).toEqual(['ord_held']);
  const [reservations = []] = requests;
  const shown = reservations.map(({ reservationId, seats, addonIds }) => [
    reservationId,
    seats.length,
    addonIds.length,
  ]);
  expect(shown.toSorted()).toEqual([
    ['ord_held', 0, 0],
    ['ord_page', 1, 1],
  ]);
});

test('is quiet while no registration changes, and asks again after a change and for new orders', async () => {
  const checks: Checks = new Map();
  await createOrder('ord_1', 'awaiting_payment');
  for (let turn = 0; turn < 3; turn++) expect(await find(checks)).toEqual([]);
  expect(checked()).toEqual([['ord_1']]);
  await createOrder('ord_2', 'held');
  await find(checks);
  expect(checked()).toEqual([['ord_1'], ['ord_2']]);
  await moveTo(2);
  undeliverable = ['ord_1'];
  for (let turn = 0; turn < 2; turn++) expect(await find(checks)).toEqual(['ord_1']);
  // The one that is found is checked until it is closed.
  expect(checked().map((ids) => ids.toSorted())).toEqual([
    ['ord_1'],
    ['ord_2'],
    ['ord_1', 'ord_2'],
    ['ord_1'],
  ]);
});

test('asks nothing without an open order, and forgets checks that are too old', async () => {
  const checks: Checks = new Map([['ord_1', { position: '2027-01-01 1', atMs: -60_000 }]]);
  expect(await find(checks)).toEqual([]);
  expect([requests, checks.size]).toEqual([[], 0]);
});
