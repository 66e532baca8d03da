import type { DisputeStatus } from '@event-api/contracts/http/orders';
import { beforeEach, expect, test } from 'vitest';
import { findUnlinkedDisputes } from '../src/disputes/disputes.queries.ts';
import { sumAccounts } from '../src/ledger/ledger.queries.ts';
import { reloadOrder } from '../src/orders/orders.queries.ts';
import { orderView } from '../src/orders/orders.view.ts';
import type { ReportedDispute } from '../src/payments/providers/provider.ts';
import { linkDisputes, recordDispute } from '../src/refunds/record-dispute.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const deps = {
  get db() {
    return db;
  },
  log: { warn: () => {} },
};

beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.dispute, commerce.refund, commerce.settlement, commerce.customer_order, commerce.order_line',
  ),
);

async function createOrder(id: string): Promise<void> {
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version, settlement_id, paid_at)
     values ($1, 'unit_1', 'evt_1', $1, 'a@example.com', 'paid', 'EUR', 1000, '[]', '{}', now(), now(), now(), 1, $1, now())`,
    [id],
  );
  await database.sql(
    `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount, discount_amount,
       total_amount, attendees, first_seat, seat_count, registration_ids)
     values ($1, 0, 'addon', 'addon_1', 'Dinner', 1, 1000, 0, 1000, '[]', 0, 0, '{}')`,
    [id],
  );
}
/** Stores the payment of an order, with its id. */
const settle = (id: string) =>
  database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, order_id, received_at, last_attempt_at)
     values ($1, 'sandbox', $1, $1, $1, 1000, 'EUR', 'accepted', $1, now(), now())`,
    [id],
  );

const report = (
  paymentId: string,
  status: DisputeStatus,
  second: number,
  fields: Partial<ReportedDispute> = {},
): ReportedDispute => ({
  ...{ disputeId: `dp_${paymentId}`, paymentId, amount: 500, currency: 'EUR', status },
  ...{ livemode: false, reason: 'fraudulent', respondBy: null, createdAt: new Date(0) },
  ...{ reportedAt: new Date(second * 1000), ...fields },
});

const record = (reported: ReportedDispute) => recordDispute(deps, 'sandbox', reported);
const disputedAmount = async (id: string): Promise<number> =>
  orderView(await reloadOrder(db, id)).disputedAmount;
const balanceOf = async (account: string): Promise<number> =>
  (await sumAccounts(db, { businessUnitId: 'unit_1' })).find((each) => each.account === account)
    ?.balance ?? 0;

test('a dispute whose order is known after a crash is found again, and assigned once', async () => {
  await createOrder('ord_1');
  expect(await record(report('ord_1', 'needs_response', 1))).toBeNull();
  expect(await findUnlinkedDisputes(db, 10, null)).toEqual([]);
  await settle('ord_1');
  expect(await findUnlinkedDisputes(db, 10, 'unit_2')).toEqual([]);
  expect(await findUnlinkedDisputes(db, 10, 'unit_1')).toMatchObject([{ paymentId: 'ord_1' }]);
  await Promise.all([1, 2, 3].map(() => linkDisputes(deps, 'sandbox', 'ord_1')));
  expect(await findUnlinkedDisputes(db, 10, null)).toEqual([]);
  expect([await disputedAmount('ord_1'), await balanceOf('dispute')]).toEqual([500, 500]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a dispute and its settlement that are stored at once end on the order, race %i',
  async (round) => {
    const id = `ord_${round}`;
    await createOrder(id);
    const payment = async () => {
      await settle(id);
      await linkDisputes(deps, 'sandbox', id);
    };
    await Promise.all([record(report(id, 'needs_response', 1)), payment()]);
    expect(await disputedAmount(id)).toBe(500);
  },
);

test('reports at once about a dispute without an order leave the last state', async () => {
  const path: DisputeStatus[] = ['needs_response', 'inquiry', 'lost', 'under_review'];
  for (let round = 0; round < 20; round++) {
    const id = `pi_${round}`;
    await record(report(id, 'inquiry', 0));
    await Promise.all(path.map((status, second) => record(report(id, status, second + 1))));
    const stored = await database.sql(
      'select status from commerce.dispute where provider_payment_id = $1',
      [id],
    );
    expect(stored).toEqual([{ status: 'lost' }]);
  }
});

test.each([11, 12, 13, 14, 15, 16])(
  'the journal equals what the provider holds after reports in any order, seed %i',
  async (seed) => {
    const random = randomOf(seed);
    const expected = new Map<string, number>();
    const reports: ReportedDispute[] = [];
    for (let n = 0; n < 6; n++) {
      const id = `ord_${n}`;
      await createOrder(id);
      if (random() < 0.7) await settle(id);
      const path: DisputeStatus[] = ['inquiry', 'needs_response', 'under_review'];
      const end = path.slice(0, 1 + Math.floor(random() * 3));
      if (random() < 0.6) end.push(random() < 0.5 ? 'won' : 'lost');
      const states = end.map((status, second) =>
        report(id, status, second + 1, { amount: 100 + Math.floor(random() * 900) }),
      );
      reports.push(...states, ...states.filter(() => random() < 0.5));
      const last = states.at(-1);
      const isTaken = last && !['inquiry', 'won'].includes(last.status);
      expected.set(id, isTaken ? last.amount : 0);
    }
    const shuffled = reports
      .map((each) => ({ each, key: random() }))
      .toSorted((one, other) => one.key - other.key);
    await Promise.all(shuffled.map(({ each }) => record(each)));
    const settled = await database.sql<{ id: string }>('select id from commerce.settlement');
    for (const id of expected.keys()) {
      if (!settled.some((each) => each.id === id)) await settle(id);
      await linkDisputes(deps, 'sandbox', id);
      expect([id, await disputedAmount(id)]).toEqual([id, expected.get(id)]);
    }
    const sum = [...expected.values()].reduce((total, amount) => total + amount, 0);
    expect(await balanceOf('dispute')).toBe(sum);
    expect(await balanceOf('provider')).toBe(6000 - sum);
  },
);

/** Numbers from 0 to 1 that depend on the seed only. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
