import { timezoneNames } from '@event-api/contracts/http/timezone-names';
import { planSession } from '@event-api/platform/testing/plans';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEventSales, readSales } from '../../src/sales/sales.queries.ts';
import { database, useDatabase } from '../context.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 20_000;
/** The orders that are paid on one day, and the refunds of it. */
const ofDay = count / 2000;
const unit = { businessUnitId: 'unit_1', timezone: 'Europe/Berlin' };
const event = { ...unit, eventId: 'evt_1' };
const period = { from: '2027-03-28', to: '2027-03-29' };

useDatabase();

let session: Awaited<ReturnType<typeof planSession>>;

const costOf = (by: 'day' | 'ticketType', scope: typeof unit | typeof event) =>
  session.costOf((db) => readSales(db, by, { ...scope, ...period }));

const indexes = ['customer_order_paid', 'customer_order_pkey', 'refund_done'];
const cases = (['day', 'ticketType'] as const).flatMap((by) => [
  { by, of: 'an event', scope: event },
  { by, of: 'a business unit', scope: unit },
]);

// Statements are planned on empty tables first. The orders of one event are spread over
// 2000 days; each is refunded on the day after its payment.
beforeAll(async () => {
  session = await planSession(database);
  for (const { by, scope } of cases) await costOf(by, scope);
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, settlement_id, hold_expires_at, placed_at, paid_at, last_attempt_at)
     select 'ord_' || n, 'unit_1', 'evt_1', 'ORD-' || n, 'b' || n, 'paid', 'EUR', 500,
       '[{"ticketTypeId": "tt_1", "amount": 500}]', '{}', 'stl_' || n, now(), now(),
       timestamptz '2024-01-01Z' + n % 2000 * interval '1 day', now()
     from generate_series(1, $1::int) n`,
    [count],
  );
  await database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
       cause, created_at, done_at, last_attempt_at)
     select 'rfd_' || n, 'unit_1', 'evt_1', 'ord_' || n, 'stl_' || n, 100, 'EUR', 'done', 'operator', now(),
       timestamptz '2024-01-02Z' + n % 2000 * interval '1 day', now()
     from generate_series(1, $1::int) n`,
    [count],
  );
  await session.analyze();
});
afterAll(() => session?.end());

describe.each(cases)('a summary by $by of $of', ({ by, scope }) => {
  test('reads only the orders and refunds of its period', async () => {
    const cost = await costOf(by, scope);
    expect(cost.indexes).toEqual(expect.arrayContaining(indexes));
    expect(cost.kinds).not.toContain('Seq Scan');
    // The parts of an order are its ticket type and the rest.
    expect(cost.rows).toBeLessThanOrEqual(4 * ofDay);
    expect(cost.rows).toBeGreaterThanOrEqual(ofDay);
  });
});

test('the totals of an event read each paid order, each refund and its order once', async () => {
  const cost = await session.costOf((db) => readEventSales(db, event));
  expect(cost.indexes).toContain('customer_order_paid');
  expect(cost.kinds).not.toContain('Seq Scan');
  expect(cost.rows).toBeLessThanOrEqual(3 * count);
});

test('the database knows every time zone that an event can have', async () => {
  const unknown = await database.sql(
    `select zone from unnest($1::text[]) zone
     where lower(zone) not in (select lower(name) from pg_timezone_names)`,
    [timezoneNames],
  );
  expect(unknown).toEqual([]);
});
