import { listRefunds, refundOrder } from '@event-api/contracts/operator/refunds';
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
import { createSaleWithPolicy } from './fixtures/policy-sale.ts';

let bus: BusFixture;
let shop: SaleFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
  shop = await createSale(bus, { priceAmount: 1000, capacity: 100 });
});
afterAll(() => stopConsistent(bus));

/** Refunds a payment in the name of the merchant, as at the provider. */
async function refundAtProvider(url: string, how = ''): Promise<number> {
  const response = await fetch(`${url}/refund${how}`, { method: 'POST' });
  await response.body?.cancel();
  return response.status;
}

async function paid(of: SaleFixture = shop): Promise<{ id: string; url: string }> {
  const order = await createAwaitingPayment(of);
  await pay(order.url);
  await of.until(order.id, 'paid');
  return order;
}

/** An order that was paid after it was cancelled. */
async function owed(): Promise<{ id: string; url: string }> {
  const order = await createAwaitingPayment(shop);
  await shop.cancel(order.id);
  await pay(order.url, '?late=1');
  await shop.until(order.id, 'refund_due');
  return order;
}

const refundsOf = async (orderId: string, of: SaleFixture = shop): Promise<Body[]> => {
  const { refunds } = await command(bus, of, listRefunds, {});
  return refunds
    .filter((refund: Body) => refund.orderId === orderId)
    .map(({ amount, state, cause }: Body) => ({ amount, state, cause }));
};

const findUnapplied = (orderId: string): Promise<unknown[]> =>
  bus.database.sql(
    `select from commerce.provider_refund r join commerce.settlement s on s.id = r.settlement_id
     where s.order_id = $1 and r.processed_at is null`,
    [orderId],
  );

/** The order, once every refund that the provider has reported is applied. */
const untilApplied = (orderId: string, refundedAmount: number, of = shop): Promise<Body> =>
  eventually(async () => {
    const order = await of.read(orderId);
    const open = await findUnapplied(orderId);
    if (open.length > 0 || order.refundedAmount !== refundedAmount) {
      throw new Error(`${order.refundedAmount} is refunded, ${open.length} are not applied`);
    }
    return order;
  });

const madeAtProvider = (amount: number, state = 'done') => ({
  amount,
  state,
  cause: 'at_provider',
});

/** A notification about a refund of a payment, as the provider sends it. */
async function notifyRefund(url: string, fields: object, options = {}): Promise<number> {
  const { paymentId } = await bus.sandboxSession(url);
  const state = { state: 'done', failure: null };
  const refund = { id: `re_${url.split('/').at(-1)}`, refundId: null, paymentId, ...state };
  const about = { id: `evt_${Math.random()}`, type: 'refund.created' };
  return notify(bus, { ...about, refund: { ...refund, currency: 'EUR', ...fields } }, options);
}

