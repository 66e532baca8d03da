import { randomUUID } from 'node:crypto';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutFaults, moneyOf } from './checkout-money.ts';
import type { BusFixture } from './fixtures/bus.ts';
import {
  awaiting,
  createCheckoutFixture,
  createSale,
  impatient,
  pay,
  type SaleFixture,
  someEmail,
  urls,
} from './fixtures/checkout.ts';
import {
  atOnce,
  cancelAgainstExpiry,
  cancelAgainstPayment,
  confirmAgainstCancel,
  moneyAgainstExpiry,
  notifyHundredTimes,
  refundDuplicates,
  refundTwice,
  wordOf,
} from './order-races.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

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

/** What a buyer is told who asks again, with the same key, while the platform has no time for so many. */
function placedOrNot({ call, path, ofType }: SaleFixture): Promise<TestResponse> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { email: someEmail(), items: [ofType()] };
  return eventually(async () => {
    const response = await call('POST', `${path}/orders`, { headers, body });
    if (response.status === 503 || response.status === 409) throw new Error('undecided');
    return response;
  });
}

describe('at once', () => {
  test('confirmations of a free order register its people once', async () => {
    const shop = await createSale(bus);
    const { id } = await shop.placed();
    const responses = await atOnce(10, () => shop.confirm(id, {}));
    expect(new Set(responses.map(wordOf))).toEqual(new Set(['paid']));
    expect(await shop.registrations()).toHaveLength(1);
    await expectNoFaults();
  });

  test('confirmations with different URLs share one payment page', async () => {
    const shop = await createSale(bus, { priceAmount: 100 });
    const { id } = await shop.placed();
    const responses = await atOnce(10, (n) =>
      shop.confirm(id, { ...urls, successUrl: `https://shop-${n}.example/` }),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.paymentUrl)).size).toBe(1);
  });

  test('a confirmation and a cancellation have one winner', async () => {
    for (let round = 0; round < 8; round++) {
      const shop = await createSale(bus, { capacity: 1 });
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
      const shop = await createSale(bus, { priceAmount: 300 });
      const { id, url } = await awaiting(shop);
      const [, cancelled] = await Promise.all([pay(url), shop.cancel(id)]);
      await expect.poll(async () => (await shop.read(id)).status).not.toBe('awaiting_payment');
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
    const shop = await createSale(bus, { capacity: 10 });
    const responses = await atOnce(60, () => placedOrNot(shop));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(responses.filter(({ status }) => status !== 201).map(wordOf))).toEqual(
      new Set(['SOLD_OUT']),
    );
    await atOnce(10, (n) =>
      shop.confirm(responses.filter(({ status }) => status === 201)[n]?.body.id, {}),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 10, held: 0, remaining: 0 });
    await expectNoFaults();
  });

  test('two orders of one buyer make one registration, and the second seat is given back with its money', async () => {
    const shop = await createSale(bus, { priceAmount: 400, capacity: 2 });
    const email = someEmail();
    const orders = await atOnce(2, () => shop.placed({ email }));
    for (const { id } of orders) {
      await pay((await shop.confirm(id)).body.paymentUrl);
      await expect.poll(async () => (await shop.read(id)).status).not.toBe('awaiting_payment');
    }
    const statuses = await atOnce(2, async (n) => (await shop.read(orders[n]?.id)).status);
    expect(statuses.toSorted()).toEqual(['paid', 'refund_due']);
    expect(await shop.availability()).toMatchObject({ confirmed: 1, held: 0 });
    await expectNoFaults();
  });
});

/** In commerce, whoever has read an order waits before it acts, so that others come in between if they can. */
const slow = 'pause:order.judged';

/** Starts commerce anew with these faults. */
async function restartCommerce(faults: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  await bus.processes.stop('commerce');
  await bus.processes.restart('commerce', { FAULTS: faults.join(), ...env });
}

/** Two copies of commerce: one for what it is asked and told, and one that looks after whatever takes its time. */
async function startBoth(...faults: string[]): Promise<{ stopOther: () => Promise<void> }> {
  await restartCommerce(faults, { REPEAT_EVERY_MS: '600000' });
  const env = { ...impatient, FAULTS: faults.join() };
  await bus.processes.startCopy(bus.specOf('commerce'), 'other commerce', env);
  return { stopOther: () => bus.processes.stop('other commerce') };
}

/** Plays a race again until more comes of it than may come when all is right. Errors: when it does not. */
async function untilWrong(play: () => Promise<string[] | number>, right = 0): Promise<void> {
  for (let turn = 0; turn < 8; turn++) {
    const came = await play();
    if ((typeof came === 'number' ? came : came.length) > right) return;
  }
  throw new Error('nothing went wrong');
}

describe('what decides it', () => {
  test('is the lock of the order when it is refunded many times at once: one is done', async () => {
    expect(await refundTwice(bus)).toBe(1);
    await expectNoFaults();
  });

  test('pays one of many identical refunds that are sent at once', async () => {
    expect(await refundDuplicates(bus)).toBe(1);
    await expectNoFaults();
  });

  test('is the payment when its notification comes a hundred times at once: it counts once', async () => {
    expect(await notifyHundredTimes(bus)).toBe(1);
    await expectNoFaults();
  });

  test('is the lock when orders are confirmed and cancelled, or paid while they expire', async () => {
    await restartCommerce([slow]);
    expect(await confirmAgainstCancel(bus, 16)).toEqual([]);
    expect(await cancelAgainstPayment(bus, 16)).toEqual([]);
    expect(await cancelAgainstExpiry(bus, 16)).toEqual([]);
    const { stopOther } = await startBoth();
    expect(await moneyAgainstExpiry(bus)).toEqual([]);
    await expectNoFaults();
    await stopOther();
  });

  test('would be missed: without them all of this goes wrong', async () => {
    await restartCommerce(['off:order.lock', slow], { REPEAT_EVERY_MS: impatient.REPEAT_EVERY_MS });
    await untilWrong(() => confirmAgainstCancel(bus, 16));
    await untilWrong(() => cancelAgainstPayment(bus, 16));
    await untilWrong(() => refundTwice(bus), 1);
    await untilWrong(() => refundDuplicates(bus), 1);
    await startBoth('off:order.lock');
    await untilWrong(() => moneyAgainstExpiry(bus));
    await bus.database.sql('alter table commerce.settlement drop constraint settlement_payment');
    await untilWrong(() => notifyHundredTimes(bus), 1);
  });
});
