import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signatureHeader } from '@event-api/contracts/payment-sandbox';
import { buildSandbox } from '@event-api/payment-sandbox/app';
import { openSessions } from '@event-api/payment-sandbox/sessions';
import { systemClock } from '@event-api/platform/core/clock';
import { createLogger } from '@event-api/platform/core/log';
import { sign } from '@event-api/platform/core/signature';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPaymentProvider } from '../../src/payments/providers/create-provider.ts';
import type { PaymentProvider } from '../../src/payments/providers/provider.ts';
import { createSandboxProvider } from '../../src/payments/providers/sandbox.ts';
import { createStripeProvider } from '../../src/payments/providers/stripe.ts';
import { startStripeServer } from './stripe-server.ts';

const secrets = ['first-secret-of-the-sandbox', 'second-secret-of-the-sandbox'];
const webhookSecrets = ['whsec_new', 'whsec_old'];
const folder = mkdtempSync(join(tmpdir(), 'event-api-sandbox-'));
let stripeServer: Awaited<ReturnType<typeof startStripeServer>>;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

async function startSandbox() {
  const app = buildSandbox({
    sessions: openSessions(join(folder, 'sessions.jsonl')),
    notifier: { notify: () => {}, close: async () => {} },
    secrets: [secrets[0] ?? ''],
    publicUrl: 'http://localhost:8090',
    now: () => systemClock.now(),
    log: createLogger({ service: 'sandbox', level: 'silent' }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
  return { url, close: () => app.close() };
}

beforeAll(async () => {
  stripeServer = await startStripeServer();
  sandbox = await startSandbox();
});
afterEach(() => {
  stripeServer.behave('fine');
  vi.useRealTimers();
});
afterAll(async () => {
  await stripeServer.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const sessionInput = (attemptId: string, fields: object = {}) => ({
  attemptId,
  orderId: `ord_${attemptId}`,
  orderNumber: 'ORD-12345678',
  businessUnitId: 'unit_1',
  eventId: 'evt_1',
  amount: 1234,
  feeAmount: 0,
  currency: 'EUR',
  email: 'ada@example.com',
  title: 'Summit <b>',
  successUrl: 'https://shop.example/ok?session={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example/back',
  expiresAt: new Date(Date.now() + 900_000),
  ...fields,
});

const stripe = () =>
  createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets,
    livemode: false,
    apiUrl: stripeServer.url,
    timeoutMs: 500,
  });

/** Each provider, and how a buyer pays there. */
const providers: [string, () => PaymentProvider, (sessionId: string) => Promise<void>][] = [
  ['stripe', stripe, async (id) => void stripeServer.pay(id)],
  [
    'sandbox',
    () => createSandboxProvider({ url: sandbox.url, secrets }),
    async (id) => void (await fetch(`${sandbox.url}/pay/${id}/pay`, { method: 'POST' })),
  ],
];

async function opened(provider: PaymentProvider, attemptId: string): Promise<string> {
  const session = await provider.createSession(sessionInput(attemptId));
  if (session.outcome !== 'created') throw new Error(session.outcome);
  return session.sessionId;
}

describe.each(providers)('%s', (name, create, pay) => {
  const attempt = (word: string) => `pay_${name}_${word}`;

  test('creates one session per attempt when it is called twice', async () => {
    const provider = create();
    const wanted = sessionInput(attempt('once'));
    const results = [1, 2].map(() => provider.createSession(wanted));
    const [first, second] = await Promise.all(results);
    expect(first).toMatchObject({ outcome: 'created', url: expect.stringMatching(/^https?:/) });
    expect(second).toEqual(first);
  });

  test('expires an open session, and returns the same again', async () => {
    const provider = create();
    const id = await opened(provider, attempt('end'));
    expect(await provider.fetchSession(id)).toEqual({ outcome: 'open' });
    expect(await provider.expireSession(id)).toEqual({ outcome: 'expired' });
    expect(await provider.expireSession(id)).toEqual({ outcome: 'expired' });
    expect(await provider.fetchSession(id)).toEqual({ outcome: 'expired' });
  });

  test('returns the payment when a paid session is to be expired', async () => {
    const provider = create();
    const id = await opened(provider, attempt('paid'));
    await pay(id);
    const payment = { paymentId: expect.any(String), amount: 1234, currency: 'EUR' };
    expect(await provider.expireSession(id)).toEqual({ outcome: 'paid', payment });
    expect(await provider.fetchSession(id)).toEqual({ outcome: 'paid', payment });
  });

  test('refunds once per refund id and never more than the payment', async () => {
    const provider = create();
    const id = await opened(provider, attempt('back'));
    await pay(id);
    const session = await provider.fetchSession(id);
    const paymentId = session.outcome === 'paid' ? session.payment.paymentId : '';
    const back = (key: string, amount: number) => {
      const refundId = attempt(key);
      const payment = { paymentId, amount, currency: 'EUR' };
      return provider.refund({ refundId, idempotencyKey: refundId, hasFee: false, ...payment });
    };
    const first = await back('rfd_1', 1000);
    expect(first).toMatchObject({ outcome: 'done', providerRefundId: expect.any(String) });
    expect(await back('rfd_1', 1000)).toEqual(first);
    expect(await back('rfd_2', 235)).toMatchObject({ outcome: 'failed' });
    expect(await back('rfd_3', 234)).toMatchObject({ outcome: 'done' });
  });

  test('returns unknown for a session that it did not create, and expired when it is to be expired', async () => {
    expect(await create().fetchSession('cs_unknown')).toEqual({ outcome: 'unknown' });
    expect(await create().expireSession('cs_unknown')).toEqual({ outcome: 'expired' });
  });
});

test('every call is a 503 when the provider is unavailable', async () => {
  const unavailable = createSandboxProvider({ url: 'http://127.0.0.1:1', secrets });
  for (const mode of ['broken', 'hanging', 'switching'] as const) {
    stripeServer.behave(mode);
    for (const provider of [stripe(), unavailable]) {
      await expect(provider.createSession(sessionInput('pay_unavailable'))).rejects.toMatchObject({
        code: 503,
      });
      await expect(provider.expireSession('cs_test_1')).rejects.toMatchObject({ code: 503 });
      await expect(provider.fetchSession('cs_test_1')).rejects.toMatchObject({ code: 503 });
      const refund = {
        refundId: 'r',
        idempotencyKey: 'r',
        paymentId: 'p',
        amount: 1,
        currency: 'EUR',
        hasFee: false,
      };
      await expect(provider.refund(refund)).rejects.toMatchObject({ code: 503 });
    }
  }
});

describe('stripe', () => {
  test('sends the order and the unchanged URLs', async () => {
    await opened(stripe(), 'pay_sent');
    const { key, form } = stripeServer.requests.at(-1) ?? {};
    expect(key).toBe('pay_sent');
    expect(form?.get('success_url')).toBe('https://shop.example/ok?session={CHECKOUT_SESSION_ID}');
    expect(form?.get('metadata[orderId]')).toBe('ord_pay_sent');
    expect(form?.get('line_items[0][price_data][currency]')).toBe('eur');
  });

  test('returns the same session at the end of the hold, and creates one for an attempt that was not received', async () => {
    const [created, unreceived] = ['pay_received', 'pay_unreceived'].map((attemptId) =>
      sessionInput(attemptId),
    );
    if (!created || !unreceived) throw new Error('no input');
    const first = await stripe().createSession(created);
    vi.setSystemTime(created.expiresAt);
    expect(first).toMatchObject({ outcome: 'created' });
    expect(await stripe().createSession(created)).toEqual(first);
    expect(await stripe().createSession(unreceived)).toMatchObject({ outcome: 'created' });
  });

  test.each([
    ['ISK', 5000, '500000'],
    ['UGX', 5000, '500000'],
    ['MGA', 500_000, '5000'],
    ['KWD', 5120, '5120'],
    ['JPY', 5000, '5000'],
  ])(
    'converts %s to the units of Stripe in sessions, payments and refunds',
    async (currency, amount, stripes) => {
      const provider = stripe();
      const wanted = sessionInput(`pay_${currency}`, { amount, currency });
      const session = await provider.createSession(wanted);
      const id = session.outcome === 'created' ? session.sessionId : '';
      const sent = stripeServer.requests.at(-1)?.form;
      expect(sent?.get('line_items[0][price_data][unit_amount]')).toBe(stripes);
      const paid = stripeServer.pay(id);
      const payment = { paymentId: paid.payment_intent ?? '', amount, currency };
      expect(await provider.fetchSession(id)).toEqual({ outcome: 'paid', payment });
      const payload = event('checkout.session.completed', paid);
      const notification = expect.objectContaining({ payment });
      const headers = notified(payload, 'whsec_new');
      expect(provider.verifyNotification(Buffer.from(payload), headers, new Date())).toEqual({
        outcome: 'payment',
        notification,
      });
      const refundId = `rfd_${currency}`;
      await provider.refund({ refundId, idempotencyKey: refundId, hasFee: false, ...payment });
      expect(stripeServer.requests.at(-1)?.form.get('amount')).toBe(stripes);
    },
  );

  test('rejects an inexact amount without a call and names the currency', async () => {
    const before = stripeServer.requests.length;
    const inexact = { amount: 5124, currency: 'KWD' };
    const reason = expect.stringContaining('5124 minor units in KWD');
    expect(await stripe().createSession(sessionInput('pay_inexact', inexact))).toEqual({
      outcome: 'refused',
      reason,
    });
    const keys = { refundId: 'rfd_inexact', idempotencyKey: 'rfd_inexact' };
    const refund = { ...keys, paymentId: 'pi_1', hasFee: false, ...inexact };
    expect(await stripe().refund(refund)).toEqual({ outcome: 'failed', reason });
    expect(stripeServer.requests.length).toBe(before);
  });

  test('returns a conflict for an attempt with other parameters than before', async () => {
    const wanted = sessionInput('pay_conflict');
    await stripe().createSession(wanted);
    const other = { ...wanted, email: 'grace@example.com' };
    expect(await stripe().createSession(other)).toEqual({ outcome: 'conflict' });
  });

  test('returns refused when Stripe rejects the amount', async () => {
    expect(await stripe().createSession(sessionInput('pay_small', { amount: 1 }))).toMatchObject({
      outcome: 'refused',
    });
  });
});

const notified = (payload: string, secret: string, at = new Date()) => ({
  'stripe-signature': Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(at.getTime() / 1000),
  }),
});

const refundEvent = (type: string, refund: object) =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', livemode: true, type },
    data: {
      object: {
        ...{ id: 're_1', object: 'refund', payment_intent: 'pi_1', amount: 500, currency: 'eur' },
        ...{ status: 'succeeded', metadata: {}, ...refund },
      },
    },
  });

