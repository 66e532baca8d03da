import { randomUUID } from 'node:crypto';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  fastRetries,
  pay,
  randomEmail,
  type SaleFixture,
  urls,
} from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';
import {
  cancelAgainstExpiry,
  cancelAgainstPayment,
  cancelAgainstRefund,
  changeAgainst,
  competitors,
  concurrently,
  confirmAgainstCancel,
  notifyHundredTimes,
  outcomeOf,
  paymentAgainstExpiry,
  refundDuplicates,
  refundSeatTwice,
  refundTwice,
} from './order-races.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

/** Expects that all orders are finished and consistent. */
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
  await expectConsistentCheckout(bus);
}

/**
 * Places an order and retries it with the same key after 409 and 503, which occur while the
 * platform is overloaded.
 */
function placeUntilDecided({ call, path, ofType }: SaleFixture): Promise<TestResponse> {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { email: randomEmail(), items: [ofType()] };
  return eventually(async () => {
    const response = await call('POST', `${path}/orders`, { headers, body });
    if (response.status === 503 || response.status === 409) throw new Error('undecided');
    return response;
  });
}

describe('concurrent', () => {
  test('confirmations of a free order register its attendees once', async () => {
    const shop = await createSale(bus);
    const { id } = await shop.placed();
    const responses = await concurrently(10, () => untilDecided(() => shop.confirm(id, {})));
    expect(new Set(responses.map(outcomeOf))).toEqual(new Set(['paid']));
    expect(await shop.registrations()).toHaveLength(1);
    await expectNoFaults();
  });

  test('confirmations with different URLs share one payment page', async () => {
    const shop = await createSale(bus, { priceAmount: 100 });
    const { id } = await shop.placed();
    const responses = await concurrently(10, (n) =>
      untilDecided(() => shop.confirm(id, { ...urls, successUrl: `https://shop-${n}.example/` })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.paymentUrl)).size).toBe(1);
  });

  test('confirmation and cancellation of a free order leave it cancelled', async () => {
    for (let round = 0; round < 8; round++) {
      const shop = await createSale(bus, { capacity: 1 });
      const { id } = await shop.placed();
      const [confirmed, cancelled] = await Promise.all([
        untilDecided(() => shop.confirm(id, {})),
        untilDecided(() => shop.cancel(id)),
      ]);
      const won = [outcomeOf(confirmed), outcomeOf(cancelled)].join();
      expect(['paid,cancelled', 'ORDER_CLOSED,cancelled']).toContain(won);
      expect((await shop.read(id)).status).toBe('cancelled');
      expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 0 });
    }
    await expectNoFaults();
  });

  test('settlement and cancellation of an order have one winner, and no money is lost', async () => {
    for (let round = 0; round < 8; round++) {
      const shop = await createSale(bus, { priceAmount: 300 });
      const { id, url } = await createAwaitingPayment(shop);
      const [, cancelled] = await Promise.all([pay(url), untilDecided(() => shop.cancel(id))]);
      await expect.poll(async () => (await shop.read(id)).status).not.toBe('awaiting_payment');
      const { status, paidAt, cancelledAt } = await shop.read(id);
      expect(['paid', 'refund_due', 'cancelled']).toContain(status);
      // The loser leaves no trace.
      const isPaid = status === 'paid';
      expect([isPaid, !isPaid]).toEqual([paidAt !== null, cancelledAt !== null]);
      if (isPaid) expect(outcomeOf(cancelled)).toBe('ALREADY_PAID');
    }
    await expectNoFaults();
  });

  test('orders for the last seats sell exactly the remaining seats', async () => {
    const shop = await createSale(bus, { capacity: 10 });
    const responses = await concurrently(60, () => placeUntilDecided(shop));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(responses.filter(({ status }) => status !== 201).map(outcomeOf))).toEqual(
      new Set(['SOLD_OUT']),
    );
    await concurrently(10, (n) =>
      shop.confirm(responses.filter(({ status }) => status === 201)[n]?.body.id, {}),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 10, held: 0, remaining: 0 });
    await expectNoFaults();
  });

  test('orders of one buyer create one registration, and the second payment is refunded with its seat released', async () => {
    const shop = await createSale(bus, { priceAmount: 400, capacity: 2 });
    const email = randomEmail();
    const orders = await concurrently(2, () => shop.placed({ email }));
    const pages = await Promise.all(orders.map(({ id }) => shop.confirm(id)));
    // Both at once: as soon as one is fulfilled, the page of the other one is closed.
    await Promise.all(pages.map(({ body }) => pay(body.paymentUrl)));
    for (const { id } of orders) {
      await expect.poll(async () => (await shop.read(id)).status).not.toBe('awaiting_payment');
    }
    const statuses = await concurrently(2, async (n) => (await shop.read(orders[n]?.id)).status);
    expect(statuses.toSorted()).toEqual(['paid', 'refund_due']);
    expect(await shop.availability()).toMatchObject({ confirmed: 1, held: 0 });
    await expectNoFaults();
  });
});

