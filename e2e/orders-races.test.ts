import { refundOrder } from '@event-api/contracts/operator/refunds';
import { sign, signatureHeader } from '@event-api/payment-sandbox/signature';
import type { Client } from '@event-api/platform/testing/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutFaults, moneyOf } from './checkout-money.ts';
import type { GivenBus } from './given-bus.ts';
import {
  command,
  givenCheckout,
  givenShop,
  pay,
  type Shop,
  someEmail,
  urls,
} from './given-checkout.ts';

let bus: GivenBus;

beforeAll(async () => {
  bus = await givenCheckout();
});
afterAll(() => bus?.stop());

/** So many at once; what each of them answered. */
const atOnce = <Result>(count: number, act: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)));

const wordOf = ({ status, body }: Awaited<ReturnType<Client>>): string =>
  status === 200 ? body.status : body.error.details[0].reason;

async function awaiting(shop: Shop) {
  const { id } = await shop.placed();
  const { body } = await shop.confirm(id);
  return { id, url: body.paymentUrl as string };
}

/** Everything that was begun has come to its end, and nothing is doubled or lost. */
async function expectNoFaults() {
  await expect
    .poll(
      () =>
        bus.database.sql(
          `select id from commerce.settlement where state = 'received' union all
           select id from commerce.customer_order where intent is not null or (settlement_id is not null and status in ('held', 'awaiting_payment', 'expired'))`,
        ),
      { timeout: 10_000 },
    )
    .toEqual([]);
  expect(await checkoutFaults(bus)).toEqual([]);
  for (const { received, accounted } of await moneyOf(bus)) expect(accounted).toBe(received);
}

describe('at once', () => {
  test('confirmations of a free order register its people once', async () => {
    const shop = await givenShop(bus);
    const { id } = await shop.placed();
    const answers = await atOnce(10, () => shop.confirm(id, {}));
    expect(new Set(answers.map(wordOf))).toEqual(new Set(['paid']));
    expect(await shop.registrations()).toHaveLength(1);
    await expectNoFaults();
  });

  test('confirmations with different URLs share one payment page', async () => {
    const shop = await givenShop(bus, { priceAmount: 100 });
    const { id } = await shop.placed();
    const answers = await atOnce(10, (n) =>
      shop.confirm(id, { ...urls, successUrl: `https://shop-${n}.example/` }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.paymentUrl)).size).toBe(1);
  });

  test('a confirmation and a cancellation have one winner', async () => {
    for (let round = 0; round < 8; round++) {
      const shop = await givenShop(bus, { capacity: 1 });
      const { id } = await shop.placed();
      const [confirmed, cancelled] = await Promise.all([shop.confirm(id, {}), shop.cancel(id)]);
      const won = [wordOf(confirmed), wordOf(cancelled)].join();
      expect(['paid,ALREADY_PAID', 'ORDER_CLOSED,cancelled']).toContain(won);
      const { status } = await shop.read(id);
      expect(await shop.availability()).toMatchObject({
        confirmed: status === 'paid' ? 1 : 0,
        held: 0,
      });
    }
    await expectNoFaults();
  });

  test('a settlement and a cancellation have one winner, and the money is never lost', async () => {
    for (let round = 0; round < 8; round++) {
      const shop = await givenShop(bus, { priceAmount: 300 });
      const { id, url } = await awaiting(shop);
      const [, cancelled] = await Promise.all([pay(url), shop.cancel(id)]);
      await expect
        .poll(async () => (await shop.read(id)).status, { timeout: 5000 })
        .not.toBe('awaiting_payment');
      const { status, paidAt, cancelledAt } = await shop.read(id);
      expect(['paid', 'refund_due', 'cancelled']).toContain(status);
      // Whoever loses has left no trace of having won.
      const isPaid = status === 'paid';
      expect([isPaid, !isPaid]).toEqual([paidAt !== null, cancelledAt !== null]);
      if (isPaid) expect(wordOf(cancelled)).toBe('ALREADY_PAID');
    }
    await expectNoFaults();
  });

  test('orders for the last seats are as many as there are seats', async () => {
    const shop = await givenShop(bus, { capacity: 10 });
    const answers = await atOnce(60, () => shop.place());
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(wordOf))).toEqual(
      new Set(['SOLD_OUT']),
    );
    await atOnce(10, (n) =>
      shop.confirm(answers.filter(({ status }) => status === 201)[n]?.body.id, {}),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 10, held: 0, remaining: 0 });
    await expectNoFaults();
  });

  test('two orders of one buyer make one registration, and the second seat is given back with its money', async () => {
    const shop = await givenShop(bus, { priceAmount: 400, capacity: 2 });
    const email = someEmail();
    const orders = await atOnce(2, () => shop.placed({ email }));
    for (const { id } of orders) {
      await pay((await shop.confirm(id)).body.paymentUrl);
      await expect
        .poll(async () => (await shop.read(id)).status, { timeout: 5000 })
        .not.toBe('awaiting_payment');
    }
    const statuses = await atOnce(2, async (n) => (await shop.read(orders[n]?.id)).status);
    expect(statuses.toSorted()).toEqual(['paid', 'refund_due']);
    expect(await shop.availability()).toMatchObject({ confirmed: 1, held: 0 });
    await expectNoFaults();
  });
});

/** Plays a race with and without what decides it: without, something has to go wrong. */
async function refundTwice(): Promise<number> {
  const shop = await givenShop(bus, { priceAmount: 1000 });
  const { id, url } = await awaiting(shop);
  await pay(url);
  await shop.until(id, 'paid');
  const asked = { orderId: id, amount: 700 };
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, asked)),
  );
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

async function tellHundredTimes(): Promise<number> {
  const shop = await givenShop(bus, { priceAmount: 100 });
  const { id, url } = await awaiting(shop);
  // Not told by itself, but by a hundred copies of one notification.
  await pay(url, '?notify=never');
  const session = await bus.sandboxSession(url);
  const raw = (n: number) =>
    Buffer.from(
      JSON.stringify({
        id: `evt_${id}_${n % 2}`,
        type: 'session.paid',
        session: { ...session, amount: session.receivedAmount, currency: session.receivedCurrency },
      }),
    );
  const answers = await atOnce(100, async (n) => {
    const body = raw(n);
    const response = await fetch(`${bus.gatewayUrl}/payments/notifications/sandbox`, {
      method: 'POST',
      headers: { [signatureHeader]: sign(bus.sandboxSecret, new Date(), body) },
      body: new Uint8Array(body),
    });
    await response.body?.cancel();
    return response.status;
  });
  expect(new Set(answers)).toEqual(new Set([200]));
  await shop.until(id, 'paid');
  expect(await shop.registrations()).toHaveLength(1);
  const [{ count } = { count: '0' }] = await bus.database.sql<{ count: string }>(
    `select count(*) from commerce.settlement where session_id = '${session.id}'`,
  );
  return Number(count);
}

describe('what decides it', () => {
  test('is the lock of the order when it is refunded many times at once: one is done', async () => {
    expect(await refundTwice()).toBe(1);
    await expectNoFaults();
  });

  test('is the payment when its notification comes a hundred times at once: it counts once', async () => {
    expect(await tellHundredTimes()).toBe(1);
    await expectNoFaults();
  });

  test('would be missed: without them both go wrong', async () => {
    await bus.processes.stop('commerce');
    await bus.processes.restart('commerce', { FAULTS: 'off:order.lock' });
    expect(await refundTwice()).toBeGreaterThan(1);
    await bus.database.sql('alter table commerce.settlement drop constraint settlement_payment');
    expect(await tellHundredTimes()).toBeGreaterThan(1);
  });
});