const disputeEvent = (dispute: object, type = 'charge.dispute.updated') =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', livemode: true, created: 1_800_000_060, type },
    data: {
      object: {
        ...{ id: 'dp_1', object: 'dispute', payment_intent: 'pi_1', amount: 500, currency: 'eur' },
        ...{ created: 1_800_000_000, reason: 'fraudulent', status: 'needs_response' },
        ...{ evidence_details: { due_by: 1_800_600_000 }, ...dispute },
      },
    },
  });

const event = (type: string, session: object) =>
  JSON.stringify({
    id: 'evt_1',
    object: 'event',
    livemode: true,
    type,
    data: {
      object: {
        id: 'cs_1',
        object: 'checkout.session',
        payment_status: 'paid',
        payment_intent: 'pi_1',
        amount_total: 1234,
        currency: 'eur',
        metadata: { orderId: 'ord_1', attemptId: 'pay_1' },
        ...session,
      },
    },
  });

describe('a Stripe notification', () => {
  const verify = (payload: string, headers: Record<string, string>, now = new Date()) =>
    stripe().verifyNotification(Buffer.from(payload), headers, now);

  test.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])(
    'of the type %s with a paid session is a payment',
    (type) => {
      const payload = event(type, {});
      for (const secret of webhookSecrets) {
        expect(verify(payload, notified(payload, secret))).toEqual({
          outcome: 'payment',
          notification: {
            notificationId: 'evt_1',
            kind: 'paid',
            sessionId: 'cs_1',
            orderId: 'ord_1',
            attemptId: 'pay_1',
            livemode: true,
            payment: { paymentId: 'pi_1', amount: 1234, currency: 'EUR' },
          },
        });
      }
    },
  );

  const reported = {
    ...{ providerRefundId: 're_1', paymentId: 'pi_1', refundId: null, amount: 500 },
    ...{ currency: 'EUR', livemode: true, state: 'done', failure: null },
  };
  test.each<[string, string, object, object]>([
    ['one made at Stripe', 'refund.created', {}, {}],
    ['one that is on its way', 'refund.created', { status: 'pending' }, {}],
    ['our own', 'refund.updated', { metadata: { refundId: 'rfd_1' } }, { refundId: 'rfd_1' }],
    [
      'one that failed',
      'refund.failed',
      { status: 'failed', failure_reason: 'lost_or_stolen_card' },
      { state: 'failed', failure: 'lost_or_stolen_card' },
    ],
    [
      'one that was cancelled',
      'refund.updated',
      { status: 'canceled' },
      { state: 'failed', failure: 'canceled' },
    ],
    ['one in hundredths', 'refund.created', { currency: 'isk' }, { currency: 'ISK', amount: 5 }],
  ])('about a refund, %s', (_, type, fields, expected) => {
    const payload = refundEvent(type, fields);
    const refund = { ...reported, ...expected };
    expect(verify(payload, notified(payload, 'whsec_new'))).toEqual({ outcome: 'refund', refund });
  });

  test.each([
    ['warning_needs_response', 'inquiry'],
    ['warning_under_review', 'inquiry'],
    ['warning_closed', 'won'],
    ['needs_response', 'needs_response'],
    ['under_review', 'under_review'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['prevented', 'won'],
    ['appeal_needs_response', 'lost'],
    ['appeal_under_review', 'lost'],
  ])('about a dispute that is %s at Stripe reports it as %s', (atStripe, status) => {
    for (const type of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated']) {
      const payload = disputeEvent({ status: atStripe }, `charge.dispute.${type}`);
      expect(verify(payload, notified(payload, 'whsec_new'))).toEqual({
        outcome: 'dispute',
        dispute: {
          ...{ disputeId: 'dp_1', paymentId: 'pi_1', amount: 500, currency: 'EUR', status },
          ...{ livemode: true, reason: 'fraudulent' },
          respondBy: new Date(1_800_600_000_000),
          createdAt: new Date(1_800_000_000_000),
          reportedAt: new Date(1_800_000_060_000),
        },
      });
    }
  });

  test.each([
    ['of a bare charge is ignored', { payment_intent: null }, 'ignored'],
    ['with an unknown status is unreadable', { status: 'new_status' }, 'unreadable'],
    ['in an unknown unit is unreadable', { currency: 'iqd' }, 'unreadable'],
  ])('about a dispute %s', (_, fields, outcome) => {
    const payload = disputeEvent(fields);
    expect(verify(payload, notified(payload, 'whsec_new')).outcome).toBe(outcome);
  });

  test('about the refund of a bare charge is ignored, and an unknown unit is unreadable', () => {
    const ofCharge = refundEvent('refund.created', { payment_intent: null });
    const outcome = (payload: string) => verify(payload, notified(payload, 'whsec_new')).outcome;
    expect(outcome(ofCharge)).toBe('ignored');
    expect(outcome(refundEvent('refund.created', { currency: 'iqd' }))).toBe('unreadable');
  });

  test.each([
    [
      'a completed session that is not paid yet',
      'checkout.session.completed',
      { payment_status: 'unpaid' },
    ],
    ['a customer', 'customer.created', {}],
  ])('about %s is ignored', (_, type, fields) => {
    const payload = event(type, fields);
    expect(verify(payload, notified(payload, 'whsec_new'))).toEqual({
      outcome: 'ignored',
      notificationId: 'evt_1',
    });
  });

  test.each([
    ['with a charge', { charge: 'ch_1' }, 'ch_1'],
    ['without a charge', {}, 'evt_1'],
  ])('about a failed payment %s is a declined card of its attempt', (_, error, declineId) => {
    const intent = { id: 'pi_1', object: 'payment_intent', last_payment_error: error };
    const metadata = { orderId: 'ord_1', attemptId: 'pay_1' };
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      created: 1_800_000_000,
      livemode: true,
      type: 'payment_intent.payment_failed',
      data: { object: { ...intent, metadata } },
    });
    expect(verify(payload, notified(payload, 'whsec_new'))).toEqual({
      outcome: 'declined',
      decline: {
        declineId,
        sessionId: null,
        attemptId: 'pay_1',
        livemode: true,
        declinedAt: new Date('2027-01-15T08:00:00.000Z'),
      },
    });
  });

  test('is rejected with another secret, other bytes, without a signature, or when it is too old', () => {
    const payload = event('checkout.session.completed', {});
    const good = notified(payload, 'whsec_new');
    expect(verify(payload, notified(payload, 'whsec_else')).outcome).toBe('invalid_signature');
    expect(verify(`${payload} `, good).outcome).toBe('invalid_signature');
    expect(verify(payload.slice(0, -1), good).outcome).toBe('invalid_signature');
    expect(verify(payload, {}).outcome).toBe('invalid_signature');
    const now = new Date();
    const ago = (seconds: number) =>
      notified(payload, 'whsec_new', new Date(now.getTime() - seconds * 1000));
    expect(verify(payload, ago(299), now).outcome).toBe('payment');
    expect(verify(payload, ago(302), now).outcome).toBe('invalid_signature');
  });
});

