import { readTrialBalance } from '@event-api/contracts/operator/ledger';
import {
  listRefunds,
  reconcileCommerce,
  refundOrder,
  setRefundDelay,
} from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  notify,
  notifyPaid,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { cancelOnce, untilCancelled } from './fixtures/event-cancellation.ts';
import { createSaleWithPolicy, readRefunds } from './fixtures/policy-sale.ts';

let bus: BusFixture;
let shop: SaleFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
  shop = await createSale(bus, { priceAmount: 1000, capacity: 100 });
});
afterAll(() => stopConsistent(bus));

/** Disputes a payment, or decides its dispute, as the bank of the buyer. */
async function dispute(url: string, how = ''): Promise<number> {
  const response = await fetch(`${url}/dispute${how}`, { method: 'POST' });
  await response.body?.cancel();
  return response.status;
}

async function paid(of: SaleFixture = shop): Promise<{ id: string; url: string }> {
  const order = await createAwaitingPayment(of);
  await pay(order.url);
  await of.until(order.id, 'paid');
  return order;
}

/** The order, once its newest dispute has this status; or none, with null. */
const untilDisputed = (id: string, status: string, of = shop): Promise<Body> =>
  eventually(async () => {
    const order = await of.read(id);
    const now = order.disputes.at(-1)?.status;
    if (now !== status) throw new Error(`the dispute is ${now}`);
    return order;
  });

/** A notification about a dispute of 1000 at a second, as the provider sends it. */
async function notifyDispute(
  url: string,
  fields: object,
  { second = 1, ...options }: { second?: number; secret?: string } = {},
): Promise<number> {
  const { paymentId } = await bus.sandboxSession(url);
  const about = { id: `evt_${Math.random()}`, type: 'dispute.updated' };
  const base = { id: `dp_${url.split('/').at(-1)}`, paymentId, amount: 1000, currency: 'EUR' };
  const times = { createdAt: instant(0), respondBy: instant(600) };
  const body = { ...base, ...times, reason: 'fraudulent', ...fields };
  return notify(bus, { ...about, at: instant(second), dispute: body }, options);
}

const instant = (second: number) => new Date(Date.UTC(2027, 0, 1, 0, 0, second)).toISOString();

const refund = (orderId: string, body: object, of = shop): Promise<Body> =>
  command(bus, of, refundOrder, { orderId, ...body } as never);

/** The reason of a refund that is refused. */
const refusal = (orderId: string, body: object, of = shop): Promise<Body> =>
  refund(orderId, body, of).then(
    () => null,
    (error: unknown) => String(error),
  );

const balanceOf = async (account: string): Promise<number> => {
  const { accounts }: Body = await bus.operator.callUnchecked(readTrialBalance, {
    businessUnitId: shop.unitId,
  });
  const sums = accounts.map(({ balance }: Body) => balance);
  expect(sums.reduce((sum: number, each: number) => sum + each, 0)).toBe(0);
  return accounts.find((each: Body) => each.account === account)?.balance ?? 0;
};

const typesOf = async (id: string): Promise<string[]> => {
  const { changes } = (await shop.call('GET', '/v1/changes?limit=1000')).body;
  return changes.filter(({ object }: Body) => object.id === id).map(({ type }: Body) => type);
};

const disputedIds = async (): Promise<string[]> => {
  const { orders } = (await shop.call('GET', `${shop.path}/orders?disputed=true`)).body;
  return orders.map(({ id }: Body) => id);
};

