import type { RefundState } from '@event-api/contracts/operator/refunds';
import { newId, randomId } from '@event-api/platform/core/ids';
import { planSession } from '@event-api/platform/testing/plans';
import { beforeEach, describe, expect, test } from 'vitest';
import { listNewestRefunds, type RefundFilter, sumOwedRefunds } from '../src/refunds/list.ts';
import { withdrawFailed } from '../src/refunds/withdraw-failed.ts';
import { database, db, useDatabase } from './context.ts';

const count = process.env.TEST_SIZE === 'full' ? 100_000 : 2000;

let businessUnitId: string;
let eventId: string;

useDatabase();
beforeEach(() => {
  businessUnitId = newId('unit');
  eventId = newId('evt');
});

const at = (second: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, second));

interface Stored {
  state: RefundState;
  cause?: string;
  amount?: number;
  currency?: string;
}

/** Stores an order with refunds that were created one second after the other. Returns their ids. */
async function store(
  refunds: readonly Stored[],
  { email = 'ada@example.com', of = eventId }: { email?: string; of?: string } = {},
): Promise<string[]> {
  const orderId = randomId('ord');
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, settlement_id, hold_expires_at, placed_at, paid_at, last_attempt_at)
     values ($1, $2, $3, $1, $4, 'paid', 'EUR', 500, '[]', '{}', 'stl_1', now(), now(), now(), now())`,
    [orderId, businessUnitId, of, email],
  );
  await database.sql(
    `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
     values ($1, 0, 'addon', 'addon_1', 'Dinner', 1, 500, 0, 500, '[]', 0, 0, '{}')`,
    [orderId],
  );
  const ids: string[] = [];
  for (const { state, cause = 'operator', amount = 100, currency = 'EUR' } of refunds) {
    const id = randomId('rfd');
    await database.sql(
      `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
         cause, created_at, last_attempt_at) values ($1, $2, $3, $4, 'stl_1', $5, $6, $7, $8, $9, now())`,
      [id, businessUnitId, of, orderId, amount, currency, state, cause, at(ids.length)],
    );
    ids.push(id);
  }
  return ids;
}

const list = async (filter: RefundFilter = {}) =>
  listNewestRefunds(db, { businessUnitId, ...filter }, null, 50);

describe('failed refunds that are withdrawn', () => {
  const reason = 'Returned by bank transfer';
  const orderOf = async (refundId = ''): Promise<string> => {
    const [row] = await database.sql<{ order_id: string }>(
      'select order_id from commerce.refund where id = $1',
      [refundId],
    );
    return row?.order_id ?? '';
  };

  test('are not owed any more, and the other refunds of the order stay as they are', async () => {
    const ids = await store([
      { state: 'failed' },
      { state: 'due', cause: 'surplus' },
      { state: 'failed' },
    ]);
    const [first = '', due = '', last = ''] = ids;
    await store([{ state: 'failed' }]);
    const orderId = await orderOf(first);
    const scope = { businessUnitId, eventId };
    const withdraw = () => withdrawFailed(db, scope, { orderId, reason });
    expect(await withdraw()).toEqual([first, last].toSorted());
    expect(await withdraw()).toEqual([]);
    const owed = (await list({ onlyOwed: true })).filter((each) => each.orderId === orderId);
    expect(owed.map(({ id }) => id)).toEqual([due]);
    const [sum] = await sumOwedRefunds(db, { businessUnitId });
    expect(sum).toMatchObject({ amount: 200, dueRefunds: 1, failedRefunds: 1 });
  });

  test('are missing for another business unit and another event', async () => {
    const [refundId] = await store([{ state: 'failed' }]);
    const orderId = await orderOf(refundId);
    for (const other of [{ businessUnitId: newId('unit') }, { eventId: newId('evt') }]) {
      const scope = { businessUnitId, eventId, ...other };
      await expect(withdrawFailed(db, scope, { orderId, reason })).rejects.toMatchObject({
        code: 404,
      });
    }
    expect(await list({ onlyOwed: true })).toHaveLength(1);
  });
});

describe('what is owed', () => {
  const due = { state: 'due', cause: 'surplus' } as const;
  const failed = { state: 'failed' } as const;

  test.each<[string, Stored[], boolean[]]>([
    ['is due', [due], [true]],
    ['is on its way', [{ state: 'pending' }], [true]],
    ['is not paid back', [{ state: 'done' }], [false]],
    ['is not withdrawn', [{ state: 'withdrawn', cause: 'surplus' }], [false]],
    ['has failed', [failed], [true]],
    ['has failed again', [failed, failed], [false, true]],
    ['is not what was repeated', [failed, { state: 'done' }], [false, false]],
    ['has failed after another refund was paid back', [{ state: 'done' }, failed], [false, true]],
    ['has failed, and more is due', [failed, due], [true, true]],
  ])('%s', async (_, refunds, expected) => {
    const ids = await store(refunds);
    await store([{ state: 'done' }]);
    const owed = ids.filter((_id, index) => expected[index]).toReversed();
    expect((await list({ onlyOwed: true })).map(({ id }) => id)).toEqual(owed);
    const all = (await list()).filter(({ id }) => ids.includes(id));
    expect(all.toReversed().map(({ isOwed }) => isOwed)).toEqual(expected);
    const [sum] = await sumOwedRefunds(db, { businessUnitId });
    expect(sum?.amount ?? 0).toBe(100 * owed.length);
  });

  test('is summed by currency, with its buyers and since when', async () => {
    await store([{ state: 'done' }, due, failed]);
    await store([{ state: 'pending', amount: 30 }], { email: 'ADA@example.com' });
    await store([{ ...due, currency: 'JPY', amount: 7 }], { email: 'bob@example.com' });
    const other = newId('evt');
    await store([due], { email: 'bob@example.com', of: other });
    const none = { dueRefunds: 0, pendingRefunds: 0, failedRefunds: 0 };
    const yen = { currency: 'JPY', amount: 7, buyers: 1, oldestAt: at(0).toISOString() };
    const inYen = { ...none, ...yen, dueRefunds: 1 };
    const euro = {
      currency: 'EUR',
      oldestAt: at(0).toISOString(),
      pendingRefunds: 1,
      failedRefunds: 1,
    };
    expect(await sumOwedRefunds(db, { businessUnitId })).toEqual([
      { ...euro, amount: 330, buyers: 2, dueRefunds: 2 },
      inYen,
    ]);
    expect(await sumOwedRefunds(db, { businessUnitId, eventId })).toEqual([
      { ...euro, amount: 230, buyers: 1, dueRefunds: 1 },
      inYen,
    ]);
    expect(await sumOwedRefunds(db, { businessUnitId, eventId: newId('evt') })).toEqual([]);
    const ofAll = await sumOwedRefunds(db, {});
    expect(ofAll.find(({ currency }) => currency === 'JPY')).toEqual(inYen);
  });
});

test('a period of refunds begins at its first instant and ends before its last one', async () => {
  const ids = await store([
    { state: 'done' },
    { state: 'done' },
    { state: 'done' },
    { state: 'due' },
  ]);
  const period = { createdFrom: at(1), createdBefore: at(3) };
  const rows = await list(period);
  expect(rows.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const last = rows[0] as (typeof rows)[number];
  const after = [last.createdAt.toISOString(), last.id] as const;
  const next = await listNewestRefunds(db, { businessUnitId, ...period }, after, 50);
  expect(next.map(({ id }) => id)).toEqual([ids[1]]);
});

test('what is owed is read without the refunds that are paid back', async () => {
  const session = await planSession(database);
  try {
    await store([{ state: 'due' }, { state: 'failed' }, { state: 'pending' }]);
    await database.sql(
      `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
         cause, created_at, done_at, last_attempt_at)
       select 'rfd_' || n, $1, $2, 'ord_' || n, 'stl_1', 100, 'EUR', 'done', 'operator', now(), now(), now()
       from generate_series(1, $3::int) n`,
      [businessUnitId, eventId, count],
    );
    await session.analyze();
    for (const scope of [{ businessUnitId }, { businessUnitId, eventId }]) {
      for (const read of [
        (of: typeof db) => listNewestRefunds(of, { ...scope, onlyOwed: true }, null, 50),
        (of: typeof db) => sumOwedRefunds(of, scope),
      ]) {
        const { indexes, rows } = await session.costOf(read as never);
        expect(indexes).toContain('refund_owed');
        expect(rows).toBeLessThan(30);
      }
    }
  } finally {
    await session.end();
  }
});