describe('a sandbox notification', () => {
  const provider = () => createSandboxProvider({ url: sandbox.url, secrets });
  const body = (fields: object = {}) =>
    Buffer.from(
      JSON.stringify({
        id: 'evt_1',
        type: 'session.paid',
        session: {
          id: 'cs_1',
          attemptId: 'pay_1',
          orderId: 'ord_1',
          paymentId: 'pi_1',
          amount: 5,
          currency: 'EUR',
        },
        ...fields,
      }),
    );

  test('is accepted with both secrets, and rejected with another secret, other bytes, or another time', () => {
    const raw = body();
    const now = new Date();
    const at = (seconds: number, secret = secrets[0] ?? '') => ({
      [signatureHeader]: sign(secret, new Date(now.getTime() + seconds * 1000), raw),
    });
    const outcomeOf = (headers: Record<string, string>, bytes = raw) =>
      provider().verifyNotification(bytes, headers, now).outcome;
    expect(secrets.map((secret) => outcomeOf(at(0, secret)))).toEqual(['payment', 'payment']);
    expect([outcomeOf(at(-299)), outcomeOf(at(299))]).toEqual(['payment', 'payment']);
    expect([outcomeOf(at(-302)), outcomeOf(at(302))]).toEqual([
      'invalid_signature',
      'invalid_signature',
    ]);
    expect([
      outcomeOf(at(0, 'else')),
      outcomeOf({}),
      outcomeOf(at(0), body({ id: 'evt_2' })),
    ]).toEqual(['invalid_signature', 'invalid_signature', 'invalid_signature']);
  });

  test('that is not about a payment is ignored', () => {
    const raw = body({ type: 'session.viewed' });
    const headers = { [signatureHeader]: sign(secrets[0] ?? '', new Date(), raw) };
    expect(provider().verifyNotification(raw, headers, new Date())).toEqual({
      outcome: 'ignored',
      notificationId: 'evt_1',
    });
  });
});

