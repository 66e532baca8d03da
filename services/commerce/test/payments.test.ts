import { randomId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { postgresUrl } from '@event-api/platform/testing/servers';
import { atStep, resetSwitches } from '@event-api/platform/testing/switches/switches';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { insertOrder } from '../src/checkout/checkout.queries.ts';
import { expireHold } from '../src/checkout/expire-hold.ts';
import { expirePaymentsOfOrder } from '../src/checkout/expire-payments-of-order.ts';
import { openPayment } from '../src/checkout/open-payment.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { reloadOrder } from '../src/orders/orders.queries.ts';
import { commerceOrm } from '../src/orm.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import { findOpenPayment } from '../src/payments/payments.queries.ts';
import { createStripeProvider } from '../src/payments/providers/stripe.ts';
import { expirePayment } from '../src/settlements/expire-payment.ts';
import { startStripeServer } from './providers/stripe-server.ts';

const holdMs = 15 * 60_000;
const urls = { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/back' };
let database: TestDatabase;
let db: Database;
let stripeServer: Awaited<ReturnType<typeof startStripeServer>>;

beforeAll(async () => {
  database = await createTestDatabase(await postgresUrl());
  await database.sql('create schema commerce');
  await migrate(commerceOrm(database.url));
  db = await openDatabase(commerceOrm(database.url), 2);
  stripeServer = await startStripeServer();
});
afterEach(() => {
  vi.useRealTimers();
  stripeServer.behave('fine');
});
afterAll(async () => {
  await stripeServer?.close();
  await db?.close();
  await database?.drop();
});

const deps = () => ({
  db,
  accounts: platformAccount,
  provider: createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: [],
    livemode: false,
    apiUrl: stripeServer.url,
  }),
});

/** Creates an order with two lines in its own event. */
async function placed() {
  const [id, eventId] = [randomId('ord'), randomId('evt')];
  await database.sql(
    `insert into commerce.event_projection (id, business_unit_id, event_id, version, name, status, currency, currency_locked)
     values ($1, 'unit_1', $1, 1, 'Summit', 'published', 'EUR', true)`,
    [eventId],
  );
  const line = { itemType: 'addon', itemId: 'a', unitAmount: 500, discountAmount: 0 } as const;
  const noSeats = { attendees: [], firstSeat: 0, seatCount: 0, taxAmount: 0, taxes: [] };
  const lines = [
    { ...line, ...noSeats, name: 'Dinner', quantity: 2, totalAmount: 1000 },
    { ...line, ...noSeats, name: 'Tour', quantity: 1, totalAmount: 500 },
  ];
  await insertOrder(db, {
    id,
    businessUnitId: 'unit_1',
    eventId,
    email: 'ada@example.com',
    name: null,
    currency: 'EUR',
    priced: { lines, seats: [], totalAmount: 1500, taxAmount: 0 },
    addonIds: ['a'],
    addons: [],
    redemptionCode: null,
    responses: null,
    ...{ billing: null, isReverseCharge: false },
    refundPolicy: null,
    buyerRegistrationId: null,
    holdExpiresAt: new Date(Date.now() + holdMs).toISOString(),
  });
  return reloadOrder(db, id);
}

/**
 * An order whose session was created at Stripe but not stored here. Its event is renamed
 * afterwards.
 */
async function cutOff() {
  const order = await placed();
  atStep('payment.created', () => {
    throw new Error('cut off');
  });
  await expect(openPayment(deps(), order, urls)).rejects.toThrow('cut off');
  resetSwitches();
  await database.sql(`update commerce.event_projection set name = 'Grand Summit' where id = $1`, [
    order.eventId,
  ]);
  return order;
}

const payments = (orderId: string) =>
  database.sql(
    'select state, session_id from commerce.payment where order_id = $1 order by created_at',
    [orderId],
  );

test('the payment page lists the lines as they were sold', async () => {
  const { id, orderNumber } = await cutOff();
  const { form } = stripeServer.requests.at(-1) ?? {};
  expect(form?.get('client_reference_id')).toBe(id);
  expect(form?.get('line_items[0][price_data][product_data][name]')).toBe(
    `2 × Dinner, 1 × Tour · ${orderNumber}`,
  );
});

test('opens the same page when an interrupted confirmation is retried after the event was renamed', async () => {
  const order = await cutOff();
  vi.setSystemTime(Date.now() + holdMs - 1000);
  await openPayment(deps(), order, urls);
  const [session, ...others] = stripeServer.sessionsOf(order.id);
  expect(others).toEqual([]);
  expect(await payments(order.id)).toEqual([{ state: 'open', session_id: session?.id }]);
  const { status, paymentUrl } = await reloadOrder(db, order.id);
  expect([status, paymentUrl]).toEqual(['awaiting_payment', session?.url]);
});

test('expires the session of an interrupted confirmation after the event was renamed', async () => {
  const order = await cutOff();
  vi.setSystemTime(Date.now() + 2 * holdMs);
  const attempt = await findOpenPayment(db, order.id);
  if (!attempt) throw new Error('attempt not found');
  await expirePayment(deps(), attempt);
  expect(stripeServer.sessionsOf(order.id)).toMatchObject([{ status: 'expired' }]);
  expect(await payments(order.id)).toMatchObject([{ state: 'expired' }]);
});

