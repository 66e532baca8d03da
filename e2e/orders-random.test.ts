import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { listRefunds, reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutFaults, moneyOf } from './checkout-money.ts';
import { type GivenBus, must } from './given-bus.ts';
import { command, givenCheckout, givenShop, pay, type Shop } from './given-checkout.ts';

const orders = process.env.TEST_SIZE === 'full' ? 2000 : 150;
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

let bus: GivenBus;

beforeAll(async () => {
  bus = await givenCheckout({ registration: { HOLD_MS: '4000' } });
});
afterAll(() => bus?.stop());

/** The same numbers for the same seed (mulberry32). */
function numbersFrom(state: number): () => number {
  let now = state;
  return () => {
    now = (now + 0x6d2b79f5) | 0;
    let mixed = Math.imul(now ^ (now >>> 15), 1 | now);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One buyer's way through a shop, with whatever may happen on it. */
async function shopAround(shop: Shop, next: () => number): Promise<void> {
  const one = <Choice>(...choices: Choice[]): Choice =>
    choices[Math.floor(next() * choices.length)] as Choice;
  // Fewer people than orders, so that some meet themselves.
  const email = `person-${Math.floor(next() * orders * 0.7)}@example.com`;
  const code = one(null, null, 'HALF', 'GIFT');
  const placed = await shop.place({ email, redemptionCode: code });
  if (placed.status !== 201) return;
  const { id } = placed.body;
  if (next() < 0.1) return;
  const confirmed = await shop.confirm(id);
  if (confirmed.status !== 200) return;
  const { paymentUrl } = confirmed.body;
  if (next() < 0.15) await shop.cancel(id);
  if (paymentUrl && next() < 0.85) {
    await pay(
      paymentUrl,
      one('', '', '', '?notify=twice', '?delayMs=800', '?amount=3', '?notify=never'),
    );
  }
  if (next() < 0.1) await shop.cancel(id);
  if (next() < 0.2) {
    const amount = one(undefined, 1, 200);
    await command(bus, shop, refundOrder, { orderId: id, amount }).catch(() => {});
  }
}

test(`all money is accounted for after ${orders} orders with faults (SEED=${seed})`, {
  timeout: 900_000,
}, async () => {
  const shop = await givenShop(bus, { priceAmount: 800, capacity: orders / 2 });
  for (const [name, value] of [
    ['HALF', 50],
    ['GIFT', 100],
  ] as const) {
    const discount = { type: 'percent', value };
    const body = { registrationTypeId: shop.typeId, code: name, maxUses: null, discount };
    await must(shop.call, ['POST', `${shop.path}/redemption-codes`, body]);
  }
  const next = numbersFrom(seed);
  let left = orders;
  const buyer = async () => {
    while (left-- > 0) await shopAround(shop, next).catch(() => {});
  };
  let done = false;
  const nemesis = async () => {
    while (!done) {
      await delay(1500 + next() * 1500);
      const victim = next() < 0.6 ? 'commerce' : 'registration';
      await bus.processes.stop(victim, 'SIGKILL');
      await bus.processes.restart(victim);
    }
  };
  const faults = nemesis();
  await Promise.all(Array.from({ length: 8 }, buyer));
  done = true;
  await faults;
  await expect
    .poll(
      () =>
        bus.database.sql(
          `select id, status from commerce.customer_order
           where status in ('held', 'awaiting_payment') or intent is not null or (status = 'refunded' and revoked_at is null)
             or (status = 'expired' and settlement_id is not null)
           union all select id, state from commerce.settlement where state = 'received'
           union all select id, state from commerce.refund where state = 'pending'`,
        ),
      { timeout: 30_000, interval: 250 },
    )
    .toEqual([]);
  expect(await checkoutFaults(bus)).toEqual([]);
  for (const { received, accounted } of await moneyOf(bus)) expect(accounted).toBe(received);
  expect(await bus.operator.callUnchecked(reconcileCommerce, {})).toMatchObject({
    unbalanced: [],
    failed: [],
  });
  const { refunds } = await command(bus, shop, listRefunds);
  console.log(`${orders} orders, ${refunds.length} refunds, seed ${seed}`);
});