describe('a refund that is made at the provider', () => {
  test.each(['once', 'twice'])('of a part is recorded when it is notified %s', async (how) => {
    const { id, url } = await paid();
    expect(await refundAtProvider(url, `?amount=400&notify=${how}`)).toBe(200);
    const order = await untilApplied(id, 400);
    expect(order).toMatchObject({ status: 'paid', refundDueAmount: 0 });
    expect(order.registrations).toMatchObject([{ status: 'confirmed' }]);
    expect(await refundsOf(id)).toEqual([madeAtProvider(400)]);
    const changesOf = async (): Promise<string[]> => {
      const { changes } = (await shop.call('GET', '/v1/changes?limit=1000')).body;
      return changes
        .filter(({ object, type }: Body) => object.id === id && type === 'order.refund_changed')
        .map(({ type }: Body) => type);
    };
    await expect.poll(changesOf).toHaveLength(1);
  });

  test('of the whole payment ends the order, like one of an operator', async () => {
    const { id, url } = await paid();
    await refundAtProvider(url, '?amount=400');
    await untilApplied(id, 400);
    await refundAtProvider(url);
    const order = await untilApplied(id, 1000);
    expect(order).toMatchObject({ status: 'refunded' });
    await expect
      .poll(async () => (await shop.read(id)).registrations)
      .toMatchObject([{ status: 'cancelled' }]);
    expect(await refundAtProvider(url)).toBe(412);
  });

  test('pays what is due for money that arrived late', async () => {
    const { id, url } = await owed();
    await refundAtProvider(url);
    expect(await untilApplied(id, 1000)).toMatchObject({ status: 'refunded', refundsDue: [] });
    expect(await refundsOf(id)).toEqual([{ amount: 1000, state: 'done', cause: 'late' }]);
  });

  test('leaves the rest due, which an operator pays', async () => {
    const sale = await createSaleWithPolicy(bus, { bands: [{ daysBeforeStart: 1, percent: 80 }] });
    const { id, url } = await paid(sale);
    const [registrationId] = (await sale.read(id)).registrationIds;
    await sale.call('POST', `${sale.path}/registrations/${registrationId}/cancel`);
    await expect.poll(async () => (await sale.read(id)).refundDueAmount).toBe(8000);
    await refundAtProvider(url, '?amount=5000');
    expect(await untilApplied(id, 5000, sale)).toMatchObject({ refundDueAmount: 3000 });
    await command(bus, sale, refundOrder, { orderId: id, onlyDue: true });
    expect(await untilApplied(id, 8000, sale)).toMatchObject({
      status: 'paid',
      refundDueAmount: 0,
    });
    const byPolicy = { state: 'done', cause: 'refund_policy' };
    expect((await refundsOf(id, sale)).toSorted((a, b) => a.amount - b.amount)).toEqual([
      { ...byPolicy, amount: 3000 },
      { ...byPolicy, amount: 5000 },
    ]);
  });

  test('before its payment is known refunds the order once that is fulfilled', async () => {
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url, '?notify=never');
    await refundAtProvider(url);
    await notifyPaid(bus, url);
    await shop.until(id, 'refunded');
    expect(await refundsOf(id)).toEqual([madeAtProvider(1000)]);
  });

  test('and fails later is owed to the buyer', async () => {
    const { id, url } = await paid();
    await refundAtProvider(url, '?amount=400&fails=1');
    await expect.poll(() => refundsOf(id)).toEqual([madeAtProvider(400, 'failed')]);
    expect(await untilApplied(id, 0)).toMatchObject({ status: 'paid' });
  });

  test('and has failed is not recorded by a notification that comes too late', async () => {
    const { id, url } = await paid();
    await refundAtProvider(url, '?amount=400&fails=1&notify=reversed');
    await refundAtProvider(url, '?amount=100');
    await untilApplied(id, 100);
    expect(await refundsOf(id)).toEqual([madeAtProvider(100)]);
  });

  test.each([
    ['the second one', (failed: object, second: object) => [second, failed]],
    ['the failure', (failed: object, second: object) => [failed, second]],
  ])('again after one has failed is recorded when %s is reported first', async (_, ordered) => {
    const { id, url } = await paid();
    const { refunds } = await command(bus, shop, refundOrder, { orderId: id, all: true });
    await untilApplied(id, 1000);
    const [stored] = await bus.database.sql<{ provider_refund_id: string }>(
      'select provider_refund_id from commerce.refund where order_id = $1',
      [id],
    );
    const own = { id: stored?.provider_refund_id, refundId: refunds[0].id, amount: 1000 };
    const failed = { ...own, state: 'failed', failure: 'the account is closed' };
    const reports = ordered(failed, { id: `${own.id}_second`, amount: 1000 });
    for (const report of reports) {
      expect(await notifyRefund(url, report)).toBe(200);
      await eventually(async () => expect(await findUnapplied(id)).toEqual([]));
    }
    const order = await untilApplied(id, 1000);
    expect(order).toMatchObject({ status: 'refunded', refundDueAmount: 0 });
  });

  test.each<[string, object, object, number]>([
    ['with another signature', {}, { secret: 'another-secret-of-the-sandbox' }, 400],
    ['with an old signature', {}, { at: new Date(Date.now() - 600_000) }, 400],
    ['of no amount', { amount: 0 }, {}, 400],
    ['of an unknown payment', { paymentId: 'pi_unknown' }, {}, 200],
    ['in another currency', { currency: 'USD' }, {}, 200],
  ])('%s changes nothing', async (_, fields, options, status) => {
    const { id, url } = await paid();
    expect(await notifyRefund(url, { amount: 400, ...fields }, options)).toBe(status);
    await untilApplied(id, 0);
    expect(await refundsOf(id)).toEqual([]);
  });
});

