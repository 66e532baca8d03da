import { sign, signatureHeader } from '@event-api/payment-sandbox/signature';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { createHttpServer } from '@event-api/platform/http/server';
import { createLogger } from '@event-api/platform/log';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { commerceOrm } from '../src/orm.ts';
import { chooseProvider, type PaymentSettings } from '../src/payments/providers/choose.ts';
import { notificationRoutes } from '../src/settlements/routes.notifications.ts';

const secret = 'the-secret-of-the-sandbox';
const settings: Omit<PaymentSettings, 'PAYMENT_PROVIDER'> = {
  NODE_ENV: 'test',
  ALLOW_SANDBOX: '1',
  SANDBOX_URL: 'http://127.0.0.1:1',
  SANDBOX_SECRETS: [secret],
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRETS: ['whsec_1'],
};

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  await database.sql('create schema commerce');
  await migrate(commerceOrm(database.url));
  db = await openDatabase(commerceOrm(database.url), 2);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
beforeEach(() => database.sql('truncate commerce.settlement'));

/** What a sandbox tells that knows the secret: sent to `asked` where `configured` takes the money. */
async function tell(configured: PaymentSettings['PAYMENT_PROVIDER'], asked: string) {
  const log = createLogger({ service: 'commerce', level: 'silent' });
  const app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  const provider = await chooseProvider({ ...settings, PAYMENT_PROVIDER: configured });
  notificationRoutes(app, { db, provider, onReceived: () => {} });
  const paid = { id: 'cs_1', attemptId: 'pay_1', orderId: 'ord_1', paymentId: 'pi_1' };
  const session = { ...paid, amount: 500, currency: 'EUR' };
  const payload = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'session.paid', session }));
  const answer = await app.inject({
    method: 'POST',
    url: `/payments/notifications/${asked}`,
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: sign(secret, new Date(), payload),
    },
    payload,
  });
  await app.close();
  const kept = await database.sql('select provider from commerce.settlement');
  return { status: answer.statusCode, body: answer.json(), kept };
}

test('a notification of the sandbox is kept where the sandbox is configured', async () => {
  const { status, kept } = await tell('sandbox', 'sandbox');
  expect([status, kept]).toEqual([200, [{ provider: 'sandbox' }]]);
});

test('where Stripe is configured it is a 404 like one of nobody, and nothing is kept', async () => {
  const { status, body, kept } = await tell('stripe', 'sandbox');
  expect([status, kept]).toEqual([404, []]);
  expect((await tell('stripe', 'nobody')).body).toEqual(body);
});

test('and told as if by Stripe it is a forgery', async () => {
  const { status, kept } = await tell('stripe', 'stripe');
  expect([status, kept]).toEqual([400, []]);
});
