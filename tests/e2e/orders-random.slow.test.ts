import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { createRandom } from '@event-api/platform/testing/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  command,
  createCheckoutFixture,
  createSale,
  notifyLatePayment,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';
import { retryWhileDown, untilFinished, whileKilling } from './random-kills.ts';

/** Number of orders to place. */
const orders = process.env.TEST_SIZE === 'full' ? 2000 : 120;
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture({ registration: { SEAT_RESERVATION_MS: '6000' } });
});
afterAll(() => bus?.stop());

/** One buyer places an order and acts on it at random. Returns whether an order was placed. */
async function placeAndAct(shop: SaleFixture, next: () => number): Promise<boolean> {
  const one = <Choice>(...choices: Choice[]): Choice =>
    choices[Math.floor(next() * choices.length)] as Choice;
  // Few enough emails that some buyers are already registered.
  const email = `person-${Math.floor(next() * orders * 2)}@example.com`;
  const code = one(null, null, 'HALF', 'GIFT');
  const placed = await shop.place({ email, redemptionCode: code });
  if (placed.status !== 201) return false;
  // Errors after this line concern an existing order.
  await act(shop, placed.body.id, next, one).catch(() => {});
  return true;
}

async function act(
  shop: SaleFixture,
  id: string,
  next: () => number,
  one: <Choice>(...choices: Choice[]) => Choice,
): Promise<void> {
  if (next() < 0.15) {
    if (next() < 0.5) await retryWhileDown(() => shop.cancel(id));
    return;
  }
  const confirmed = await retryWhileDown(() => shop.confirm(id));
  if (confirmed.status !== 200) return;
  const { paymentUrl } = confirmed.body;
  const isCancelled = next() < 0.3;
  if (isCancelled) {
    await retryWhileDown(() => shop.cancel(id));
    if (paymentUrl && next() < 0.5)
      await retryWhileDown(async () => ({ status: await notifyLatePayment(bus, paymentUrl) }));
  }
  if (paymentUrl && next() < 0.85) {
    const how = one('', '', '', '?notify=twice', '?delayMs=800', '?amount=3', '?notify=never');
    await pay(paymentUrl, how);
    if (!isCancelled && how !== '?notify=never' && next() < 0.9) {
      const all = { all: true };
      const extent = one<object>(all, all, all, { amount: 1 }, { amount: 200 });
      // A retry may follow a refund whose response was lost.
      const input = { orderId: id, ...extent, force: true };
      await eventually(() => command(bus, shop, refundOrder, input));
    }
  }
  if (next() < 0.1) await shop.cancel(id);
}

async function shopOf(capacity: number): Promise<SaleFixture> {
  const shop = await createSale(bus, { priceAmount: 800, capacity });
  for (const [name, value] of [
    ['HALF', 50],
    ['GIFT', 100],
  ] as const) {
    const discount = { type: 'percent', value };
    const body = { registrationTypeId: shop.typeId, code: name, maxUses: null, discount };
    await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, body]);
  }
  return shop;
}

/** Returns the number of orders and payments by outcome. */
async function outcomes(): Promise<Record<string, number>> {
  const rows = await bus.database.sql<{ outcome: string; count: number }>(
    `select 'placed' as outcome, count(*)::int from commerce.customer_order
     union all select status, count(*)::int from commerce.customer_order group by 1
     union all select 'paid after closing', count(*)::int from commerce.settlement where state = 'late'
     union all select 'refund sent', count(*)::int from commerce.refund where state = 'done'`,
  );
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
}

test(`all money is accounted for after ${orders} orders with faults (SEED=${seed})`, {
  timeout: 900_000,
}, async () => {
  // The first sale sells out early. The second one has enough seats.
  const shops = [await shopOf(orders / 10), await shopOf(orders * 2)] as const;
  const { next } = createRandom(seed);
  let placed = 0;
  const buyer = async (wanted: number) => {
    while (placed < wanted) {
      const shop = shops[next() < 0.3 ? 0 : 1];
      if (await placeAndAct(shop, next).catch(() => false)) placed += 1;
      // Limits the retries while the processes are down.
      else await delay(20);
    }
  };
  /**
   * Buyers place orders up to this number while processes are killed. Then waits until all orders
   * are finished.
   */
  const round = async (wanted: number) => {
    const buyers = () => Promise.all(Array.from({ length: 8 }, () => buyer(wanted)));
    await whileKilling(bus, next, buyers);
    await untilFinished(bus);
  };
  const least = Math.floor(orders / 100);
  const wantedOutcomes = ['refunded', 'cancelled', 'expired', 'refund sent', 'paid after closing'];
  const missing = async () => {
    const counts = await outcomes();
    return wantedOutcomes.filter((outcome) => (counts[outcome] ?? 0) < least);
  };
  // A sample may lack an outcome, especially on a busy machine. Then it is extended.
  for (let wanted = orders; wanted <= 3 * orders; wanted += orders / 4) {
    await round(wanted);
    if ((await missing()).length === 0) break;
  }
  await expectConsistentCheckout(bus);
  expect(await bus.operator.callUnchecked(reconcileCommerce, {})).toMatchObject({
    unbalanced: [],
    failed: [],
  });
  const found = await outcomes();
  console.log(`seed ${seed}: ${JSON.stringify(found)}`);
  // Proves that the run covered the outcomes. There are usually about ten times as many.
  expect(found.placed).toBeGreaterThanOrEqual(orders);
  expect(found.paid).toBeGreaterThan(10 * least);
  expect(await missing()).toEqual([]);
});
