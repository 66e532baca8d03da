import { type OrderStatus, orderStatuses } from '@event-api/contracts/http/orders';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { readSearch, type Search } from '@event-api/contracts/operator/search';
import { newId, randomId } from '@event-api/platform/core/ids';
import { searchInTurn } from '@event-api/platform/http/search-in-turn';
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

const start = ['infinity', ''] as const;

const searched = (query: string, of = scope, filters: SearchFilters = {}) =>
  searchInTurn(readSearch(query), undefined, (search) =>
    findMatches(db, of, search, { filters, after: start, limit: 10 }),
  );

const found = async (...search: Parameters<typeof searched>) =>
  (await searched(...search)).rows.map(({ id }) => id);

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
      ['da.l@', [first]],
      [`ord-${first}`, [first]],
      [`ord-${first}`.slice(0, -2), [first]],
      [second, [second]],
      ['CHK-7D2M9QK4X1T8VBNA', []],
      ['-', []],
    ] as const) {
      expect([query, await found(query)]).toEqual([query, ids]);
    }
  });

  test('finds a part of the email, a number without its letters and a name with a wrong letter', async () => {
    const gmial = await createOrder({ name: 'Grace Hopper', email: "o'b0a2|x@gmial.com" });
    const second = await createOrder({ name: 'Ada Lovelace', email: 'ada.l@example.com', day: 2 });
    await database.sql('update commerce.customer_order set order_number = $2 where id = $1', [
      second,
      'ORD-7K3M9QXA',
    ]);
    for (const [query, foundBy, ids] of [
      ['gmial', 'emailPart', [gmial]],
      ['B0A2', 'emailPart', [gmial]],
      ['gmial.com', 'emailPart', [gmial]],
      ["o'b0a2|x", 'emailPart', [gmial]],
      ['@example.com', 'emailPart', [second]],
      // Every run of it is in the email, but not the whole.
      ['xample.exa', null, []],
      ['7k3m', 'orderNumber', [second]],
      ['#7K3M9QXA', 'orderNumber', [second]],
      ['7d3m', null, []],
      ['lovalace', 'similarName', [second]],
      ['Ada Lovelcae', 'similarName', [second]],
      ['Hoper grace', 'similarName', [gmial]],
      ['Hopprr', 'similarName', [gmial]],
      // Two wrong letters.
      ['Lavalace', null, []],
    ] as const) {
      const { rows, foundBy: how } = await searched(query);
      expect([query, how, rows.map(({ id }) => id)]).toEqual([query, foundBy, ids]);
    }
  });

  test('finds names by the rule of the scanner', async () => {
    const ids = new Map<string, string>();
    for (const [name] of nameCases) if (!ids.has(name)) ids.set(name, await createOrder({ name }));
    const results = [];
    for (const [name, query] of nameCases) {
      const page = { filters: {}, after: start, limit: 100 };
      const rows = await findMatches(db, scope, { by: 'name', text: query }, page);
      results.push([name, query, rows.some(({ id }) => id === ids.get(name))]);
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
    for (let after: readonly [string, string] = start; ; ) {
      const page = { filters: { from: day(1), before: day(4) }, after, limit: 1 };
      const rows: OrderRow[] = await findMatches(db, scope, { by: 'name', text: 'ada' }, page);
      const [row] = rows;
      if (row) read.push(row.id);
      if (!row || rows.length === 1) break;
      after = [row.placedAt.toISOString(), row.id];
    }
    expect(read.toSorted()).toEqual(ids.toSorted());
    expect(read[0]).toBe(ids[0]);
  });

  test('reads only the matches of its event at 100,000 orders', async () => {
    const searches: [index: string, search: Search][] = [
      ['customer_order_by_name', { by: 'name', text: 'ada' }],
      ['customer_order_by_name', { by: 'similarName', text: 'lovalace' }],
      ['customer_order_by_email', { by: 'email', text: 'ada@' }],
      ['customer_order_by_email_part', { by: 'emailPart', text: 'da@ex' }],
      ['customer_order_by_number', { by: 'orderNumber', text: 'ORD-9999' }],
      ['customer_order_pkey', { by: 'id', text: `ord_${'0'.repeat(26)}` }],
    ];
    const costs = async () => {
      const session = await planSession(database);
      const read = [];
      for (const [, search] of searches) {
        for (const filters of [{}, { status: 'paid' as const, from: day(1), before: day(2) }]) {
          const page = { filters, after: start, limit: 50 };
          read.push(await session.costOf((planned) => findMatches(planned, scope, search, page)));
        }
      }
      await session.end();
      return read;
    };
    const expectIndexes = (read: Awaited<ReturnType<typeof costs>>) =>
      expect(read.map((cost) => cost.indexes)).toEqual(
        // Without and with filters.
        searches
          .flatMap(([index]) => [index, index])
          .map((index) => expect.arrayContaining([index])),
      );
    expectIndexes(await costs());
    await database.sql(
      `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
         total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
       select 'ord_' || n, $1, case when n % 2 = 0 then $2 else 'evt_2' end, 'ORD-' || n,
         case when n % 1000 < 2 then 'ada@' else 'b' || n || '@' end || 'example.com', case when n % 1000 < 2 then 'Ada Lovelace ' else 'Bob ' end || n,
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
