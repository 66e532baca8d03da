import { verifiedSignatureHeader } from '@event-api/contracts/internal/notifications';
import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { createLogger } from '@event-api/platform/core/log';
import { sign } from '@event-api/platform/core/signature';
import { createHttpServer } from '@event-api/platform/http/server';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { beforeEach, describe, expect, test } from 'vitest';
import { notificationRoutes } from '../src/checkout/payment-notifications.routes.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { reloadOrder } from '../src/orders/orders.queries.ts';
import { orderView } from '../src/orders/orders.view.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import {
  createPaymentProvider,
  type PaymentSettings,
} from '../src/payments/providers/create-provider.ts';
import type {
  PaymentNotification,
  ReportedDispute,
  ReportedRefund,
} from '../src/payments/providers/provider.ts';
import { recordProviderRefund } from '../src/refunds/apply-provider-refund.ts';
import { recordDispute } from '../src/refunds/record-dispute.ts';
import { recordSettlement } from '../src/settlements/record.ts';
import { database, db, useDatabase } from './context.ts';

const secret = 'the-secret-of-the-sandbox';
const settings: Omit<PaymentSettings, 'PAYMENT_PROVIDER'> = {
  NODE_ENV: 'test',
  ALLOW_SANDBOX: '1',
  SANDBOX_URL: 'http://127.0.0.1:1',
  SANDBOX_SECRETS: [secret],
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRETS: ['whsec_1'],
  PAYMENT_LIVEMODE: 'false',
};

useDatabase();
beforeEach(() => database.sql('truncate commerce.settlement'));

/**
 * Sends a notification with a valid sandbox signature to the route of `target` while `configured`
 * is the provider.
 */
async function notify(
  configured: PaymentSettings['PAYMENT_PROVIDER'],
  target: string,
  fields: object = {},
  about: object = {},
) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'commerce', level: 'warn', destination });
  const registry = createMetrics('commerce');
  const app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  const provider = await createPaymentProvider({ ...settings, PAYMENT_PROVIDER: configured });
  const metrics = createCommerceMetrics(registry);
  const receive = async (notification: PaymentNotification) =>
    void (await recordSettlement(db, provider.name, notification));
  const receiveRefund = async (refund: ReportedRefund) =>
    void (await recordProviderRefund(db, provider.name, refund));
  const receiveDispute = async (dispute: ReportedDispute) =>
    void (await recordDispute({ db, log }, provider.name, dispute));
  const payments = { receive, receiveRefund, receiveDispute };
  notificationRoutes(app, { db, provider, accounts: platformAccount, metrics, payments });
  const paid = { id: 'cs_1', attemptId: 'pay_1', orderId: 'ord_1', paymentId: 'pi_1' };
  const session = { ...paid, amount: 500, currency: 'EUR', ...fields };
  const notification = { id: 'evt_1', type: 'session.paid', session, ...about };
  const payload = Buffer.from(JSON.stringify(notification));
  const response = await app.inject({
    method: 'POST',
    url: `/payments/notifications/${target}`,
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: sign(secret, new Date(), payload),
    },
    payload,
  });
  await app.close();
  const stored = await database.sql('select provider from commerce.settlement');
  const counted = /commerce_notifications_total\{.*outcome="(\w+)".*\} 1$/m;
  const outcome = counted.exec(await registry.text())?.[1];
  const logged = lines.map((line) => JSON.parse(line));
  const isVerified = response.headers[verifiedSignatureHeader] === 'true';
  return {
    status: response.statusCode,
    body: response.json(),
    stored,
    outcome,
    logged,
    isVerified,
  };
}

test('records a notification of the configured sandbox', async () => {
  const { status, stored } = await notify('sandbox', 'sandbox');
  expect([status, stored]).toEqual([200, [{ provider: 'sandbox' }]]);
});

test('responds 404 to a notification of another provider, as to an unknown one, and records nothing', async () => {
  const { status, body, stored } = await notify('stripe', 'sandbox');
  expect([status, stored]).toEqual([404, []]);
  expect((await notify('stripe', 'unknown')).body).toEqual(body);
});

test('responds 400 to a notification with the signature of another provider', async () => {
  const { status, stored, isVerified } = await notify('stripe', 'stripe');
  expect([status, stored, isVerified]).toEqual([400, [], false]);
});