describe('a dispute', () => {
  test('is shown in the order, the feed, the filter and the journal until it is won', async () => {
    const { id, url } = await paid();
    const before = await balanceOf('dispute');
    expect(await dispute(url, '?amount=400&notify=twice')).toBe(200);
    const order = await untilDisputed(id, 'needs_response');
    expect(order).toMatchObject({ status: 'paid', disputedAmount: 400, refundedAmount: 0 });
    expect(order.disputes).toMatchObject([
      { amount: 400, currency: 'EUR', reason: 'fraudulent', respondBy: expect.any(String) },
    ]);
    expect(order.registrations).toMatchObject([{ status: 'confirmed' }]);
    expect(await disputedIds()).toContain(id);
    expect((await balanceOf('dispute')) - before).toBe(400);
    await dispute(url, '?status=won');
    expect(await untilDisputed(id, 'won')).toMatchObject({ disputedAmount: 0 });
    expect(await disputedIds()).not.toContain(id);
    expect((await balanceOf('dispute')) - before).toBe(0);
    const moves = async () =>
      (await typesOf(id)).filter((type) => type === 'order.dispute_changed').length;
    await expect.poll(moves).toBe(2);
    await refund(id, { all: true });
    await shop.until(id, 'refunded');
  });

  test('holds back its part until it is decided, and what is lost is never refunded', async () => {
    const { id, url } = await paid();
    await dispute(url, '?amount=700');
    await untilDisputed(id, 'needs_response');
    expect(await refusal(id, { all: true })).toContain('disputes 700 EUR');
    expect(await refusal(id, { amount: 301 })).toContain('disputes 700 EUR');
    await refund(id, { amount: 300 });
    await dispute(url, '?status=lost');
    expect(await untilDisputed(id, 'lost')).toMatchObject({ disputedAmount: 700, status: 'paid' });
    expect(await refusal(id, { all: true, force: true })).toContain('NOTHING_TO_REFUND');
    expect(await shop.read(id)).toMatchObject({ refundedAmount: 300 });
  });

  test('that is lost withdraws what was due for late money', async () => {
    const order = await createAwaitingPayment(shop);
    await shop.cancel(order.id);
    await pay(order.url, '?late=1');
    await shop.until(order.id, 'refund_due');
    await dispute(order.url, '?status=lost');
    expect(await untilDisputed(order.id, 'lost')).toMatchObject({
      ...{ status: 'refunded', refundDueAmount: 0, refundedAmount: 0 },
    });
  });

  test('leaves the refund of a cancelled seat due, however automatic its policy is', async () => {
    const bands = [{ daysBeforeStart: 1, percent: 80 }];
    const sale = await createSaleWithPolicy(bus, { bands, automatic: true });
    const { id, url } = await paid(sale);
    await dispute(url);
    await untilDisputed(id, 'needs_response', sale);
    const [registrationId] = (await sale.read(id)).registrationIds;
    await sale.call('POST', `${sale.path}/registrations/${registrationId}/cancel`);
    await expect.poll(async () => (await sale.read(id)).refundDueAmount).toBe(8000);
    const { refunds } = await command(bus, sale, listRefunds, {});
    const own = refunds.filter(({ orderId }: Body) => orderId === id);
    expect(own).toMatchObject([{ state: 'due', failure: null }]);
    await dispute(url, '?status=won');
    await untilDisputed(id, 'won', sale);
    await refund(id, { onlyDue: true }, sale);
    await expect.poll(async () => (await sale.read(id)).refundedAmount).toBe(8000);
  });

  test('delays the refund that the platform sends by itself until it is won', async () => {
    const late = async () => {
      const order = await createAwaitingPayment(shop);
      await shop.cancel(order.id);
      await pay(order.url, '?late=1');
      await shop.until(order.id, 'refund_due');
      return order;
    };
    const [disputed, other] = [await late(), await late()];
    await dispute(disputed.url);
    await untilDisputed(disputed.id, 'needs_response');
    const sendNow = 'update commerce.refund set send_at = now() where order_id = $1';
    await bus.database.sql(sendNow, [disputed.id]);
    // The sweep takes the oldest time first.
    await bus.database.sql(sendNow, [other.id]);
    await shop.until(other.id, 'refunded');
    const { refunds } = await command(bus, shop, listRefunds, {});
    const own = refunds.filter(({ orderId }: Body) => orderId === disputed.id);
    expect(own).toMatchObject([{ state: 'due', failure: null }]);
    await dispute(disputed.url, '?status=won');
    await shop.until(disputed.id, 'refunded');
  });

  test.each([
    ['won', 'done', { status: 'refunded', refundedAmount: 1000, disputedAmount: 0 }],
    ['lost', 'withdrawn', { status: 'paid', refundedAmount: 0, disputedAmount: 1000 }],
  ])('holds back the refund of a cancelled event until it is %s', async (result, state, end) => {
    const sale = await createSale(bus, { priceAmount: 1000, capacity: 9 });
    const { unitId: businessUnitId } = sale;
    await bus.operator.call(setRefundDelay, { businessUnitId, refundAfterHours: 0 });
    const [disputed, other] = [await paid(sale), await paid(sale)];
    await dispute(disputed.url);
    await untilDisputed(disputed.id, 'needs_response', sale);
    await cancelOnce(bus, sale);
    await sale.until(other.id, 'refunded');
    // It is finished, because nothing is left to do before the dispute is decided.
    expect(await untilCancelled(bus, sale)).toMatchObject({
      orders: { total: 2, left: 0 },
      refunds: [{ currency: 'EUR', sent: 1000, pending: 0, due: 1000 }],
      failures: [],
      problem: null,
    });
    const held = { amount: 1000, state: 'due', cause: 'event_cancelled', registrationIds: [] };
    expect(await readRefunds(bus, sale, disputed.id)).toEqual([held]);
    expect(await sale.read(disputed.id)).toMatchObject({ status: 'paid', refundDueAmount: 1000 });
    await dispute(disputed.url, `?status=${result}`);
    await untilDisputed(disputed.id, result, sale);
    expect(await sale.until(disputed.id, end.status, 20_000)).toMatchObject(end);
    expect(await readRefunds(bus, sale, disputed.id)).toEqual([{ ...held, state }]);
    expect(await refusal(disputed.id, { all: true, force: true }, sale)).not.toBeNull();
  });

  test('that is notified before its payment is shown once the order is paid', async () => {
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url, '?notify=never');
    expect(await notifyDispute(url, { status: 'needs_response' })).toBe(200);
    expect(await shop.read(id)).toMatchObject({ disputes: [] });
    await notifyPaid(bus, url);
    await shop.until(id, 'paid');
    expect(await untilDisputed(id, 'needs_response')).toMatchObject({ disputedAmount: 1000 });
  });

  test('that is notified late, twice and in the wrong order keeps its last state', async () => {
    const { id, url } = await paid();
    const lost = { status: 'lost' };
    expect(await notifyDispute(url, lost, { second: 5 })).toBe(200);
    for (const second of [5, 2, 3]) {
      expect(await notifyDispute(url, { status: 'needs_response' }, { second })).toBe(200);
      expect(await notifyDispute(url, { status: 'won' }, { second })).toBe(200);
    }
    expect(await notifyDispute(url, lost, { second: 9 })).toBe(200);
    expect(await shop.read(id)).toMatchObject({ disputedAmount: 1000, disputes: [lost] });
    const moves = async () =>
      (await typesOf(id)).filter((type) => type === 'order.dispute_changed').length;
    await expect.poll(moves).toBe(1);
  });

  test('with a forged signature, an unknown status or of another mode has no effect', async () => {
    const { id, url } = await paid();
    const open = { status: 'needs_response' };
    expect(await notifyDispute(url, open, { secret: 'another-secret-of-the-sandbox' })).toBe(400);
    expect(await notifyDispute(url, { status: 'unknown' })).toBe(400);
    expect(await notifyDispute(url, { ...open, currency: 'E\0' })).toBe(400);
    expect(await shop.read(id)).toMatchObject({ disputedAmount: 0, disputes: [] });
  });

  test('that is stored first refuses a refund that arrives at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, url } = await paid();
      await Promise.all([
        notifyDispute(url, { status: 'needs_response', amount: 600 }),
        notifyDispute(url, { status: 'needs_response', amount: 600 }),
        refund(id, { amount: 700 }).catch(() => undefined),
        notifyDispute(url, { status: 'lost', amount: 600 }, { second: 2 }),
      ]);
      const order = await untilDisputed(id, 'lost');
      expect(order.disputes).toHaveLength(1);
      // The provider itself knows nothing of this dispute: it would pay every refund.
      const late = await bus.database.sql(
        `select from commerce.refund r join commerce.dispute d on d.order_id = r.order_id
         where r.order_id = $1 and r.created_at > d.received_at`,
        [id],
      );
      expect(late).toEqual([]);
      expect([0, 700]).toContain(order.refundedAmount);
    }
    const { unbalanced }: Body = await bus.operator.callUnchecked(reconcileCommerce, {
      businessUnitId: shop.unitId,
    });
    expect(unbalanced).toEqual([]);
  });
});