test('Stripe refuses a refund again under its key, and accepts another amount under another key', async () => {
  const provider = stripe();
  const id = await opened(provider, 'pay_refused_amount');
  const paymentId = stripeServer.pay(id).payment_intent ?? '';
  const back = (idempotencyKey: string, amount: number) =>
    provider.refund({
      ...{ refundId: 'rfd_1', idempotencyKey, paymentId, amount, currency: 'EUR', hasFee: false },
    });
  const refused = { outcome: 'failed', reason: 'charge_already_refunded' };
  expect(await back('rfd_1', 1235)).toEqual(refused);
  expect(await back('rfd_1', 1235)).toEqual(refused);
  await expect(back('rfd_1', 1234)).rejects.toMatchObject({ code: 503 });
  expect(await back('rfd_1_1', 1234)).toMatchObject({ outcome: 'done' });
});

test('Stripe refunds once under one id, also after it has forgotten the key', async () => {
  const provider = stripe();
  const id = await opened(provider, 'pay_restored');
  const paymentId = stripeServer.pay(id).payment_intent ?? '';
  const keys = { refundId: 'rfd_restored', idempotencyKey: 'rfd_restored' };
  const refund = { ...keys, paymentId, amount: 100, currency: 'EUR', hasFee: false };
  const first = await provider.refund(refund);
  stripeServer.forgetKeys();
  expect(await provider.refund(refund)).toEqual(first);
});

