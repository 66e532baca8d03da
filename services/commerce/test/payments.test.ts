import { noFaults, testFaults } from '@event-api/platform/core/faults';
import { randomId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { type Database, openDatabase } from '@event-api/platform/db/database';
import { migrate } from '@event-api/platform/db/migrations';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTestDatabase, type TestDatabase } from '@event-api/platform/testing/database';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { expirePayment } from '../src/checkout/expire-payment.ts';
import { expirePaymentsOfOrder } from '../src/checkout/expire-payments-of-order.ts';
import { openPayment } from '../src/checkout/open-payment.ts';
import { insertOrder } from '../src/checkout/queries.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { reloadOrder } from '../src/orders/queries.ts';
import { commerceOrm } from '../src/orm.ts';
import { createStripeProvider } from '../src/payments/providers/stripe.ts';
import { findOpenPayment } from '../src/payments/queries.ts';
import { startStripeSpeaker } from './providers/stripe-speaker.ts';

const holdMs = 15 * 60_000;
const urls = { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/back' };
let database: TestDatabase;
let db: Database;
let speaker: Awaited<ReturnType<typeof startStripeSpeaker>>;

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  await database.sql('create schema commerce');
  await migrate(commerceOrm(database.url));
  db = await openDatabase(commerceOrm(database.url), 2);
  speaker = await startStripeSpeaker();
});
afterEach(() => {
  vi.useRealTimers();
  speaker.behave('fine');
});
afterAll(async () => {
  await speaker?.close();
  await db?.close();
  await database?.drop();
});

const deps = (faults = noFaults) => ({
  db,
  faults,
  provider: createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: [],
    livemode: false,
    apiUrl: speaker.url,
  }),
});

/** An order of two lines, in an event of its own. */
async function placed() {
  const [id, eventId] = [randomId('ord'), randomId('evt')];
  await database.sql(
    `insert into commerce.event_copy (id, business_unit_id, event_id, version, name, status, currency, currency_locked)
     values ($1, 'unit_1', $1, 1, 'Summit', 'published', 'EUR', true)`,
    [eventId],
  );
  const line = { itemType: 'addon', itemId: 'a', unitAmount: 500, discountAmount: 0 } as const;
  const noSeats = { attendees: [], firstSeat: 0, seatCount: 0 };
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
    priced: { lines, seats: [], totalAmount: 1500 },
    addonIds: ['a'],
    redemptionCode: null,
    responses: null,
    buyerRegistrationId: null,
    holdExpiresAt: new Date(Date.now() + holdMs).toISOString(),
  });
  return reloadOrder(db, id);
}

/** An order whose session was made by Stripe and never written here; meanwhile its event got another name. */
async function cutOff() {
  const order = await placed();
  const faults = testFaults();
  faults.at('payment.created', () => {
    throw new Error('cut off');
  });
  await expect(openPayment(deps(faults), order, urls)).rejects.toThrow('cut off');
  await database.sql(`update commerce.event_copy set name = 'Grand Summit' where id = $1`, [
    order.eventId,
  ]);
  return order;
}

const payments = (orderId: string) =>
  database.sql(
    'select state, session_id from commerce.payment where order_id = $1 order by created_at',
    [orderId],
  );

test('a page says what is paid for, as it was sold', async () => {
  const { id, orderNumber } = await cutOff();
  const { form } = speaker.requests.at(-1) ?? {};
  expect(form?.get('client_reference_id')).toBe(id);
  expect(form?.get('line_items[0][price_data][product_data][name]')).toBe(
    `2 × Dinner, 1 × Tour · ${orderNumber}`,
  );
});

test('a confirmation that was cut off gets its page later in the hold, though the event was renamed', async () => {
  const order = await cutOff();
  vi.setSystemTime(Date.now() + holdMs - 1000);
  await openPayment(deps(), order, urls);
  const [session, ...others] = speaker.sessionsOf(order.id);
  expect(others).toEqual([]);
  expect(await payments(order.id)).toEqual([{ state: 'open', session_id: session?.id }]);
  const { status, paymentUrl } = await reloadOrder(db, order.id);
  expect([status, paymentUrl]).toEqual(['awaiting_payment', session?.url]);
});

test('a session that was cut off is found and ended after the hold, though the event was renamed', async () => {
  const order = await cutOff();
  vi.setSystemTime(Date.now() + 2 * holdMs);
  const attempt = await findOpenPayment(db, order.id);
  if (!attempt) throw new Error('there is no attempt');
  await expirePayment(deps(), attempt);
  expect(speaker.sessionsOf(order.id)).toMatchObject([{ status: 'expired' }]);
  expect(await payments(order.id)).toMatchObject([{ state: 'ended' }]);
});

