import { createLogger } from '@event-api/platform/core/log';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createRandom } from '@event-api/platform/testing/random';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sumAccounts } from '../src/ledger/ledger.queries.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import { createStripeProvider } from '../src/payments/providers/stripe.ts';
import { findRefundsOfOrder } from '../src/refunds/refunds.queries.ts';
import { type RefundDeps, sendRefund } from '../src/refunds/send.ts';
import { database, db, useDatabase } from './context.ts';
import { startStripeServer } from './providers/stripe-server.ts';

useDatabase();

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.refund, commerce.settlement, commerce.payment, commerce.order_line, commerce.customer_order',
  ),
);

/** A paid order, whose page had this fee. The session of the page is `cs_1`. */
async function createPaidOrder({ gross, fee }: { gross: number; fee: number }): Promise<void> {
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version)
     values ('ord_1', 'unit_1', 'evt_1', 'ord_1', 'a@example.com', 'paid', 'EUR', $1, '[]', '{}', now(), now(), now(), 1)`,
    [gross],
  );
  await database.sql(
    `insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, fee_amount, currency,
       success_url, cancel_url, session_id, created_at, last_attempt_at)
     values ('pay_1', 'unit_1', 'evt_1', 'ord_1', 'stripe/pac_1', 'open', $1, $2, 'EUR', 's', 'c', 'cs_1', now(), now())`,
    [gross, fee],
  );
  await receive({ id: 'stl_1', amount: gross });
}

async function receive(fields: { id: string; amount: number; currency?: string; of?: string }) {
  const { id, amount, currency = 'EUR', of = 'stripe/pac_1' } = fields;
  await database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, received_at, last_attempt_at)
     values ($1, $4, $1, $1, 'cs_1', $2, $3, 'received', now(), now())`,
    [id, amount, currency, of],
  );
  const apply = `update commerce.settlement set state = 'accepted', order_id = 'ord_1' where id = $1`;
  await database.sql(apply, [id]);
  await database.sql(apply, [id]);
}

const createRefund = (id: string, amount: number, state: string) =>
  database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state, cause,
       created_at, last_attempt_at)
     values ($1, 'unit_1', 'evt_1', 'ord_1', 'stl_1', $2, 'EUR', $3, 'operator', now(), now())`,
    [id, amount, state],
  );
const setState = (id: string, state: string) =>
  database.sql('update commerce.refund set state = $2 where id = $1', [id, state]);

const feeOfUnit = async (): Promise<number> => {
  const sums = await sumAccounts(db, { businessUnitId: 'unit_1' });
  expect(sums.reduce((sum, { balance }) => sum + balance, 0)).toBe(0);
  return sums.find(({ account }) => account === 'fee')?.balance ?? 0;
};

test('the fee of a page is posted once, with the payment', async () => {
  await createPaidOrder({ gross: 1000, fee: 55 });
  expect(await feeOfUnit()).toBe(55);
});

test.each([
  ['in another currency', { currency: 'JPY' }],
  ['on another account', { of: 'stripe' }],
])('a payment %s has no fee', async (_, fields) => {
  await createPaidOrder({ gross: 1000, fee: 55 });
  await receive({ id: 'stl_2', amount: 1000, ...fields });
  const rows = await database.sql(`select fee_amount from commerce.settlement where id = 'stl_2'`);
  expect(rows).toEqual([{ fee_amount: '0' }]);
});

test('a refund returns its share when it is done, and takes it back when it fails', async () => {
  await createPaidOrder({ gross: 1000, fee: 55 });
  await createRefund('rfd_1', 500, 'due');
  expect(await feeOfUnit()).toBe(55);
  await setState('rfd_1', 'done');
  // Half of 55, rounded half up.
  expect(await feeOfUnit()).toBe(27);
  await setState('rfd_1', 'failed');
  expect(await feeOfUnit()).toBe(55);
});

test('of 200 random payments, refunds of all of it return the whole fee', async () => {
  const random = createRandom(seed);
  for (let n = 0; n < 200; n++) {
    await database.sql(
      'truncate commerce.journal_entry, commerce.refund, commerce.settlement, commerce.payment, commerce.customer_order',
    );
    const gross = 1 + random.below(10 ** (1 + random.below(6)));
    const fee = random.below(gross + 1);
    await createPaidOrder({ gross, fee });
    let left = gross;
    for (let part = 1; left > 0; part++) {
      const amount = part === 5 ? left : 1 + random.below(left);
      await createRefund(`rfd_${part}`, amount, 'done');
      left -= amount;
      const exact = (fee * left) / gross;
      expect(Math.abs((await feeOfUnit()) - exact), `seed ${seed}`).toBeLessThanOrEqual(0.5);
    }
    expect(await feeOfUnit(), `seed ${seed}`).toBe(0);
  }
});

test.each([
  [55, 'true'],
  [0, null],
])(
  'a refund of a payment with a fee of %s asks the provider to return it: %s',
  async (fee, asked) => {
    const stripe = await startStripeServer();
    onTestFinished(() => stripe.close());
    const provider = createStripeProvider({
      ...{ secretKey: 'sk_test_1', webhookSecrets: [], livemode: false, apiUrl: stripe.url },
      name: 'stripe/pac_1',
    });
    const page = await provider.createSession({
      ...{ attemptId: 'pay_1', orderId: 'ord_1', orderNumber: 'ord_1', businessUnitId: 'unit_1' },
      ...{ eventId: 'evt_1', amount: 1000, feeAmount: fee, currency: 'EUR' },
      ...{ email: 'a@example.com', title: 'Fair' },
      ...{ successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' },
      expiresAt: new Date(Date.now() + 900_000),
    });
    if (page.outcome !== 'created') throw new Error(page.outcome);
    const { payment_intent: paymentId } = stripe.pay(page.sessionId);
    await createPaidOrder({ gross: 1000, fee });
    await database.sql(
      `update commerce.settlement set provider = 'stripe', provider_payment_id = $1`,
      [paymentId],
    );
    await database.sql(
      `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
         discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
       values ('ord_1', 0, 'addon', 'addon_1', 'Dinner', 1, 1000, 0, 1000, '[]', 0, 0, '{}')`,
    );
    await createRefund('rfd_1', 400, 'pending');
    const log = createLogger({ service: 'test', level: 'silent' });
    const metrics = createCommerceMetrics(createMetrics('commerce'));
    // A refund by an operator of a part revokes nothing.
    const deps = { db, log, provider, accounts: platformAccount, metrics } as unknown as RefundDeps;
    const [refund] = await findRefundsOfOrder(db, 'ord_1');
    if (!refund) throw new Error('there is no refund');
    await sendRefund(deps, refund);
    expect(stripe.requests.at(-1)?.form.get('refund_application_fee')).toBe(asked);
    expect(await findRefundsOfOrder(db, 'ord_1')).toMatchObject([{ state: 'done' }]);
  },
);
