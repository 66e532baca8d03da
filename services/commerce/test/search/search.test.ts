import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { readSearch } from '@event-api/contracts/operator/search';
import { newId, randomId } from '@event-api/platform/core/ids';
import { nameCases } from '@event-api/platform/testing/name-cases';
import { planSession } from '@event-api/platform/testing/plans';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderRow } from '../../src/orders/orders.queries.ts';
import { findMatches, type SearchFilters } from '../../src/search/search.queries.ts';
import { database, db, useDatabase } from '../context.ts';

let scope: EventScope;

useDatabase();
beforeEach(() => {
  scope = { businessUnitId: newId('unit'), eventId: newId('evt') };
});

/** Stores an order of this day of 2027. */
async function createOrder(
  order: { name?: string; email?: string; day?: number; status?: OrderStatus },
  { businessUnitId, eventId } = scope,
) {
  const id = randomId('ord');
  const { name = null, email = 'ada@example.com', day = 1, status = 'paid' } = order;
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
     values ($1, $2, $3, 'ORD-' || upper($1), $4, $5, $7, 'EUR', 0, '[]', '{}', now(), make_timestamptz(2027, 1, $6, 0, 0, 0), now())`,
    [id, businessUnitId, eventId, email, name, day, status],
  );
  return id;
}

const found = async (query: string, of = scope, filters: SearchFilters = {}) => {
  const page = { filters, after: null, limit: 10 };
  return (await findMatches(db, of, readSearch(query), page)).map(({ id }) => id);
};

const day = (of: number) => new Date(Date.UTC(2027, 0, of));

describe('a search for orders', () => {
  test('finds the words of a name, the start of an email and of the number, and the id, newest first', async () => {
    const first = await createOrder({ name: 'Adá Lovelace', email: 'Ada.L@example.com' });
    const second = await createOrder({ name: 'Ada Byron', email: 'byron@example.com', day: 2 });
    for (const [query, ids] of [
      ['ada', [second, first]],
      ['LOV ad', [first]],
      ['ada.l@', [first]],
      ['BYRON@EX', [second]],
      ['da.l@', []],
      [`ord-${first}`, [first]],
      [`ord-${first}`.slice(0, -2), [first]],
      [second, [second]],
      ['CHK-7D2M9QK4X1T8VBNA', []],
      ['-', []],
    ] as const) {
      expect([query, await found(query)]).toEqual([query, ids]);
    }
  });

  test('finds names by the rule of the scanner', async () => {
    const ids = new Map<string, string>();
    for (const [name] of nameCases) if (!ids.has(name)) ids.set(name, await createOrder({ name }));
    const results = [];
    for (const [name, query] of nameCases) {
      results.push([name, query, (await found(query)).includes(ids.get(name) ?? '')]);
    }
    expect(results).toEqual(nameCases);
  });

  test('finds only what fits every filter, and a hold that has ended as expired', async () => {
    const orders = [];
    for (const [n, status] of (
      ['paid', 'held', 'expired', 'paid', 'refunded'] as const
    ).entries()) {
      const id = await createOrder({ name: `Ada ${n}`, day: n + 1, status });
      await createOrder({ name: 'Bob', day: n + 1, status });
      // Their holds have ended.
      orders.unshift({ id, status: status === 'held' ? 'expired' : status, placedAt: day(n + 1) });
    }
    const periods = [[], [2, 4], [5], [undefined, 2], [3, 3], [4, 2]] as const;
    for (const status of [undefined, ...orderStatuses]) {
      for (const [from, before] of periods) {
        const filters = { status, from: from && day(from), before: before && day(before) };
        const expected = orders.filter(
          (order) =>
            (status === undefined || order.status === status) &&
            order.placedAt >= day(from ?? 1) &&
            order.placedAt < day(before ?? 9),
        );
        expect([filters, await found('ada', scope, filters)]).toEqual([
          filters,
          expected.map(({ id }) => id),
        ]);
      }
    }
  });

  test('finds nothing of another event or business unit', async () => {
    const id = await createOrder({ name: 'Ada' });
    for (const of of [
      { ...scope, eventId: newId('evt') },
      { ...scope, businessUnitId: newId('unit') },
    ]) {
      for (const query of ['ada', 'ada@', `ORD-${id}`, id]) {
        expect(await found(query, of)).toEqual([]);
      }
    }
  });

  test('continues after the last order of a page, also among orders of one instant', async () => {
    const ids = [];
    for (const each of [3, 2, 2, 1]) ids.push(await createOrder({ name: 'Ada', day: each }));
    await createOrder({ name: 'Ada', day: 4 });
    const read = [];
    for (let after: readonly [string, string] | null = null; ; ) {
      const page = { filters: { from: day(1), before: day(4) }, after, limit: 1 };
      const rows: OrderRow[] = await findMatches(db, scope, readSearch('ada'), page);
      const [row] = rows;
      if (row) read.push(row.id);
      if (!row || rows.length === 1) break;
      after = [row.placedAt.toISOString(), row.id];
    }
    expect(read.toSorted()).toEqual(ids.toSorted());
    expect(read[0]).toBe(ids[0]);
  });

  test('reads only the matches of its event at 100,000 orders', async () => {
    const id = `ord_${'0'.repeat(26)}`;
    const indexes = [
      'customer_order_by_name',
      'customer_order_by_email',
      'customer_order_by_number',
      'customer_order_pkey',
    ];
    const costs = async () => {
      const session = await planSession(database);
      const read = [];
      for (const query of ['ada', 'ada@', 'ORD-9999', id]) {
        for (const filters of [{}, { status: 'paid' as const, from: day(1), before: day(2) }]) {
          const page = { filters, after: null, limit: 50 };
          read.push(
            await session.costOf((planned) => findMatches(planned, scope, readSearch(query), page)),
          );
        }
      }
      await session.end();
      return read;
    };
    const expectIndexes = (read: Awaited<ReturnType<typeof costs>>) =>
      expect(read.map((cost) => cost.indexes)).toEqual(
        // Without and with filters.
        indexes.flatMap((index) => [index, index]).map((index) => expect.arrayContaining([index])),
      );
    expectIndexes(await costs());
    await database.sql(
      `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
         total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
       select 'ord_' || n, $1, case when n % 2 = 0 then $2 else 'evt_2' end, 'ORD-' || n,
         case when n % 1000 < 2 then 'ada@' else 'b' || n || '@' end || 'example.com', case when n % 1000 < 2 then 'Ada ' else 'Bob ' end || n,
         'paid', 'EUR', 0, '[]', '{}', now(), timestamptz '2020-01-01Z' + n * interval '1 s', now(), n
       from generate_series(1, 100000) n`,
      [scope.businessUnitId, scope.eventId],
    );
    await database.sql('analyze');
    const read = await costs();
    expectIndexes(read);
    expect(read.flatMap(({ kinds }) => kinds)).not.toContain('Seq Scan');
    expect(read.filter(({ rows }) => rows > 101)).toEqual([]);
  });
});