test('closes an attempt whose session was never created after the hold', async () => {
  const order = await placed();
  atStep('payment.attempted', () => {
    throw new Error('cut off');
  });
  await expect(openPayment(deps(), order, urls)).rejects.toThrow('cut off');
  resetSwitches();
  vi.setSystemTime(Date.now() + 2 * holdMs);
  const attempt = await findOpenPayment(db, order.id);
  if (!attempt) throw new Error('attempt not found');
  await expirePayment(deps(), attempt);
  expect(stripeServer.sessionsOf(order.id)).toEqual([]);
  expect(await payments(order.id)).toEqual([{ state: 'refused', session_id: null }]);
});

test('responds 503 to a conflicting attempt, and starts another one in the next confirmation', async () => {
  const order = await cutOff();
  await database.sql(
    `update commerce.payment set cancel_url = 'https://else' where order_id = $1`,
    [order.id],
  );
  await expect(openPayment(deps(), order, urls)).rejects.toMatchObject({ code: 503 });
  await openPayment(deps(), order, urls);
  const [, second] = stripeServer.sessionsOf(order.id);
  expect(await payments(order.id)).toEqual([
    { state: 'refused', session_id: null },
    { state: 'open', session_id: second?.id },
  ]);
  expect((await reloadOrder(db, order.id)).paymentUrl).toBe(second?.url);
});

test('keeps an attempt open that got its session while a retry conflicted', async () => {
  const order = await cutOff();
  atStep('payment.created', async () => {
    await database.sql(
      `update commerce.payment set cancel_url = $2, session_id = 'cs_1', url = 'https://pay', state = 'open'
       where order_id = $1`,
      [order.id, urls.cancelUrl],
    );
  });
  await database.sql(
    `update commerce.payment set cancel_url = 'https://else' where order_id = $1`,
    [order.id],
  );
  await expect(openPayment(deps(), order, urls)).rejects.toMatchObject({ code: 503 });
  expect(await payments(order.id)).toEqual([{ state: 'open', session_id: 'cs_1' }]);
});

describe('expiring the payment session of an order', () => {
  /** Expires it with a timeout; returns the log lines and the counted outcome. */
  async function expire(orderId: string, timeoutMs = 60_000) {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ service: 'commerce', level: 'warn', destination });
    const metrics = createMetrics('commerce');
    const more = { log, metrics: createCommerceMetrics(metrics) };
    await expirePaymentsOfOrder({ ...deps(), ...more }, orderId, timeoutMs);
    const counted = /commerce_payment_sessions_expired_total\{.*outcome="(\w+)".*\} 1$/m;
    return {
      outcome: counted.exec(await metrics.text())?.[1],
      logged: lines.map((line) => JSON.parse(line)),
    };
  }

  async function opened() {
    const order = await placed();
    await openPayment(deps(), order, urls);
    const [session] = stripeServer.sessionsOf(order.id);
    return { orderId: order.id, sessionId: session?.id ?? '' };
  }

  const settlements = (sessionId: string) =>
    database.sql('select amount, state from commerce.settlement where session_id = $1', [
      sessionId,
    ]);

  test('closes an open session at the provider', async () => {
    const { orderId, sessionId } = await opened();
    expect(await expire(orderId)).toEqual({ outcome: 'expired', logged: [] });
    expect(stripeServer.session(sessionId)?.status).toBe('expired');
    expect(await payments(orderId)).toMatchObject([{ state: 'expired' }]);
  });

  test('records a payment that the provider reports as a settlement, once', async () => {
    const { orderId, sessionId } = await opened();
    stripeServer.pay(sessionId);
    expect(await expire(orderId)).toEqual({ outcome: 'paid', logged: [] });
    await expire(orderId);
    expect(await settlements(sessionId)).toEqual([{ amount: '1500', state: 'received' }]);
  });

  test('stops waiting for a provider that does not respond, logs it and leaves the session open', async () => {
    const { orderId } = await opened();
    stripeServer.behave('hanging');
    const { outcome, logged } = await expire(orderId, 50);
    expect(outcome).toBe('no_response');
    expect(logged).toMatchObject([{ orderId, reason: 'no response within 50 ms' }]);
    expect(await payments(orderId)).toMatchObject([{ state: 'open' }]);
  });

  test('counts a failing provider as no response and logs the reason', async () => {
    const { orderId } = await opened();
    stripeServer.behave('broken');
    const { outcome, logged } = await expire(orderId);
    expect(outcome).toBe('no_response');
    expect(logged).toMatchObject([
      { orderId, reason: expect.stringContaining('broken'), msg: expect.stringContaining('retry') },
    ]);
    expect(await payments(orderId)).toMatchObject([{ state: 'open' }]);
  });

  test('records a payment that the provider reports after the timeout', async () => {
    const { orderId, sessionId } = await opened();
    stripeServer.pay(sessionId);
    const result = await stripeServer.holdResponses(() => expire(orderId, 50));
    expect(result.outcome).toBe('no_response');
    await eventually(async () => {
      expect(await settlements(sessionId)).toMatchObject([{ state: 'received' }]);
    });
  });

  test('applies a payment that the provider has not notified before its hold is expired', async () => {
    const { orderId, sessionId } = await opened();
    stripeServer.pay(sessionId);
    const callers = await createTestCallers(['commerce']);
    const more = {
      log: createLogger({ service: 'commerce', level: 'silent' }),
      metrics: createCommerceMetrics(createMetrics('commerce')),
      // No process listens on this port: the order can be neither fulfilled nor expired.
      registration: createServiceClient({
        url: 'http://127.0.0.1:2',
        signer: await callers.signer('commerce'),
      }),
    };
    const expiry = expireHold({ ...deps(), ...more }, await reloadOrder(db, orderId));
    await expect(expiry).rejects.toMatchObject({ code: 503 });
    expect(await settlements(sessionId)).toEqual([{ amount: '1500', state: 'accepted' }]);
  });
});
