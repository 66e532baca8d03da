import type { EventScope } from '@event-api/contracts/internal/scope';
import { readSearch } from '@event-api/contracts/operator/search';
import { newId, randomId } from '@event-api/platform/core/ids';
import { migrate } from '@event-api/platform/db/migrations';
import { nameCases } from '@event-api/platform/testing/name-cases';
import { planSession } from '@event-api/platform/testing/plans';
import { beforeEach, describe, expect, test } from 'vitest';
import { commerceOrm } from '../../src/orm.ts';
import { findMatches } from '../../src/search/queries.ts';
import { database, db, useDatabase } from '../context.ts';

let scope: EventScope;

useDatabase();
beforeEach(() => {
  scope = { businessUnitId: newId('unit'), eventId: newId('evt') };
});

/** Stores an order of this day of 2027. */
async function createOrder(
  order: { name?: string; email?: string; day?: number },
  { businessUnitId, eventId } = scope,
) {
  const id = randomId('ord');
  const { name = null, email = 'ada@example.com', day = 1 } = order;
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, name, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
     values ($1, $2, $3, 'ORD-' || upper($1), $4, $5, 'paid', 'EUR', 0, '[]', '{}', now(), make_timestamptz(2027, 1, $6, 0, 0, 0), now())`,
    [id, businessUnitId, eventId, email, name, day],
  );
  return id;
}

const found = async (query: string, of = scope) =>
  (await findMatches(db, of, readSearch(query), null, 10)).map(({ id }) => id);

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

  test('finds names by the rule of the scanner, also those that are older than its index', async () => {
    const migration = 'Migration20261126180000_name_words';
    await database.sql('drop index commerce.customer_order_by_name');
    await database.sql('delete from commerce.mikro_orm_migrations where name = $1', [migration]);
    const ids = new Map<string, string>();
    for (const [name] of nameCases) if (!ids.has(name)) ids.set(name, await createOrder({ name }));
    expect(await migrate(commerceOrm(database.url))).toEqual([migration]);
    const results = [];
    for (const [name, query] of nameCases) {
      results.push([name, query, (await found(query)).includes(ids.get(name) ?? '')]);
    }
    expect(results).toEqual(nameCases);
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
    for (const day of [3, 2, 2, 1]) ids.push(await createOrder({ name: 'Ada', day }));
    const read = [];
    for (let after: readonly [string, string] | null = null; ; ) {
      const rows = await findMatches(db, scope, readSearch('ada'), after, 1);
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
    ];
    const costs = async () => {
      const session = await planSession(database);
      const read = [];
      for (const query of ['ada', 'ada@', 'ORD-9999', id]) {
        read.push(
          await session.costOf((planned) =>
            findMatches(planned, scope, readSearch(query), null, 50),
          ),
        );
      }
      await session.end();
      return read;
    };
    const expectIndexes = (read: Awaited<ReturnType<typeof costs>>) =>
      expect(read.map((cost) => cost.indexes)).toEqual([
        ...indexes.map((index) => expect.arrayContaining([index])),
        expect.arrayContaining(['customer_order_pkey']),
      ]);
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
    expect(read.map(({ rows }) => rows <= 101)).toEqual([true, true, true, true]);
  });
});