/**
 * Commerce pauses between reading an order and acting on it, so that concurrent requests can
 * interfere.
 */
const slow = 'pause:order.decided';

/** Restarts commerce with these switches. */
async function restartCommerce(switches: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  await bus.processes.stop('commerce');
  await bus.processes.restart('commerce', { TEST_SWITCHES: switches.join(), ...env });
}

/** Starts two replicas of commerce: one serves requests, the other runs the sweep. */
async function startTwoReplicas(
  ...switches: string[]
): Promise<{ stopOther: () => Promise<void> }> {
  await restartCommerce(switches, { RETRY_INTERVAL_MS: '600000' });
  const env = { ...fastRetries, TEST_SWITCHES: switches.join() };
  await bus.processes.startCopy(bus.specOf('commerce'), 'other commerce', env);
  return { stopOther: () => bus.processes.stop('other commerce') };
}

/**
 * Repeats a race until it produces more than `right` violations. Errors: none after 30 attempts. A
 * busy machine needs more of them, because requests overlap less.
 */
async function untilViolation(play: () => Promise<string[] | number>, right = 0): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    const came = await play();
    if ((typeof came === 'number' ? came : came.length) > right) return;
  }
  throw new Error('the race produced no violation');
}

describe('guards of concurrent requests', () => {
  test('let one of many concurrent refunds succeed', async () => {
    expect(await refundTwice(bus)).toBe(1);
    await expectNoFaults();
  });

  test('let one of many identical refunds succeed', async () => {
    expect(await refundDuplicates(bus)).toBe(1);
    await expectNoFaults();
  });

  test('refund and cancel a registration once', async () => {
    expect(await refundSeatTwice(bus)).toEqual([1, 1000]);
    await expectNoFaults();
  });

  test('refund a registration once that is cancelled while an operator refunds it', async () => {
    expect(await cancelAgainstRefund(bus, 16)).toEqual([]);
    await expectNoFaults();
  });

  test.each(Object.keys(competitors) as (keyof typeof competitors)[])(
    'execute a quote against %s, and the seat is paid back once',
    async (competitor) => {
      await restartCommerce([slow]);
      expect(await changeAgainst(bus, competitor, 12)).toEqual([]);
      await expectNoFaults();
      await restartCommerce([]);
    },
  );

  test('count a payment once when it is notified a hundred times concurrently', async () => {
    expect(await notifyHundredTimes(bus)).toBe(1);
    await expectNoFaults();
  });

  test('serialize confirmation, cancellation, payment and expiry of an order', async () => {
    await restartCommerce([slow]);
    expect(await confirmAgainstCancel(bus, 16)).toEqual([]);
    expect(await cancelAgainstPayment(bus, 16)).toEqual([]);
    expect(await cancelAgainstExpiry(bus, 16)).toEqual([]);
    const { stopOther } = await startTwoReplicas();
    expect(await paymentAgainstExpiry(bus)).toEqual([]);
    await expectNoFaults();
    await stopOther();
  });

  test('are necessary: each race produces violations without them', async () => {
    await restartCommerce(['off:order.lock', slow], {
      RETRY_INTERVAL_MS: fastRetries.RETRY_INTERVAL_MS,
    });
    await untilViolation(() => cancelAgainstPayment(bus, 16));
    await untilViolation(() => cancelAgainstRefund(bus, 16));
    await untilViolation(() => changeAgainst(bus, 'a refund by an operator', 12));
    await untilViolation(() => refundTwice(bus), 1);
    await untilViolation(() => refundDuplicates(bus), 1);
    await restartCommerce(['off:order.lock', 'off:cancelled_seat.once', slow], {
      RETRY_INTERVAL_MS: fastRetries.RETRY_INTERVAL_MS,
    });
    await untilViolation(() => changeAgainst(bus, 'another quote of the seat', 12));
    await untilViolation(() => changeAgainst(bus, 'the cancellation of its registration', 12));
    await startTwoReplicas('off:order.lock');
    await untilViolation(() => paymentAgainstExpiry(bus));
    await bus.database.sql('alter table commerce.settlement drop constraint settlement_payment');
    await untilViolation(() => notifyHundredTimes(bus), 1);
  });
});
