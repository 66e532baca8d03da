import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStripeProvider } from '../../src/payments/providers/stripe.ts';

/**
 * Stripe's own server of its API description: it rejects unknown parameters and wrong values. It is
 * a Go program: `go install github.com/stripe/stripe-mock@latest`.
 */
const program = process.env.STRIPE_MOCK ?? 'stripe-mock';
const isAtHand = spawnSync(program, ['-version']).status === 0;

describe.skipIf(!isAtHand)("the requests to stripe have the shapes of Stripe's description", () => {
  let url: string;
  let stop: () => void;

  beforeAll(async () => {
    const child = spawn(program, ['-http-addr', '127.0.0.1:0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop = () => child.kill();
    for await (const line of createInterface(child.stdout)) {
      const [, address] = /Listening for HTTP at address: (\S+)/.exec(line) ?? [];
      if (address === undefined) continue;
      url = `http://${address}`;
      return;
    }
    throw new Error('stripe-mock has ended');
  });
  afterAll(() => stop?.());

  const platform = () =>
    createStripeProvider({
      ...{ secretKey: 'sk_test_1', webhookSecrets: ['whsec_1'], livemode: false, apiUrl: url },
    });
  const connected = () =>
    platform().onAccount({
      ...{ name: 'stripe/pac_1', businessUnitId: 'unit_1' },
      access: { kind: 'connected', providerAccountId: 'acct_1' },
    });
  const noPage = 'the session has no URL';
  const session = {
    ...{ attemptId: 'pay_1', orderId: 'ord_1', orderNumber: 'A-1', businessUnitId: 'unit_1' },
    ...{
      eventId: 'evt_1',
      amount: 1000,
      feeAmount: 30,
      currency: 'EUR',
      email: 'a@example.com',
      title: 'Fair',
    },
    ...{ successUrl: 'https://example.com/', cancelUrl: 'https://example.com/' },
    expiresAt: new Date(Date.now() + 3_600_000),
  };

  test('and the server rejects a parameter that does not exist', async () => {
    const response = await fetch(`${url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_1' },
      body: new URLSearchParams({ mode: 'payment', unknown: '1' }),
    });
    expect(response.status).toBe(400);
  });

  test.each([
    ['the platform', platform],
    ['a connected account', connected],
  ])('on %s', async (_, provider) => {
    // The server responds with examples, whatever it was asked for.
    const created = await provider().createSession(session);
    // The example of a session has no page.
    if (created.outcome !== 'created') expect(created).toMatchObject({ reason: noPage });
    expect(await provider().fetchSession('cs_test_1')).toMatchObject({
      outcome: expect.stringMatching(/open|expired|paid/),
    });
    expect(await provider().expireSession('cs_test_1')).toEqual({ outcome: 'expired' });
    const refund = { refundId: 'rfd_1', idempotencyKey: 'rfd_1', paymentId: 'pi_1', amount: 400 };
    expect(await provider().refund({ ...refund, currency: 'EUR', hasFee: true })).toMatchObject({
      outcome: 'done',
    });
    const period = { from: new Date(0), before: new Date(), after: 'txn_1' };
    expect(await provider().listMovements(period)).toMatchObject({ nextCursor: null });
    expect(await provider().verifyAccount()).toMatchObject({ outcome: 'verified' });
  });

  test('for a new account', async () => {
    const created = await platform().createAccount('pac_1');
    expect(created).toMatchObject({ outcome: 'created' });
    const { providerAccountId } = created as { providerAccountId: string };
    const link = await platform().onboardingUrl(providerAccountId, 'https://example.com/');
    expect(link).toMatch(/^https:/);
  });
});
