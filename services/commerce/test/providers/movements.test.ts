import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ProviderMovement } from '../../src/payments/providers/provider.ts';
import { createStripeProvider } from '../../src/payments/providers/stripe.ts';
import { startStripeServer } from './stripe-server.ts';

let server: Awaited<ReturnType<typeof startStripeServer>>;
beforeAll(async () => {
  server = await startStripeServer();
});
afterEach(() => {
  server.behave('fine');
  server.transactions.length = 0;
});
afterAll(() => server.close());

const from = new Date('2026-03-01T00:00:00Z');
const before = new Date('2026-03-02T00:00:00Z');
const noon = Date.parse('2026-03-01T12:00:00Z') / 1000;

const list = (after: string | null = null) =>
  createStripeProvider({
    secretKey: 'sk_test_1',
    webhookSecrets: [],
    livemode: false,
    apiUrl: server.url,
    timeoutMs: 500,
  }).listMovements({ from, before, after });

const charge = {
  object: 'charge',
  id: 'ch_1',
  payment_intent: 'pi_1',
  metadata: { attemptId: 'pay_1' },
  amount_captured: 500,
  currency: 'jpy',
};
const refund = {
  object: 'refund',
  id: 're_1',
  payment_intent: 'pi_1',
  amount: 200,
  currency: 'eur',
};
const dispute = {
  object: 'dispute',
  id: 'dp_1',
  payment_intent: 'pi_1',
  amount: 300,
  currency: 'eur',
};

test.each<
  [type: string, amount: number, source: unknown, expected: Partial<ProviderMovement> | null]
>([
  // The account is in another currency than the buyer has paid in.
  ['charge', 290, charge, { kind: 'charge', objectId: 'pi_1', amount: 500, currency: 'JPY' }],
  ['payment', 290, charge, { kind: 'charge', objectId: 'pi_1', attemptId: 'pay_1' }],
  ['charge', 290, { ...charge, metadata: {} }, { paymentId: 'pi_1', attemptId: null }],
  [
    'charge',
    290,
    { ...charge, currency: 'isk', amount_captured: 50_000 },
    { amount: 500, currency: 'ISK' },
  ],
  ['charge', 290, { ...charge, payment_intent: null }, null],
  ['refund', -200, refund, { kind: 'refund', objectId: 're_1', amount: 200, currency: 'EUR' }],
  ['payment_refund', -200, refund, { kind: 'refund' }],
  ['refund_failure', 200, refund, { kind: 'refund_returned', objectId: 're_1', amount: 200 }],
  [
    'adjustment',
    -300,
    dispute,
    { kind: 'dispute', objectId: 'dp_1', paymentId: 'pi_1', amount: 300 },
  ],
  ['adjustment', 300, dispute, { kind: 'dispute_returned', objectId: 'dp_1' }],
  ['payout', -900, { object: 'payout', id: 'po_1' }, null],
  ['stripe_fee', -3, null, null],
])('Stripe reports %s of %d as %j', async (type, amount, source, expected) => {
  server.transactions.push({ ...{ id: 'txn_1', type, amount, source }, created: noon } as never);
  const { movements, nextCursor } = await list();
  expect(nextCursor).toBeNull();
  if (expected === null) return expect(movements).toEqual([]);
  expect(movements).toMatchObject([{ ...expected, movedAt: new Date(noon * 1000) }]);
});

test('Stripe reports a period page by page, newest first', async () => {
  for (let second = 0; second < 150; second++) {
    const source = { ...charge, payment_intent: `pi_${second}` };
    const type = second % 2 === 0 ? 'charge' : 'payout';
    server.transactions.push({
      ...{ id: `txn_${second}`, type, amount: 1, source: type === 'charge' ? source : null },
      created: noon + second,
    } as never);
  }
  server.transactions.push({
    id: 'txn_next',
    type: 'charge',
    created: before.getTime() / 1000,
  } as never);
  const first = await list();
  const second = await list(first.nextCursor);
  expect([first.movements.length, second.movements.length, second.nextCursor]).toEqual([
    50,
    25,
    null,
  ]);
  expect(first.movements[0]?.objectId).toBe('pi_148');
  expect(second.movements.at(-1)?.objectId).toBe('pi_0');
});

test.each(['broken', 'hanging'] as const)('a %s Stripe is a 503', async (mode) => {
  server.behave(mode);
  await expect(list()).rejects.toMatchObject({ code: 503 });
});
