import { createRandom, type SeededRandom } from '@event-api/platform/testing/random';
import { taxOfRefund } from '@event-api/rules/tax';
import { beforeEach, expect, test } from 'vitest';
import { listEntries, sumAccounts } from '../src/ledger/ledger.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const scope = { businessUnitId: 'unit_1' };

beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.refund, commerce.settlement, commerce.customer_order',
  ),
);

/** A paid order with this tax in its total, and its payment `stl_1`. */
async function createPaidOrder({ gross, tax }: { gross: number; tax: number }): Promise<void> {
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, tax_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
     values ('ord_1', 'unit_1', 'evt_1', 'ord_1', 'a@example.com', 'paid', 'EUR', $1, $2, '[]', '{}', now(), now(), now(), 1)`,
    [gross, tax],
  );
  await createPayment('stl_1', 'accepted', gross);
  await database.sql(`update commerce.customer_order set settlement_id = 'stl_1'`);
}

async function createPayment(id: string, state: string, amount: number): Promise<void> {
  await database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, received_at, last_attempt_at)
     values ($1, 'sandbox', $1, $1, $1, $2, 'EUR', 'received', now(), now())`,
    [id, amount],
  );
  const apply = `update commerce.settlement set state = $2, order_id = 'ord_1' where id = $1`;
  await database.sql(apply, [id, state]);
}

async function createRefund(
  id: string,
  amount: number,
  state = 'done',
  settlementId = 'stl_1',
): Promise<number> {
  const [row] = await database.sql<{ tax: string }>(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state, cause,
       created_at, last_attempt_at)
     values ($1, 'unit_1', 'evt_1', 'ord_1', $2, $3, 'EUR', $4, 'operator', now(), now()) returning tax_amount as tax`,
    [id, settlementId, amount, state],
  );
  return Number(row?.tax);
}

const change = (id: string, fields: string) =>
  database.sql(`update commerce.refund set ${fields} where id = $1`, [id]);

const taxes = async (states: readonly string[]) => {
  const [row] = await database.sql<{ amount: string; tax: string }>(
    `select coalesce(sum(amount), 0) as amount, coalesce(sum(tax_amount), 0) as tax from commerce.refund
     where state = any($1)`,
    [states],
  );
  return { amount: Number(row?.amount), taxAmount: Number(row?.tax) };
};

const balances = async () =>
  Object.fromEntries(
    (await sumAccounts(db, scope)).map(({ account, balance }) => [account, balance]),
  );

const posted = async () =>
  (await listEntries(db, scope, null, 100)).map(
    ({ cause, causeId, debit, credit, amount }) =>
      `${cause} ${causeId}: ${credit} > ${debit} ${amount}`,
  );

test('the tax in a payment and in its refunds is posted with them', async () => {
  await createPaidOrder({ gross: 1190, tax: 190 });
  await createRefund('rfd_1', 595, 'due');
  await change('rfd_1', `state = 'done'`);
  expect(await posted()).toEqual([
    'charge stl_1: sales > provider 1190',
    'tax stl_1: tax > sales 190',
    'refund_due rfd_1: refunds_due > sales 595',
    'tax_returned rfd_1: sales > tax 95',
    'refund rfd_1: provider > refunds_due 595',
  ]);
  expect(await balances()).toEqual({ provider: 595, sales: -500, tax: -95, refunds_due: 0 });
  await change('rfd_1', `state = 'failed'`);
  expect(await balances()).toEqual({ provider: 1190, sales: -1000, tax: -190, refunds_due: 0 });
});

test.each(['surplus', 'late', 'mismatch'])('a %s payment has no tax in it', async (state) => {
  await createPaidOrder({ gross: 1190, tax: 190 });
  await createPayment('stl_2', state, 1190);
  expect(await createRefund('rfd_1', 1190, 'done', 'stl_2')).toBe(0);
  expect((await balances()).tax).toBe(-190);
});

test('a refund that the provider has paid before one that is on its way carries its own tax', async () => {
  await createPaidOrder({ gross: 1190, tax: 190 });
  await createRefund('rfd_1', 1190, 'pending');
  expect(await createRefund('rfd_2', 1190)).toBe(190);
  await change('rfd_1', `state = 'withdrawn'`);
  expect(await balances()).toEqual({ provider: 0, sales: 0, tax: 0, refunds_due: 0 });
});

/** Refunds a random part, in one of the ways in which refunds change. */
async function refundSome(random: SeededRandom, id: string, left: number): Promise<void> {
  const amount = 1 + random.below(left);
  const way = random.below(6);
  if (way === 0) await createRefund(id, amount);
  if (way === 1) await createRefund(id, amount, 'failed');
  if (way >= 2) await createRefund(id, amount, random.chance(0.5) ? 'due' : 'pending');
  if (way === 2) await change(id, `state = 'done'`);
  if (way === 3) await change(id, `state = 'withdrawn'`);
  // The provider has paid a part, and the rest stays due.
  if (way === 4 && amount > 1) {
    const paid = 1 + random.below(amount - 1);
    await createRefund(`${id}_rest`, amount - paid, 'due');
    await change(id, `state = 'done', amount = ${paid}`);
  }
  if (way === 5) {
    await change(id, `state = 'done'`);
    if (random.chance(0.3)) await change(id, `state = 'failed'`);
  }
}

test('refunds of all of a payment carry all its tax, in 60 random series', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const owed = ['due', 'pending', 'done'];
  for (let n = 0; n < 60; n++) {
    const random = createRandom(seed + n);
    await database.sql('truncate commerce.refund, commerce.settlement, commerce.customer_order');
    await database.sql('truncate commerce.journal_entry');
    const gross = 1 + random.below(10 ** (1 + random.below(10)));
    const tax = random.below(Math.floor(gross / 2) + 1);
    await createPaidOrder({ gross, tax });
    for (let step = 0; step < 6; step++) {
      const { amount } = await taxes(owed);
      if (amount < gross) await refundSome(random, `rfd_${step}`, gross - amount);
      const now = await taxes(owed);
      expect((await balances()).tax ?? 0, `seed ${seed + n}`).toBe(now.taxAmount - tax);
    }
    await database.sql(
      `update commerce.refund set state = 'done' where state in ('due', 'pending')`,
    );
    const before = await taxes(['done']);
    const rest = gross - before.amount;
    if (rest > 0) {
      const expected = taxOfRefund({ grossAmount: gross, taxAmount: tax }, before, rest);
      expect(await createRefund('rfd_rest', rest), `seed ${seed + n}`).toBe(expected);
    }
    expect(await taxes(['done']), `seed ${seed + n}`).toEqual({ amount: gross, taxAmount: tax });
    const sums = Object.values(await balances());
    expect(
      sums.every((balance) => balance === 0),
      `seed ${seed + n}`,
    ).toBe(true);
  }
});
