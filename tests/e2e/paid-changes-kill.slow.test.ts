import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  notifyPaid,
  pay,
  urls,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';
import { changeOrder, openType, quoteTypes } from './fixtures/type-changes.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

/** A paid order of two seats for 9000, and a quote that gives the first one a type for 12 000. */
async function prepare(capacity = 1) {
  const shop = await createSaleWithPolicy(bus, {});
  const gold = await openType(shop, { priceAmount: 12_000, capacity });
  const order = await paidOrder(shop, 2);
  const quote = await quoteTypes(shop, order, gold.id, 0);
  const send = (of: Body = quote) => changeOrder(shop, order.id, { quoteId: of.id, ...urls });
  return { shop, gold, order, quote, send };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function awaiting(capacity?: number) {
  const prepared = await prepare(capacity);
  const { body } = await prepared.send();
  return { ...prepared, url: body.paymentUrl as string };
}

const amountsOf = ({ seats }: Body): number[] => seats.map(({ amount }: Body) => amount);

/** The change has happened with its money, or it has not and its money is back or due. */
async function untilSettled({ shop, gold, order }: Prepared): Promise<boolean> {
  return eventually(async () => {
    const { seats, refundDueAmount, refundedAmount, changesAmount } = await shop.read(order.id);
    const isChanged = changesAmount > 0;
    const [amount] = amountsOf({ seats });
    expect(amount).toBe(isChanged ? 12_000 : 9000);
    const { held, confirmed } = await gold.availability();
    expect([held, isChanged || confirmed === 0]).toEqual([0, true]);
    const ofChange = (await readRefunds(bus, shop, order.id)).filter(({ cause }) =>
      ['late', 'surplus', 'mismatch'].includes(cause),
    );
    if (!isChanged) expect(ofChange).toMatchObject([{ amount: 3000 }]);
    expect(refundDueAmount + refundedAmount).toBeGreaterThanOrEqual(isChanged ? 0 : 3000);
    return isChanged;
  });
}

/** The change has happened once, and nothing is to be paid back. */
async function expectChanged({ shop, gold, order, send }: Prepared): Promise<void> {
  await eventually(async () => {
    const present = await shop.read(order.id);
    expect(present).toMatchObject({ changesAmount: 3000, refundDueAmount: 0 });
    expect(amountsOf(present)).toEqual([12_000, 9000]);
    expect(await gold.availability()).toMatchObject({ held: 0, confirmed: 1 });
    expect((await send()).body).toMatchObject({ status: 'done' });
  });
  expect(await readRefunds(bus, shop, order.id)).toEqual([]);
}

test.each([
  ['commerce', 'order.decided'],
  ['commerce', 'order_change.decided'],
  ['registration', 'admission.read'],
  ['registration', 'admission.written'],
  ['commerce', 'order_change.held'],
  ['commerce', 'order_change.attempted'],
  ['commerce', 'order_change.page_created'],
  ['commerce', 'order_change.page_opened'],
])(
  'a change whose page is opened while %s is killed at %s gets one page, and happens once',
  async (processName, step) => {
    const prepared = await prepare();
    await bus.killAt(processName, step, () => prepared.send());
    const present = await prepared.shop.read(prepared.order.id);
    expect(amountsOf(present)).toEqual([9000, 9000]);
    const { body } = await eventually(async () => {
      const response = await prepared.send();
      expect(response.body).toMatchObject({ status: 'awaiting_payment' });
      return response;
    });
    expect((await prepared.send()).body.paymentUrl).toBe(body.paymentUrl);
    await pay(body.paymentUrl);
    await expectChanged(prepared);
  },
  120_000,
);

test.each([
  ['commerce', 'settlement.stored'],
  ['commerce', 'order.decided'],
  ['commerce', 'settlement.processed'],
  ['registration', 'admission.read'],
  ['registration', 'admission.written'],
  ['commerce', 'order_change.responded'],
  ['commerce', 'order_change.stored'],
])(
  'a change that is paid while %s is killed at %s happens once',
  async (processName, step) => {
    const prepared = await awaiting();
    await bus.killAt(processName, step, () => pay(prepared.url));
    await expectChanged(prepared);
  },
  120_000,
);

test.each(['order_change.ended'])(
  'a change that ends while commerce is killed at %s frees its seats',
  async (step) => {
    const prepared = await awaiting();
    await bus.killAt('commerce', step, () => expireChange(prepared.quote));
    await eventually(async () =>
      expect(await prepared.gold.availability()).toMatchObject({ held: 0, remaining: 1 }),
    );
    expect(amountsOf(await prepared.shop.read(prepared.order.id))).toEqual([9000, 9000]);
  },
  120_000,
);

/** The time of the hold and of the page is over. */
async function expireChange({ id }: Body): Promise<void> {
  await bus.database.sql(
    'update registration.seat_reservation set expires_at = clock_timestamp() where id = $1',
    [id],
  );
  await bus.database.sql(
    `update commerce.order_change set expires_at = clock_timestamp(), last_attempt_at = '-infinity' where id = $1`,
    [id],
  );
}

describe('the payment of a change at the same time as', () => {
  const rounds = 4;
  type Awaiting = Awaited<ReturnType<typeof awaiting>>;

  test.each<[string, (of: Awaiting) => Promise<unknown>]>([
    ['the end of its time', ({ quote }) => expireChange(quote)],
    [
      'the cancellation of its seat',
      ({ shop, order }) => {
        const path = `${shop.path}/registrations/${order.seats[0].registrationId}/cancel`;
        return expectStatus(shop.call, ['POST', path]);
      },
    ],
    [
      'the cancellation of its event',
      async ({ shop }) => {
        const preview = await command(bus, shop, previewEventCancel, { refund: 'none' });
        const { expectedVersion } = preview;
        await command(bus, shop, cancelEvent, { refund: 'none', expectedVersion });
      },
    ],
    [
      'another change of its order',
      async ({ shop, order, gold, send }) => send(await quoteTypes(shop, order, gold.id, 1)),
    ],
  ])(
    '%s changes the seat, or its money is back',
    async (_, other) => {
      for (let round = 0; round < rounds; round++) {
        const prepared = await awaiting(2);
        await Promise.allSettled([notifyPaid(bus, prepared.url), other(prepared)]);
        // The second change of the order holds its seat until its time is over.
        for (const each of await awaitingOf(prepared.order)) await expireChange(each);
        await untilSettled(prepared);
      }
    },
    120_000,
  );

  const awaitingOf = ({ id }: Body) =>
    bus.database.sql<{ id: string }>(
      `select id from commerce.order_change where order_id = $1 and state = 'awaiting_payment'`,
      [id],
    );

  test('itself is taken once', async () => {
    for (let round = 0; round < rounds; round++) {
      const prepared = await awaiting();
      await Promise.all(Array.from({ length: 6 }, () => notifyPaid(bus, prepared.url)));
      await expectChanged(prepared);
    }
  });
});