test('a sandbox notification about a declined card names the session and the declined payment', () => {
  const session = { id: 'cs_1', attemptId: 'pay_1', orderId: 'ord_1', paymentId: 'pi_2' };
  const fields = { id: 'evt_1', type: 'session.declined', livemode: false };
  const raw = Buffer.from(
    JSON.stringify({ ...fields, session: { ...session, amount: 5, currency: 'EUR' } }),
  );
  const now = new Date();
  const headers = { [signatureHeader]: sign(secrets[0] ?? '', now, raw) };
  const provider = createSandboxProvider({ url: sandbox.url, secrets });
  expect(provider.verifyNotification(raw, headers, now)).toEqual({
    outcome: 'declined',
    decline: {
      declineId: 'pi_2',
      sessionId: 'cs_1',
      attemptId: 'pay_1',
      livemode: false,
      declinedAt: null,
    },
  });
});

describe('the key of an account of a unit at stripe', () => {
  const own = (secretKey: string) =>
    stripe().onAccount({
      ...{ name: 'stripe/pac_1', businessUnitId: 'unit_1' },
      access: { kind: 'key', secretKey, webhookSecret: 'whsec_unit' },
    });

  test.each([
    [
      'sk_test_1',
      { outcome: 'verified', providerAccountId: 'acct_1', canCharge: true, missing: [] },
    ],
    [
      'sk_test_new',
      {
        ...{ outcome: 'verified', providerAccountId: 'acct_new', canCharge: false },
        missing: ['external_account'],
      },
    ],
    ['rk_test_unknown', { outcome: 'refused', message: 'Stripe rejects the key.' }],
    ['sk_live_1', { outcome: 'refused', message: 'It is no key of test mode.' }],
    ['no-key', { outcome: 'refused', message: 'It is no key of test mode.' }],
  ])('%s is verified with one request', async (secretKey, expected) => {
    const before = stripeServer.requests.length;
    expect(await own(secretKey).verifyAccount()).toEqual(expected);
    const sent = stripeServer.requests.slice(before).map(({ path }) => path);
    expect(sent).toEqual(secretKey.includes('_test_') ? ['/v1/account'] : []);
  });

  test('is not judged while stripe is unavailable', async () => {
    stripeServer.behave('broken');
    await expect(own('sk_test_1').verifyAccount()).rejects.toMatchObject({ code: 503 });
    stripeServer.behave('fine');
  });

  test('has its own name and its own secret of notifications', () => {
    const payload = Buffer.from('{"id":"evt_1","object":"event","type":"x"}');
    const header = (secret: string) =>
      Stripe.webhooks.generateTestHeaderString({ payload: payload.toString(), secret });
    const verified = (secret: string) =>
      own('sk_test_1').verifyNotification(
        payload,
        { 'stripe-signature': header(secret) },
        new Date(),
      ).outcome;
    expect(own('sk_test_1').name).toBe('stripe/pac_1');
    expect(verified('whsec_unit')).toBe('ignored');
    expect(verified(webhookSecrets[0] ?? '')).toBe('invalid_signature');
  });
});

