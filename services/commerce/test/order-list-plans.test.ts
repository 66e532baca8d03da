import { migrate } from '@event-api/platform/db/migrations';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { planSession } from '@event-api/platform/testing/plans';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOrders } from '../src/orders/list.ts';
import type { OrderFilters } from '../src/orders/orders.queries.ts';
import { commerceOrm } from '../src/orm.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
const limit = count / 5000;
const scope = { businessUnitId: 'unit_1', eventId: 'evt_1' };

/** Each list with its index and the condition that its filters mean for the rows. */
const cases: Record<string, { index: string; where: string; filters: OrderFilters }> = {
  'all orders': { index: 'customer_order_newest', where: 'true', filters: {} },
  'orders of a status': {
    index: 'customer_order_by_status',
    where: `status = 'paid'`,
    filters: { status: 'paid' },
  },
  'expired orders': {
    index: 'customer_order_by_status',
    where: `(status = 'expired' or status = 'held' and hold_expires_at < now())`,
    filters: { status: 'expired' },
  },
  'orders of a time': {
    index: 'customer_order_newest',
    where: 'true',
    filters: { from: new Date('2020-01-01T00:00:10Z') },
  },
  'orders of a time and a status': {
    index: 'customer_order_by_status',
    where: `status = 'paid'`,
    filters: { status: 'paid', from: new Date('2020-01-01T00:00:10Z') },
  },
  'orders of an email': {
    index: 'customer_order_of_email',
    where: `email = 'Ada@example.com'`,
    filters: { email: 'ada@example.com' },
  },
};

let database: TestDatabase;
let session: Awaited<ReturnType<typeof planSession>>;

const costOf = (filters: OrderFilters, after: readonly unknown[] = ['infinity', '']) =>
  session.costOf((db) => listOrders(db, scope, 'own', { filters, after, limit }));
const costOfChanges = (after: readonly unknown[]) =>
  session.costOf((db) => listOrders(db, scope, 'changes', { filters: {}, after, limit }));

// A fifth of the orders each has one of four statuses or an expired hold; half of them share an
// email.
beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql('create schema commerce');
  await migrate(commerceOrm(database.url));
  session = await planSession(database);
  // Statements are planned on empty tables first.
  for (const { filters } of Object.values(cases)) await costOf(filters);
  await costOfChanges([0, '']);
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
     select 'ord_' || n, 'unit_1', 'evt_1', 'ORD-' || n, case when n % 2 = 0 then 'Ada@example.com' else 'b' || n end,
       (array['paid', 'paid', 'expired', 'cancelled', 'held'])[1 + n / 2 % 5], 'EUR', 0, '[]', '{}', timestamptz '2020-01-01Z',
       timestamptz '2020-01-01Z' + n * interval '1 s', now(), n
     from generate_series(1, $1::int) n`,
    [count],
  );
  await session.analyze();
});
afterAll(async () => {
  await session?.end();
  await database?.drop();
});

describe.each(Object.entries(cases))('a page of %s', (_name, { index, where, filters }) => {
  test('reads only the orders that it returns, on page 1 and on page 500', async () => {
    const [last] = await database.sql<{ id: string; placed_at: Date }>(
      `select id, placed_at from commerce.customer_order where ${where} order by placed_at desc offset $1 limit 1`,
      [499 * limit - 1],
    );
    expect(last).toBeDefined();
    for (const after of [undefined, [last?.placed_at.toISOString(), last?.id]]) {
      const { kinds, indexes, rows } = await costOf(filters, after);
      expect(indexes).toContain(index);
      expect(kinds).not.toContain('Seq Scan');
      expect(rows).toBeLessThanOrEqual(2 * (limit + 1));
    }
  });
});

test.each([
  ['customer_order_newest', undefined, 10],
  ['customer_order_by_status', 'paid', 4],
  ['customer_order_by_status', 'expired', 4],
] as const)(
  'a period of orders in %s reads only its own, with the status %s',
  async (index, status, found) => {
    const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second));
    const page = {
      filters: { from: at(5000), before: at(5010), status },
      after: ['infinity', ''],
      limit: 50,
    };
    const cost = await session.costOf((db) => listOrders(db, scope, 'own', page));
    expect(cost.indexes).toContain(index);
    expect(cost.rows).toBe(found);
  },
);

test('a page of changes reads only the orders that it returns, on page 1 and on page 500', async () => {
  for (const version of [0, 499 * limit]) {
    const { indexes, rows } = await costOfChanges([version, '']);
    expect(indexes).toContain('customer_order_changes');
    expect(rows).toBeLessThanOrEqual(limit + 1);
  }
});
