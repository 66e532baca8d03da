import { listRefunds, reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  expireHold,
  notify,
  notifyPaid,
  paidWithoutNotification,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;
let shop: SaleFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
  shop = await createSale(bus, { priceAmount: 900, capacity: null });
});
afterAll(() => stopConsistent(bus));

/** Runs `act` while the payment sandbox is stalled. */
async function whileSilent<Result>(act: () => Promise<Result>): Promise<Result> {
  await bus.processes.stall('payment-sandbox');
  try {
    return await act();
  } finally {
    bus.processes.resume('payment-sandbox');
  }
}

/** Runs `act` while the payment sandbox refuses connections. */
async function whileDown<Result>(act: () => Promise<Result>): Promise<Result> {
  await bus.processes.stop('payment-sandbox');
  try {
    return await act();
  } finally {
    await bus.processes.restart('payment-sandbox');
  }
}

const outages = [
  ['does not respond', whileSilent],
  ['refuses connections', whileDown],
] as const;

const stateOf = async (url: string) => (await bus.sandboxSession(url)).state;

const refundsOf = async (id: string) =>
  (await command(bus, shop, listRefunds)).refunds.filter(
    ({ orderId }: { orderId: string }) => orderId === id,
  );

describe('cancelling an order with a payment page', () => {
  test('expires the page within the request, and the page then rejects a payment', async () => {
    const { id, url } = await createAwaitingPayment(shop);
    const { status, body } = await shop.cancel(id);
    expect([status, body.status, body.paymentUrl]).toEqual([200, 'cancelled', null]);
    expect(await stateOf(url)).toBe('expired');
    const page = await fetch(url);
    expect(await page.text()).toContain('This can no longer be paid');
    expect(await pay(url)).toBe(412);
    expect(await stateOf(url)).toBe('expired');
    expect((await shop.cancel(id)).body).toEqual(body);
  });

  test.each([
    ['has notified', '?delayMs=0'],
    ['has not notified', '?notify=never'],
  ])(
    'responds with 412 when the page is paid and the provider %s, and the order becomes paid',
    async (_, how) => {
      const { id, url } = await createAwaitingPayment(shop);
      expect(await pay(url, how)).toBe(200);
      const { status, body } = await shop.cancel(id);
      expect([status, body.error?.details[0].reason]).toEqual([412, 'ALREADY_PAID']);
      const order = await shop.until(id, 'paid');
      expect(order).toMatchObject({ cancelledAt: null, registrationIds: [expect.any(String)] });
      expect(await refundsOf(id)).toEqual([]);
      // The message names the refund.
      const refunded = await command(bus, shop, refundOrder, { orderId: id, all: true });
      expect(refunded.order.status).toBe('refunded');
    },
  );

  test('makes a payment of a wrong amount due for a refund, and releases the seats', async () => {
    const { id } = await paidWithoutNotification(shop, '&amount=899');
    expect((await shop.cancel(id)).body.status).toBe('refund_due');
    expect(await refundsOf(id)).toMatchObject([{ amount: 899, cause: 'mismatch', state: 'due' }]);
  });

  test.each(outages)(
    'succeeds when the provider %s, expires the page later, and makes late payments due for a refund',
    async (_, during) => {
      const { id, url } = await createAwaitingPayment(shop);
      const { status, body } = await during(() => shop.cancel(id));
      expect([status, body.status]).toEqual([200, 'cancelled']);
      await expect.poll(() => stateOf(url)).toBe('expired');
      expect(await notifyPaid(bus, url)).toBe(200);
      await shop.until(id, 'refund_due');
      expect(await refundsOf(id)).toMatchObject([{ amount: 900, cause: 'late', state: 'due' }]);
    },
  );

  test.each(outages)(
    'makes an earlier payment due for a refund when the provider %s',
    async (_, during) => {
      const { id } = await paidWithoutNotification(shop);
      const { body } = await during(() => shop.cancel(id));
      expect(body.status).toBe('cancelled');
      await shop.until(id, 'refund_due');
      expect(await refundsOf(id)).toMatchObject([{ amount: 900, cause: 'late' }]);
    },
  );
});

describe('a signed notification', () => {
  const notified = async (fields: object, more: object = {}) => {
    const { id, url } = await createAwaitingPayment(shop);
    const { id: sessionId, attemptId, orderId, amount, currency } = await bus.sandboxSession(url);
    const session = { id: sessionId, attemptId, orderId, amount, currency };
    const paymentId = `pi_${sessionId}`;
    const status = await notify(bus, {
      id: `evt_${sessionId}`,
      type: 'session.paid',
      session: { ...session, paymentId, ...fields },
      ...more,
    });
    const rows = () =>
      bus.database.sql('select state, reason from commerce.settlement where session_id = $1', [
        sessionId,
      ]);
    return { id, status, rows };
  };

  test.each([
    ['with amount 0', { amount: 0 }, {}, 'zero_amount'],
    ['of live mode', {}, { livemode: true }, 'livemode_mismatch'],
  ])(
    '%s is stored as unusable with its reason and does not pay the order',
    async (_, fields, more, reason) => {
      const { id, status, rows } = await notified(fields, more);
      expect(status).toBe(200);
      await expect.poll(rows).toEqual([{ state: 'unusable', reason }]);
      expect((await shop.read(id)).status).toBe('awaiting_payment');
      expect(bus.alarms().some((line) => line.includes(`"reason":"${reason}"`))).toBe(true);
    },
  );

  test('of the wrong mode is listed by commerce.reconcile', async () => {
    const report = await bus.operator.callUnchecked(reconcileCommerce, {});
    expect(report).toMatchObject({
      unbalanced: [],
      unmatched: [{ amount: 900, why: expect.stringContaining('PAYMENT_LIVEMODE') }],
    });
  });

  test('with a NUL character is rejected with 400 and not stored', async () => {
    const { status, rows } = await notified({ paymentId: 'pi_\0' });
    expect([status, await rows()]).toEqual([400, []]);
  });
});

describe('expiry of a hold with a payment page', () => {
  test('makes the order paid if the page was paid and the provider has not notified', async () => {
    const { id } = await paidWithoutNotification(shop);
    await expireHold(bus, id);
    expect((await shop.until(id, 'paid')).registrationIds).toHaveLength(1);
    expect(await refundsOf(id)).toEqual([]);
  });

  test.each(outages)(
    'expires the order when the provider %s, and expires the page later',
    async (_, during) => {
      const { id, url } = await createAwaitingPayment(shop);
      await during(async () => {
        await expireHold(bus, id);
        await shop.until(id, 'expired');
      });
      await expect.poll(() => stateOf(url)).toBe('expired');
      // A late payment reacquires the seat of an expired order.
      expect(await notifyPaid(bus, url)).toBe(200);
      await shop.until(id, 'paid');
    },
  );
});
