import * as operations from '@event-api/contracts/http/orders';
import { orderStatuses } from '@event-api/contracts/http/orders';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { newId, randomId } from '@event-api/platform/core/ids';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertOrder } from '../src/checkout/checkout.queries.ts';
import { orderView } from '../src/orders/orders.view.ts';
import { orderPage } from '../src/orders/page.ts';
import { recordOrderAttempt } from '../src/orders/write.ts';
import { database, db, useDatabase } from './context.ts';

let scope: EventScope;

useDatabase();
beforeEach(() => {
  scope = { businessUnitId: newId('unit'), eventId: newId('evt') };
});

interface Stored {
  status?: string;
  email?: string;
  holdEnded?: boolean;
  intent?: string;
  settlementId?: string;
}

/** A stored order with one add-on. */
async function createOrder(stored: Stored = {}): Promise<string> {
  const id = randomId('ord');
  const line = {
    itemType: 'addon',
    itemId: 'addon_1',
    unitAmount: 500,
    taxAmount: 0,
    discountAmount: 0,
  } as const;
  const noSeats = { attendees: [], firstSeat: 0, seatCount: 0, taxes: [] };
  await insertOrder(db, {
    ...scope,
    id,
    email: stored.email ?? 'ada@example.com',
    name: null,
    currency: 'EUR',
    addonIds: ['addon_1'],
    addons: [],
    redemptionCode: null,
    responses: null,
    ...{ billing: null, isReverseCharge: false },
    refundPolicy: null,
    buyerRegistrationId: null,
    holdExpiresAt: new Date(Date.now() + (stored.holdEnded ? -1 : 1) * 900_000).toISOString(),
    priced: {
      totalAmount: 500,
      taxAmount: 0,
      seats: [],
      lines: [{ ...line, ...noSeats, name: 'Dinner', quantity: 1, totalAmount: 500 }],
    },
  });
  const { status = 'held', intent = null, settlementId = null } = stored;
  await database.sql(
    'update commerce.customer_order set status = $2, intent = $3, settlement_id = $4 where id = $1',
    [id, status, intent, settlementId],
  );
  return id;
}

/** Reads a page with the query parameters of a client. */
const page = (query: Record<string, string>, of = scope) =>
  orderPage(db, of, operations.listOrders.schema.querystring.parse(query), orderView);

async function all(query: Record<string, string> = {}, limit = 2, of = scope) {
  const orders: Awaited<ReturnType<typeof page>>['items'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = await page({ ...query, limit: `${limit}`, ...(cursor && { cursor }) }, of);
    orders.push(...next.items);
    cursor = next.nextCursor;
  }
  return orders;
}

const idsOf = (orders: { id: string }[]) => orders.map(({ id }) => id);

/** Orders in every status, some with an expired hold. */
const states: Stored[] = [
  ...orderStatuses.map((status) => ({ status })),
  ...orderStatuses.map((status) => ({ status, holdEnded: true, email: 'Bob@Example.com' })),
  { holdEnded: true },
  { holdEnded: true, intent: 'fulfil' },
  { holdEnded: true, intent: 'cancel' },
  { holdEnded: true, settlementId: 'stl_1' },
  { status: 'expired', email: 'bob@example.com' },
];