describe('an account that is connected at stripe', () => {
  const on = (providerAccountId: string) =>
    stripe().onAccount({
      ...{ name: 'stripe/pac_2', businessUnitId: 'unit_2' },
      access: { kind: 'connected', providerAccountId },
    });

  test('is created once, set up on a page of stripe, and charged by the platform for it', async () => {
    const before = stripeServer.requests.length;
    const created = await stripe().createAccount('pac_2');
    expect(await stripe().createAccount('pac_2')).toEqual(created);
    expect(created).toMatchObject({ outcome: 'created' });
    const { providerAccountId } = created as { providerAccountId: string };
    const back = 'https://console.example.com/';
    expect(await stripe().onboardingUrl(providerAccountId, back)).toContain(providerAccountId);
    const account = on(providerAccountId);
    expect(await account.verifyAccount()).toEqual({
      ...{ outcome: 'verified', providerAccountId, canCharge: false, missing: ['business_type'] },
    });
    const session = await account.createSession(sessionInput('pay_connected', { feeAmount: 30 }));
    expect(session).toMatchObject({ outcome: 'created' });
    const sent = stripeServer.requests
      .slice(before)
      .map(({ path, key, account: of, form }) => [path, key, of, form.get('type')]);
    expect(sent).toEqual([
      ['/v1/accounts', 'pac_2', undefined, 'standard'],
      ['/v1/accounts', 'pac_2', undefined, 'standard'],
      ['/v1/account_links', expect.anything(), undefined, 'account_onboarding'],
      ['/v1/account', undefined, providerAccountId, null],
      ['/v1/checkout/sessions', 'pay_connected', providerAccountId, null],
    ]);
    const sessionForm = stripeServer.requests.at(-1)?.form;
    expect(sessionForm?.get('payment_intent_data[application_fee_amount]')).toBe('30');
    const { sessionId } = session as { sessionId: string };
    const { payment_intent: paymentId } = stripeServer.pay(sessionId);
    await account.refund({
      ...{ refundId: 'rfd_fee', idempotencyKey: 'rfd_fee', paymentId: paymentId ?? '' },
      ...{ amount: 100, currency: 'EUR', hasFee: true },
    });
    expect(stripeServer.requests.at(-1)?.form.get('refund_application_fee')).toBe('true');
  });

  test('that has left the platform is refused', async () => {
    const refused = { outcome: 'refused', message: 'Stripe rejects the account.' };
    expect(await on('acct_left').verifyAccount()).toEqual(refused);
  });

  test.each([
    ['account.updated', 'account_changed'],
    ['account.application.deauthorized', 'account_changed'],
    ['x', 'ignored'],
  ])('is named by a notification of the type %s', (type, outcome) => {
    const event = { id: 'evt_1', object: 'event', type, account: 'acct_2', data: { object: {} } };
    const payload = Buffer.from(JSON.stringify(event));
    const secret = webhookSecrets[0] ?? '';
    const header = Stripe.webhooks.generateTestHeaderString({ payload: `${payload}`, secret });
    const headers = { 'stripe-signature': header };
    expect(stripe().verifyNotification(payload, headers, new Date()).outcome).toBe(outcome);
    expect(stripe().connectedAccountOf(payload)).toBe('acct_2');
    expect(stripe().connectedAccountOf(Buffer.from('{}'))).toBeNull();
  });
});

