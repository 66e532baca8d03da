import { listFulfilledReservations } from '@event-api/contracts/internal/reservations';
import { createLogger } from '@event-api/platform/core/log';
import { createHttpServer, type HttpServer } from '@event-api/platform/http/server';
import { createServiceClient, type ServiceClient } from '@event-api/platform/http/service-client';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCommerceMetrics } from '../src/metrics.ts';
import { compareWithRegistration } from '../src/recovery/compare.ts';
import {
  restoreSeatsOfOrders,
  revokeOrdersAgain,
} from '../src/recovery/comparison/comparison.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const scope = { businessUnitId: 'unit_1', eventId: 'evt_1' };

/** Stands for registration. `beforeResponse` runs between the two reads of a comparison. */
let app: HttpServer;
let registration: ServiceClient;
const metrics = createCommerceMetrics(createMetrics('commerce'));
let beforeResponse = async () => {};
let reservations: { orderId: string; registrationIds: string[] }[] = [];

beforeAll(async () => {
  const log = createLogger({ service: 'test', level: 'silent' });
  app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  app.route({
    ...listFulfilledReservations,
    handler: async ({ body: { after, limit } }) => {
      await beforeResponse();
      const rows = reservations.filter(({ orderId }) => orderId > after).slice(0, limit);
      return { reservations: rows.map((row) => ({ ...scope, ...row })) };
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const signer = await (await createTestCallers(['commerce'])).signer('commerce');
  registration = createServiceClient({ url, signer });
});
afterAll(() => app?.close());
beforeEach(async () => {
  beforeResponse = async () => {};
  reservations = [];
  await database.sql('truncate commerce.customer_order, commerce.order_line');
});

const createOrders = (count: number, status: string, { prefix = 'ord', intent = '' } = {}) =>
  database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, revoked_at, intent, version)
     select $1 || '_' || lpad(n::text, 6, '0'), 'unit_1', 'evt_1', $1 || n, 'a@example.com', $2, 'EUR', 0, '[]', '{}',
       now(), now(), now(), case when $2 in ('refunded', 'cancelled') then now() end, nullif($3, ''), 1
     from generate_series(1, $4::int) n`,
    [prefix, status, intent, count],
  );

const compare = (input: Partial<Parameters<typeof compareWithRegistration>[1]> = {}) =>
  compareWithRegistration(
    { db, registration, metrics },
    {
      businessUnitId: null,
      repair: false,
      after: '',
      ...input,
    },
  );

test('compares all orders and reservations across pages, each once', async () => {
  await createOrders(1203, 'paid');
  const all = await database.sql<{ id: string }>(
    'select id from commerce.customer_order order by id',
  );
  // Every third reservation is lost, and there is one of a lost order between them.
  reservations = all
    .filter((_, n) => n % 3 > 0)
    .map(({ id: orderId }) => ({ orderId, registrationIds: [`reg_of_${orderId}`] }));
  reservations.splice(400, 0, { orderId: `${all[600]?.id}x`, registrationIds: ['reg_lost'] });
  const { compared, differences, nextCursor } = await compare();
  expect([compared, nextCursor]).toEqual([1204, null]);
  const idsOf = (difference: string) =>
    differences.filter((each) => each.difference === difference).map(({ orderId }) => orderId);
  expect(idsOf('paid_without_seats').toSorted()).toEqual(
    all.filter((_, n) => n % 3 === 0).map(({ id }) => id),
  );
  expect(idsOf('seats_without_order')).toEqual([`${all[600]?.id}x`]);
});

test('continues after the cursor when it has found enough', async () => {
  await createOrders(1700, 'paid');
  const first = await compare();
  expect(first.differences).toHaveLength(1000);
  const rest = await compare({ after: first.nextCursor ?? '' });
  expect(rest.differences).toHaveLength(700);
  expect(rest.nextCursor).toBeNull();
});

test('does not report an order that was placed and fulfilled during the comparison', async () => {
  reservations = [{ orderId: 'ord_000001', registrationIds: ['reg_1'] }];
  beforeResponse = async () => void (await createOrders(1, 'paid'));
  expect((await compare()).differences).toEqual([]);
});

test('changes nothing without repair, and only paid, refunded and cancelled orders with it', async () => {
  await createOrders(1, 'paid', { prefix: 'lost' });
  await createOrders(1, 'refunded', { prefix: 'refunded' });
  await createOrders(1, 'expired', { prefix: 'expired' });
  await createOrders(1, 'cancelled', { prefix: 'cancelled' });
  reservations = ['cancelled', 'expired', 'refunded'].map((prefix) => ({
    orderId: `${prefix}_000001`,
    registrationIds: [`reg_${prefix}`],
  }));
  const states = () =>
    database.sql(
      'select id, status, intent, revoked_at is not null as revoked from commerce.customer_order order by id',
    );
  const before = await states();
  const found = await compare();
  expect(found.differences).toHaveLength(4);
  expect(await states()).toEqual(before);
  expect(await compare({ repair: true })).toEqual(found);
  expect(await states()).toEqual([
    { id: 'cancelled_000001', status: 'cancelled', intent: 'release', revoked: true },
    { id: 'expired_000001', status: 'expired', intent: null, revoked: false },
    { id: 'lost_000001', status: 'paid', intent: 'restore', revoked: false },
    { id: 'refunded_000001', status: 'refunded', intent: null, revoked: false },
  ]);
});

test('marks no order that has changed since it was compared', async () => {
  await createOrders(1, 'refund_due', { prefix: 'refund_due' });
  await createOrders(1, 'awaiting_payment', { prefix: 'open', intent: 'cancel' });
  const ids = ['refund_due_000001', 'open_000001'];
  await restoreSeatsOfOrders(db, ids);
  await revokeOrdersAgain(db, ids);
  expect(await database.sql('select id, intent from commerce.customer_order order by id')).toEqual([
    { id: 'open_000001', intent: 'cancel' },
    { id: 'refund_due_000001', intent: null },
  ]);
});