describe('the list of orders', () => {
  test('filters by the returned status, in every combination and on every page', async () => {
    for (const state of states) await createOrder(state);
    const orders = await all();
    expect(orders).toHaveLength(states.length);
    expect(orders.filter(({ status }) => status === 'expired')).toHaveLength(5);
    for (const status of [undefined, ...orderStatuses]) {
      for (const email of [undefined, ' BOB@example.com']) {
        const query = JSON.parse(JSON.stringify({ status, email }));
        const expected = orders.filter(
          (order) =>
            (status === undefined || order.status === status) &&
            (email === undefined || order.email.toLowerCase() === 'bob@example.com'),
        );
        expect(await all(query), JSON.stringify(query)).toEqual(expected);
        const since = { ...query, updatedSince: '2020-01-01T00:00:00Z' };
        expect(idsOf(await all(since)).toSorted()).toEqual(idsOf(expected).toSorted());
      }
    }
  });

  test('filters by the time of placing: the first instant is included, the last one is not', async () => {
    // Two by two at one instant, oldest first.
    for (const [n, state] of states.entries()) {
      const id = await createOrder(state);
      await database.sql(
        `update commerce.customer_order set placed_at = timestamptz '2027-05-10T07:00:00Z' + $2 * interval '1 s' where id = $1`,
        [id, Math.floor(n / 2)],
      );
    }
    const orders = await all();
    const at = (second: number) => `2027-05-10T07:00:${`${second}`.padStart(2, '0')}.000Z`;
    const periods = [
      { from: 2, before: 7 },
      { from: 7 },
      { before: 1 },
      { from: 3, before: 3 },
      { from: 59 },
    ];
    const others: Record<string, string>[] = [
      {},
      { status: 'paid' },
      { status: 'expired' },
      { email: 'bob@example.com' },
      { status: 'expired', email: 'bob@example.com' },
    ];
    for (const other of others) {
      for (const { from = 0, before = 59 } of periods) {
        const expected = orders.filter(
          (order) =>
            Object.entries(other).every(
              ([name, value]) => order[name as 'email'].toLowerCase() === value,
            ) &&
            order.placedAt >= at(from) &&
            order.placedAt < at(before),
        );
        const query = { ...other, placedFrom: at(from), placedBefore: at(before) };
        for (const limit of [1, 100]) {
          expect(await all(query, limit), JSON.stringify(query)).toEqual(expected);
        }
        const since = { ...query, updatedSince: '2020-01-01T00:00:00Z' };
        expect(idsOf(await all(since)).toSorted()).toEqual(idsOf(expected).toSorted());
      }
    }
    expect(await all({ placedFrom: '2027-05-10T09:00:01+02:00' })).toHaveLength(states.length - 2);
    expect(await all({ placedBefore: at(1) })).toHaveLength(2);
  });

  test.each(['unknown@example.com', 'no email', '', '\0', '%'])(
    'returns nothing for the email %j',
    async (email) => {
      await createOrder();
      expect(await all({ email })).toEqual([]);
    },
  );

  test('returns nothing of another business unit or event', async () => {
    for (const status of orderStatuses) await createOrder({ status });
    for (const other of [
      { ...scope, eventId: newId('evt') },
      { ...scope, businessUnitId: newId('unit') },
    ]) {
      const queries = [{ email: 'ada@example.com' }, { updatedSince: '2020-01-01T00:00:00Z' }];
      for (const query of [...queries, ...orderStatuses.map((status) => ({ status }))]) {
        expect(await all(query as Record<string, string>, 2, other)).toEqual([]);
      }
    }
  });

  test('rejects a cursor of other filters', async () => {
    for (let n = 0; n < 2; n++) await createOrder();
    const queries: Record<string, string>[] = [
      {},
      { status: 'held' },
      { email: 'ada@example.com' },
      { updatedSince: '2020-01-01T00:00:00Z' },
      { placedFrom: '2020-01-01T00:00:00Z' },
      { placedFrom: '2020-01-02T00:00:00Z' },
      { placedBefore: '2999-01-01T00:00:00Z' },
    ];
    for (const original of queries) {
      const { nextCursor } = await page({ ...original, limit: '1' });
      for (const used of queries.filter((each) => each !== original)) {
        const refused = page({ ...used, cursor: nextCursor ?? '' });
        await expect(refused).rejects.toMatchObject({ code: 400 });
      }
    }
  });

  test.each([
    { status: 'unknown' },
    { status: '' },
    { updatedSince: 'now' },
    { placedFrom: '2027-05-10' },
    { placedBefore: '' },
  ])('rejects the query %j', (query) => {
    expect(operations.listOrders.schema.querystring.safeParse(query).success).toBe(false);
  });
});

describe('updatedSince', () => {
  const changes = async (updatedSince: string) => idsOf(await all({ updatedSince }, 1));

  test('lists orders in the order of their last change', async () => {
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push(await createOrder());
    const since = await database.timeAfterChanges();
    expect(await changes(since)).toEqual([]);
    for (const [n, status] of [
      [2, 'awaiting_payment'],
      [0, 'paid'],
      [2, 'cancelled'],
    ] as const) {
      await database.sql('update commerce.customer_order set status = $2 where id = $1', [
        ids[n],
        status,
      ]);
    }
    expect(await changes(since)).toEqual([ids[0], ids[2]]);
  });

  test('lists an order when a refund of it is created and when it is done', async () => {
    const id = await createOrder({ status: 'paid' });
    const steps = [
      `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
         cause, created_at, last_attempt_at)
       values ('rfd_' || $1, 'u', 'e', $1, 's', 100, 'EUR', 'due', 'operator', now(), now())`,
      `update commerce.refund set state = 'done' where order_id = $1`,
    ];
    for (const step of steps) {
      const since = await database.timeAfterChanges();
      await database.sql(step, [id]);
      expect(await changes(since)).toEqual([id]);
    }
    const since = await database.timeAfterChanges();
    await database.sql('update commerce.refund set last_attempt_at = now() where order_id = $1', [
      id,
    ]);
    expect(await changes(since)).toEqual([]);
  });

  test('does not list an order for an attempt that changes nothing', async () => {
    const id = await createOrder();
    const since = await database.timeAfterChanges();
    await recordOrderAttempt(db, id);
    expect(await changes(since)).toEqual([]);
  });
});