test('an attempt that was never heard of is given up once its hold is over', async () => {
  const order = await placed();
  const faults = testFaults();
  faults.at('payment.attempted', () => {
    throw new Error('cut off');
  });
  await expect(openPayment(deps(faults), order, urls)).rejects.toThrow('cut off');
  vi.setSystemTime(Date.now() + 2 * holdMs);
  const attempt = await findOpenPayment(db, order.id);
  if (!attempt) throw new Error('there is no attempt');
  await expirePayment(deps(), attempt);
  expect(speaker.sessionsOf(order.id)).toEqual([]);
  expect(await payments(order.id)).toEqual([{ state: 'refused', session_id: null }]);
});

test('an attempt that had asked for something else is one 503, and the next confirmation begins another', async () => {
  const order = await cutOff();
  await database.sql(
    `update commerce.payment set cancel_url = 'https://else' where order_id = $1`,
    [order.id],
  );
  await expect(openPayment(deps(), order, urls)).rejects.toMatchObject({ code: 503 });
  await openPayment(deps(), order, urls);
  const [, second] = speaker.sessionsOf(order.id);
  expect(await payments(order.id)).toEqual([
    { state: 'refused', session_id: null },
    { state: 'open', session_id: second?.id },
  ]);
  expect((await reloadOrder(db, order.id)).paymentUrl).toBe(second?.url);
});

test('an attempt that has its session meanwhile is not given up by a repeat that is refused', async () => {
  const order = await cutOff();
  const faults = testFaults();
  faults.at('payment.created', async () => {
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
  await expect(openPayment(deps(faults), order, urls)).rejects.toMatchObject({ code: 503 });
  expect(await payments(order.id)).toEqual([{ state: 'open', session_id: 'cs_1' }]);
});

describe('ending the payment session of an order', () => {
  /** Ends it with a timeout; returns what was logged and counted. */
  async function end(orderId: string, timeoutMs = 60_000) {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ service: 'commerce', level: 'warn', destination });
    const metrics = createMetrics('commerce');
    const more = { log, metrics: createCommerceMetrics(metrics) };
    await expirePaymentsOfOrder({ ...deps(), ...more }, orderId, timeoutMs);
    const counted = /commerce_payment_sessions_ended_total\{.*outcome="(\w+)".*\} 1$/m;
    return {
      outcome: counted.exec(await metrics.text())?.[1],
      logged: lines.map((line) => JSON.parse(line)),
    };
  }

  async function opened() {
    const order = await placed();
    await openPayment(deps(), order, urls);
    const [session] = speaker.sessionsOf(order.id);
    return { orderId: order.id, sessionId: session?.id ?? '' };
  }

  const settlements = (sessionId: string) =>
    database.sql('select amount, state from commerce.settlement where session_id = $1', [
      sessionId,
    ]);

  test('closes an open session at the provider', async () => {
    const { orderId, sessionId } = await opened();
    expect(await end(orderId)).toEqual({ outcome: 'ended', logged: [] });
    expect(speaker.session(sessionId)?.status).toBe('expired');
    expect(await payments(orderId)).toMatchObject([{ state: 'ended' }]);
  });

  test('records a payment that the provider reports as a settlement, once', async () => {
    const { orderId, sessionId } = await opened();
    speaker.pay(sessionId);
    expect(await end(orderId)).toEqual({ outcome: 'paid', logged: [] });
    await end(orderId);
    expect(await settlements(sessionId)).toEqual([{ amount: '1500', state: 'received' }]);
  });

  test('does not wait for a provider that does not respond, logs it and leaves the session live', async () => {
    const { orderId } = await opened();
    speaker.behave('hanging');
    const { outcome, logged } = await end(orderId, 50);
    expect(outcome).toBe('no_response');
    expect(logged).toMatchObject([{ orderId, reason: 'no response within 50 ms' }]);
    expect(await payments(orderId)).toMatchObject([{ state: 'open' }]);
  });

  test('counts a provider that fails as one that does not respond, and logs the reason', async () => {
    const { orderId } = await opened();
    speaker.behave('broken');
    const { outcome, logged } = await end(orderId);
    expect(outcome).toBe('no_response');
    expect(logged).toMatchObject([
      { orderId, reason: expect.stringContaining('broken'), msg: expect.stringContaining('retry') },
    ]);
    expect(await payments(orderId)).toMatchObject([{ state: 'open' }]);
  });

  test('records a payment that the provider reports after the timeout', async () => {
    const { orderId, sessionId } = await opened();
    speaker.pay(sessionId);
    const result = await speaker.heldBack(() => end(orderId, 50));
    expect(result.outcome).toBe('no_response');
    await eventually(async () => {
      expect(await settlements(sessionId)).toMatchObject([{ state: 'received' }]);
    });
  });
});