test.each([
  ['a payment id with NUL', { paymentId: 'pi_\0' }, 'paymentId must not contain NUL'],
  ['a session with NUL', { id: 'cs_\0' }, 'sessionId must not contain NUL'],
  ['a negative amount', { amount: -1 }, 'session.amount is not valid'],
  ['no payment', { paymentId: null }, 'session.paymentId is not valid'],
])(
  'responds 400 to a signed payment with %s, stores nothing and logs why',
  async (_, fields, reason) => {
    const { status, stored, outcome, logged, isVerified } = await notify(
      'sandbox',
      'sandbox',
      fields,
    );
    expect([status, stored, outcome, isVerified]).toEqual([400, [], 'unreadable', true]);
    expect(logged).toMatchObject([{ level: 'error', alarm: 'notification_unreadable', reason }]);
  },
);

test('records a signed payment of amount 0', async () => {
  const { status, stored, outcome } = await notify('sandbox', 'sandbox', { amount: 0 });
  expect([status, stored, outcome]).toEqual([200, [{ provider: 'sandbox' }], 'received']);
});

test('counts a notification with an invalid signature and logs the reason', async () => {
  const { outcome, logged } = await notify('stripe', 'stripe');
  expect(outcome).toBe('invalid_signature');
  expect(logged).toMatchObject([
    { level: 'warn', provider: 'stripe', reason: 'body is not signed by the payment provider' },
  ]);
});

describe('a declined card', () => {
  const declined = { type: 'session.declined' };
  const declines = () =>
    database.sql('select payment_id, provider_decline_id from commerce.payment_decline order by 2');
  const versionOf = async (orderId: string) => {
    const [order] = await database.sql<{ version: string }>(
      'select version from commerce.customer_order where id = $1',
      [orderId],
    );
    return Number(order?.version);
  };

  beforeEach(async () => {
    await database.sql(
      'truncate commerce.payment, commerce.payment_decline, commerce.customer_order, commerce.order_line',
    );
    await database.sql(
      `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
         total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
       values ('ord_1', 'unit_1', 'evt_1', 'ORD-1', 'a@b.c', 'awaiting_payment', 'EUR', 500, '[]', '{}',
         now() + interval '1 hour', now(), now())`,
    );
    await database.sql(
      `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
         discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
       values ('ord_1', 0, 'addon', 'addon_1', 'Dinner', 1, 500, 0, 500, '[]', 0, 0, '{}')`,
    );
    await database.sql(
      `insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, currency,
         success_url, cancel_url, session_id, created_at, last_attempt_at)
       values ('pay_1', 'unit_1', 'evt_1', 'ord_1', 'sandbox', 'open', 500, 'EUR', 's', 'c', 'cs_1',
         now() - interval '1 minute', now())`,
    );
  });

  test('is stored once with the attempt of its session, shown by the order, and changes no status', async () => {
    const before = await versionOf('ord_1');
    const { status, stored, outcome } = await notify('sandbox', 'sandbox', {}, declined);
    expect([status, stored, outcome]).toEqual([200, [], 'declined']);
    const after = await versionOf('ord_1');
    expect(after).toBeGreaterThan(before);
    await notify('sandbox', 'sandbox', {}, { ...declined, id: 'evt_2' });
    expect(await declines()).toEqual([{ payment_id: 'pay_1', provider_decline_id: 'pi_1' }]);
    expect(await versionOf('ord_1')).toBe(after);
    await notify('sandbox', 'sandbox', { paymentId: 'pi_2' }, { ...declined, id: 'evt_3' });
    const order = orderView(await reloadOrder(db, 'ord_1'));
    expect(order.status).toBe('awaiting_payment');
    expect(order.paymentAttempts.map((each) => each.status)).toEqual([
      'open',
      'declined',
      'declined',
    ]);
  });

  test('of an attempt whose session is not stored yet is found by the attempt', async () => {
    await database.sql('update commerce.payment set session_id = null');
    await notify('sandbox', 'sandbox', {}, declined);
    expect(await declines()).toHaveLength(1);
  });

  test.each([
    ['of an unknown session', { id: 'cs_2', attemptId: 'pay_2' }, {}],
    ['of another session than that of its attempt', { id: 'cs_2' }, {}],
    ['of live mode in test mode', {}, { livemode: true }],
    ['with unreadable fields', { paymentId: null }, {}],
  ])('%s is accepted and not stored', async (_, fields, about) => {
    const { status } = await notify('sandbox', 'sandbox', fields, { ...declined, ...about });
    expect([status, await declines()]).toEqual([200, []]);
  });

  test('is not stored beyond 100 declined cards of a page', async () => {
    await database.sql(
      `insert into commerce.payment_decline select 'sandbox', 'pi_old_' || n, 'pay_1', now() from generate_series(1, 100) n`,
    );
    expect((await notify('sandbox', 'sandbox', {}, declined)).status).toBe(200);
    expect(await declines()).toHaveLength(100);
  });
});