describe('a refund of the platform', () => {
  test('is recorded once, although the provider reports it again', async () => {
    const { id, url } = await paid();
    const { refunds } = await command(bus, shop, refundOrder, { orderId: id, amount: 400 });
    await untilApplied(id, 400);
    const [stored] = await bus.database.sql<{ provider_refund_id: string }>(
      'select provider_refund_id from commerce.refund where order_id = $1',
      [id],
    );
    const own = { id: stored?.provider_refund_id, refundId: refunds[0].id, amount: 400 };
    expect(await notifyRefund(url, own)).toBe(200);
    await untilApplied(id, 400);
    expect(await refundsOf(id)).toEqual([{ amount: 400, state: 'done', cause: 'operator' }]);
  });

  test('that fails after it has ended the order is due again', async () => {
    const { id, url } = await paid();
    const { refunds } = await command(bus, shop, refundOrder, { orderId: id, all: true });
    await untilApplied(id, 1000);
    const [stored] = await bus.database.sql<{ provider_refund_id: string }>(
      'select provider_refund_id from commerce.refund where order_id = $1',
      [id],
    );
    const failed = { state: 'failed', failure: 'the account is closed' };
    const own = { id: stored?.provider_refund_id, refundId: refunds[0].id, amount: 1000 };
    expect(await notifyRefund(url, { ...own, ...failed })).toBe(200);
    const order = await untilApplied(id, 0);
    expect(order).toMatchObject({ status: 'refunded', refundDueAmount: 1000 });
    expect(await refundsOf(id)).toEqual(
      expect.arrayContaining([
        { amount: 1000, state: 'due', cause: 'operator' },
        { amount: 1000, state: 'withdrawn', cause: 'operator' },
      ]),
    );
  });

  test('that is refused after a part was made at the provider is due as another one', async () => {
    const { id, url } = await owed();
    const setPending = (attemptedAt: string) =>
      bus.database.sql(
        `update commerce.refund set state = 'pending', last_attempt_at = ${attemptedAt}
         where order_id = $1 and cause = 'late'`,
        [id],
      );
    await setPending("clock_timestamp() + interval '1 hour'");
    await refundAtProvider(url, '?amount=500');
    await untilApplied(id, 500);
    await setPending("clock_timestamp() - interval '1 hour'");
    await expect.poll(async () => (await shop.read(id)).refundDueAmount).toBe(500);
    await command(bus, shop, refundOrder, { orderId: id, onlyDue: true });
    expect(await untilApplied(id, 1000)).toMatchObject({ status: 'refunded', refundsDue: [] });
    expect(await refundsOf(id)).toEqual(
      expect.arrayContaining([
        { amount: 1000, state: 'withdrawn', cause: 'late' },
        { amount: 500, state: 'done', cause: 'late' },
        madeAtProvider(500),
      ]),
    );
  });

  test.each(Array.from({ length: 5 }, (_, n) => n))(
    'and one at the provider return a payment once, race %i',
    async () => {
      const { id, url } = await owed();
      await Promise.all([
        refundAtProvider(url),
        command(bus, shop, refundOrder, { orderId: id, onlyDue: true }).catch(() => null),
      ]);
      expect(await untilApplied(id, 1000)).toMatchObject({ refundsDue: [], status: 'refunded' });
    },
  );
});