describe('createPaymentProvider', () => {
  const common = { NODE_ENV: 'production', ALLOW_SANDBOX: '0' as const };

  test('names every missing setting of Stripe', async () => {
    await expect(createPaymentProvider({ ...common, PAYMENT_PROVIDER: 'stripe' })).rejects.toThrow(
      /STRIPE_SECRET_KEY is missing[\s\S]*STRIPE_WEBHOOK_SECRETS is missing/,
    );
  });

  const stripeSettings = {
    ...common,
    PAYMENT_PROVIDER: 'stripe' as const,
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRETS: ['whsec_1'],
  };

  test.each([
    ['stripe without PAYMENT_LIVEMODE', {}, 'PAYMENT_LIVEMODE is missing'],
    [
      'test mode in production',
      { PAYMENT_LIVEMODE: 'false' as const },
      'PAYMENT_LIVEMODE: must be true in production',
    ],
    [
      'a key of test mode in live mode',
      { PAYMENT_LIVEMODE: 'true' as const, STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_SECRET_KEY is a key of test mode',
    ],
    [
      'live mode for the sandbox',
      {
        PAYMENT_LIVEMODE: 'true' as const,
        PAYMENT_PROVIDER: 'sandbox' as const,
        ALLOW_SANDBOX: '1' as const,
      },
      'PAYMENT_LIVEMODE: must be false',
    ],
  ])('rejects %s', async (_, fields, message) => {
    await expect(createPaymentProvider({ ...stripeSettings, ...fields })).rejects.toThrow(message);
  });

  test.each([
    ['live mode in production', 'true' as const, {}, true],
    [
      'test mode in production with ALLOW_SANDBOX',
      'false' as const,
      { ALLOW_SANDBOX: '1' as const },
      false,
    ],
    ['test mode in development', 'false' as const, { NODE_ENV: 'development' }, false],
  ])('accepts %s', async (_, PAYMENT_LIVEMODE, fields, livemode) => {
    const provider = await createPaymentProvider({
      ...stripeSettings,
      PAYMENT_LIVEMODE,
      ...fields,
    });
    expect(provider.livemode).toBe(livemode);
  });

  test('names every missing setting of the sandbox', async () => {
    await expect(
      createPaymentProvider({ ...common, NODE_ENV: 'development', PAYMENT_PROVIDER: 'sandbox' }),
    ).rejects.toThrow(/SANDBOX_URL is missing[\s\S]*SANDBOX_SECRETS is missing/);
  });

  test('rejects the sandbox in production unless ALLOW_SANDBOX is 1', async () => {
    const settings = {
      ...common,
      PAYMENT_PROVIDER: 'sandbox' as const,
      SANDBOX_URL: sandbox.url,
      SANDBOX_SECRETS: secrets,
    };
    await expect(createPaymentProvider(settings)).rejects.toThrow('ALLOW_SANDBOX');
    expect((await createPaymentProvider({ ...settings, ALLOW_SANDBOX: '1' })).name).toBe('sandbox');
  });
});
