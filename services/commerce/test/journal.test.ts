import { beforeEach, expect, test } from 'vitest';
import { csvOf } from '../src/ledger/csv.rules.ts';
import { listEntries, sumAccounts } from '../src/ledger/ledger.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const scope = { businessUnitId: 'unit_1' };

beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.dispute, commerce.refund, commerce.settlement, commerce.customer_order',
  ),
);

const createOrder = (id: string, unit = 'unit_1') =>
  database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
     values ($1, $2, 'evt_1', $1, 'a@example.com', 'paid', 'EUR', 100, '[]', '{}', now(), now(), now(), 1)`,
    [id, unit],
  );
const receive = (id: string, fields: { amount?: number; currency?: string } = {}) =>
  database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, received_at, last_attempt_at)
     values ($1, 'sandbox', $1, $1, $1, $2, $3, 'received', now(), now())`,
    [id, fields.amount ?? 100, fields.currency ?? 'EUR'],
  );
const settle = (id: string, state: string, orderId: string | null) =>
  database.sql('update commerce.settlement set state = $2, order_id = $3 where id = $1', [
    id,
    state,
    orderId,
  ]);
const createRefund = (id: string, state: string, amount = 30) =>
  database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state, cause,
       created_at, last_attempt_at)
     values ($1, 'unit_1', 'evt_1', 'ord_1', 'stl_1', $3, 'EUR', $2, 'operator', now(), now())`,
    [id, state, amount],
  );
const setState = (id: string, state: string) =>
  database.sql('update commerce.refund set state = $2 where id = $1', [id, state]);

const posted = async () =>
  (await listEntries(db, scope, null, 100)).map(
    ({ cause, causeId, debit, credit, amount }) =>
      `${cause} ${causeId}: ${credit} > ${debit} ${amount}`,
  );
const balances = async () =>
  Object.fromEntries(
    (await sumAccounts(db, scope)).map(({ account, currency, balance }) => [
      `${account} ${currency}`,
      balance,
    ]),
  );

test('a payment is posted once, when an order receives it', async () => {
  await createOrder('ord_1');
  await receive('stl_1');
  expect(await posted()).toEqual([]);
  await settle('stl_1', 'accepted', 'ord_1');
  await settle('stl_1', 'accepted', 'ord_1');
  expect(await posted()).toEqual(['charge stl_1: sales > provider 100']);
  await receive('stl_2', { amount: 7, currency: 'JPY' });
  await settle('stl_2', 'mismatch', 'ord_1');
  await receive('stl_3');
  await settle('stl_3', 'unmatched', null);
  expect(await balances()).toEqual({
    'provider EUR': 100,
    'sales EUR': -100,
    'provider JPY': 7,
    'sales JPY': -7,
  });
});

test.each([
  [['due'], ['refund_due rfd_1: refunds_due > sales 30']],
  [
    ['due', 'pending', 'done'],
    ['refund_due rfd_1: refunds_due > sales 30', 'refund rfd_1: provider > refunds_due 30'],
  ],
  [
    ['done', 'done'],
    ['refund_due rfd_1: refunds_due > sales 30', 'refund rfd_1: provider > refunds_due 30'],
  ],
  [
    ['pending', 'failed', 'withdrawn'],
    ['refund_due rfd_1: refunds_due > sales 30', 'refund_withdrawn rfd_1: sales > refunds_due 30'],
  ],
  [
    ['failed', 'due', 'withdrawn'],
    ['refund_due rfd_1: refunds_due > sales 30', 'refund_withdrawn rfd_1: sales > refunds_due 30'],
  ],
  [
    ['done', 'failed'],
    [
      'refund_due rfd_1: refunds_due > sales 30',
      'refund rfd_1: provider > refunds_due 30',
      'refund_withdrawn rfd_1: sales > refunds_due 30',
      'refund_returned rfd_1: refunds_due > provider 30',
    ],
  ],
])('a refund with the states %j posts %j', async ([first = '', ...states], expected) => {
  await createRefund('rfd_1', first);
  for (const state of states) await setState('rfd_1', state);
  expect(await posted()).toEqual(expected);
  const sums = await sumAccounts(db, scope);
  expect(sums.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
});

const createDispute = (status: string, orderId: string | null = 'ord_1', amount = 30) =>
  database.sql(
    `insert into commerce.dispute (provider, provider_dispute_id, provider_payment_id, amount, currency, status,
       created_at, reported_at, order_id, business_unit_id, event_id, received_at)
     values ('sandbox', 'dp_1', 'stl_1', $3, 'EUR', $1, now(), now(), $2, 'unit_1', 'evt_1', now())`,
    [status, orderId, amount],
  );
const changeDispute = (fields: string) => database.sql(`update commerce.dispute set ${fields}`);

test.each([
  [['inquiry'], []],
  [['inquiry', 'won'], []],
  [['needs_response', 'under_review', 'lost'], ['dispute dp_1: provider > dispute 30']],
  [['lost'], ['dispute dp_1: provider > dispute 30']],
  [
    ['inquiry', 'needs_response', 'under_review', 'won'],
    ['dispute dp_1: provider > dispute 30', 'dispute_returned dp_1: dispute > provider 30'],
  ],
  [
    ['lost', 'won', 'lost'],
    [
      'dispute dp_1: provider > dispute 30',
      'dispute_returned dp_1: dispute > provider 30',
      'dispute dp_1: provider > dispute 30',
    ],
  ],
])('a dispute with the states %j posts %j', async ([first = '', ...states], expected) => {
  await createDispute(first);
  for (const status of states) await changeDispute(`status = '${status}'`);
  expect(await posted()).toEqual(expected);
  const sums = await sumAccounts(db, scope);
  expect(sums.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
});

test('a dispute is posted when its order is known, and the difference of another amount', async () => {
  await createDispute('needs_response', null);
  expect(await posted()).toEqual([]);
  await changeDispute("order_id = 'ord_1'");
  await changeDispute('amount = 40');
  await changeDispute('amount = 25');
  expect(await posted()).toEqual([
    'dispute dp_1: provider > dispute 30',
    'dispute dp_1: provider > dispute 10',
    'dispute_returned dp_1: dispute > provider 15',
  ]);
});

test('an entry is never changed or deleted', async () => {
  await createRefund('rfd_1', 'due');
  for (const text of [
    'update commerce.journal_entry set amount = 1',
    'delete from commerce.journal_entry',
  ])
    await expect(database.sql(text)).rejects.toThrow('entries of the journal are never changed');
});

test('the journal of a unit is listed page by page, and as CSV', async () => {
  await createOrder('ord_1');
  await createOrder('ord_2', 'unit_2');
  for (const [id, order] of [
    ['stl_1', 'ord_1'],
    ['stl_2', 'ord_2'],
    ['stl_3', 'ord_1'],
  ] as const) {
    await receive(id);
    await settle(id, 'accepted', order);
  }
  const [first, second] = await listEntries(db, scope, null, 1);
  if (!first || !second) throw new Error('two entries');
  expect(second.causeId).toBe('stl_3');
  const after = [first.postedAt.toISOString(), first.position] as const;
  expect((await listEntries(db, scope, after, 1)).map(({ causeId }) => causeId)).toEqual(['stl_3']);
  expect(await listEntries(db, { ...scope, before: first.postedAt }, null, 9)).toEqual([]);
  expect(csvOf([first])).toBe(
    `position,postedAt,eventId,orderId,cause,causeId,debit,credit,amount,currency
${first.position},${first.postedAt.toISOString()},evt_1,ord_1,charge,stl_1,provider,sales,100,EUR
`,
  );
});
