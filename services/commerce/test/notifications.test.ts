import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { createLogger } from '@event-api/platform/core/log';
import { sign } from '@event-api/platform/core/signature';
import { createHttpServer } from '@event-api/platform/http/server';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { beforeEach, expect, test } from 'vitest';
import { createCommerceMetrics } from '../src/metrics.ts';
import {
  createPaymentProvider,
  type PaymentSettings,
} from '../src/payments/providers/create-provider.ts';
import { notificationRoutes } from '../src/settlements/routes.notifications.ts';
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
) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'commerce', level: 'warn', destination });
  const registry = createMetrics('commerce');
  const app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  const provider = await createPaymentProvider({ ...settings, PAYMENT_PROVIDER: configured });
  const metrics = createCommerceMetrics(registry);
  notificationRoutes(app, { db, provider, metrics, onSettlementRecorded: () => {} });
  const paid = { id: 'cs_1', attemptId: 'pay_1', orderId: 'ord_1', paymentId: 'pi_1' };
  const session = { ...paid, amount: 500, currency: 'EUR', ...fields };
  const payload = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'session.paid', session }));
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
  return { status: response.statusCode, body: response.json(), stored, outcome, logged };
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
  const { status, stored } = await notify('stripe', 'stripe');
  expect([status, stored]).toEqual([400, []]);
});

test.each([
  ['a payment id with NUL', { paymentId: 'pi_\0' }, 'paymentId must not contain NUL'],
  ['a session with NUL', { id: 'cs_\0' }, 'sessionId must not contain NUL'],
  ['a negative amount', { amount: -1 }, 'session.amount is not valid'],
  ['no payment', { paymentId: null }, 'session.paymentId is not valid'],
])(
  'responds 400 to a signed payment with %s, stores nothing and logs why',
  async (_, fields, reason) => {
    const { status, stored, outcome, logged } = await notify('sandbox', 'sandbox', fields);
    expect([status, stored, outcome]).toEqual([400, [], 'unreadable']);
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
