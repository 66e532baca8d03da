import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';
import { changeOrder, openType, quoteTypes } from './fixtures/type-changes.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

/** A paid order of two seats, a type for less, and a quote that gives it to both. */
async function prepare() {
  const shop = await createSaleWithPolicy(bus, { automatic: true });
  const day = await openType(shop, { priceAmount: 4000, capacity: 2 });
  const order = await paidOrder(shop, 2);
  return { shop, day, order, quote: await quoteTypes(shop, order, day.id, 0, 1) };
}

const stateOf = async ({ id }: Body): Promise<string> => {
  const [row] = await bus.database.sql<{ state: string }>(
    'select state from commerce.order_change where id = $1',
    [id],
  );
  return row?.state ?? '';
};

/** Expects that all of a change has happened, or that nothing has. */
async function expectChanged(
  { shop, day, order, quote }: Awaited<ReturnType<typeof prepare>>,
  isChanged: boolean,
): Promise<void> {
  const [typeId, amount] = isChanged ? [day.id, 4000] : [shop.typeId, 9000];
  await eventually(async () => {
    expect(await stateOf(quote)).toBe(isChanged ? 'done' : 'quoted');
    const { seats, refundedAmount, refundDueAmount } = await shop.read(order.id);
    expect(seats.map((seat: Body) => [seat.ticketTypeId, seat.amount])).toEqual([
      [typeId, amount],
      [typeId, amount],
    ]);
    expect([refundedAmount, refundDueAmount]).toEqual([isChanged ? 8000 : 0, 0]);
  });
  expect(await readRefunds(bus, shop, order.id)).toHaveLength(isChanged ? 2 : 0);
  for (const { registrationId } of order.seats) {
    const path = `${shop.path}/registrations/${registrationId}`;
    expect(await expectStatus(shop.call, ['GET', path])).toMatchObject({
      ...{ status: 'confirmed', registrationTypeId: typeId },
    });
  }
  const confirmed = async (of: Body) => (await of.availability()).confirmed;
  expect([await confirmed(shop), await confirmed(day)]).toEqual(isChanged ? [0, 2] : [2, 0]);
}

test.each<[processName: string, step: string, isChanged: boolean]>([
  ['commerce', 'order.decided', false],
  ['commerce', 'order_change.decided', true],
  ['registration', 'admission.read', true],
  ['registration', 'admission.written', true],
  ['registration', 'outbox.committed', true],
  ['commerce', 'order_change.responded', true],
  ['commerce', 'order_change.stored', true],
  ['commerce', 'order_change.done', true],
  ['commerce', 'refund.responded', true],
])(
  'a change of types during which %s is killed at %s happens once, or not at all',
  async (processName, step, isChanged) => {
    const prepared = await prepare();
    const { shop, order, quote } = prepared;
    const send = () => changeOrder(shop, order.id, { quoteId: quote.id });
    await bus.killAt(processName, step, send);
    // Nobody repeats the request: the order shows what has happened.
    await expectChanged(prepared, isChanged);
    expect((await send()).body).toMatchObject({ status: 'done' });
    await expectChanged(prepared, true);
  },
  120_000,
);

test.each([
  ['commerce', 'order_change.decided'],
  ['registration', 'admission.written'],
  ['commerce', 'order_change.responded'],
  ['commerce', 'order_change.stored'],
])(
  'a dearer type that another seat of the change pays, during which %s is killed at %s, is given and paid once',
  async (processName, step) => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const [day, gold] = [
      await openType(shop, { priceAmount: 4000 }),
      await openType(shop, { priceAmount: 12_000 }),
    ];
    const order = await paidOrder(shop, 2);
    const changeTypes = [gold, day].map(({ id: ticketTypeId }, n) => ({
      ...{ seatId: order.seats[n].id, ticketTypeId },
    }));
    const { quote } = (await changeOrder(shop, order.id, { dryRun: true, changeTypes })).body;
    const send = () => changeOrder(shop, order.id, { quoteId: quote.id });
    await bus.killAt(processName, step, send);
    await eventually(async () => {
      expect(await stateOf(quote)).toBe('done');
      const { seats, refundedAmount } = await shop.read(order.id);
      expect(seats.map(({ amount }: Body) => amount)).toEqual([12_000, 4000]);
      // 80 % of the 2000 that the dearer type leaves of the difference.
      expect(refundedAmount).toBe(1600);
    });
    expect((await send()).body).toMatchObject({ status: 'done', quote });
    expect(await amountsOf({ shop, order })).toEqual([1600]);
  },
  120_000,
);

test.each(['order_change.decided', 'order_change.responded'])(
  'a change that registration refuses ends without an effect when commerce is killed at %s',
  async (step) => {
    const prepared = await prepare();
    const { shop, day, order, quote } = prepared;
    const items = [shop.ofType({ itemId: day.id })];
    const { id } = await shop.placed({ items });
    const send = () => changeOrder(shop, order.id, { quoteId: quote.id });
    await bus.killAt('commerce', step, send);
    await eventually(async () => expect(await stateOf(quote)).toBe('quoted'));
    // A seat that becomes free does not revive it.
    await shop.cancel(id);
    expect((await send()).body.error.details).toMatchObject([{ reason: 'QUOTE_EXPIRED' }]);
    await expectChanged(prepared, false);
  },
  120_000,
);

/** Kills commerce at a step of a change, and stops the sweep until `go`. */
async function stopAt(step: string) {
  const prepared = await prepare();
  const { shop, order, quote } = prepared;
  const retryAt = (at: string) =>
    bus.database.sql('update commerce.order_change set last_attempt_at = $2 where id = $1', [
      quote.id,
      at,
    ]);
  await bus.killAt('commerce', step, async () => {
    await changeOrder(shop, order.id, { quoteId: quote.id }).catch(() => {});
    await retryAt('infinity');
  });
  expect(await stateOf(quote)).toBe('moving');
  return { ...prepared, go: () => retryAt('-infinity') };
}

const cancelFirst = ({ shop, order }: { shop: SaleFixture; order: Body }) =>
  expectStatus(shop.call, [
    'POST',
    `${shop.path}/registrations/${order.seats[0].registrationId}/cancel`,
  ]);

/** Sells and cancels a seat elsewhere: the sweep takes the oldest first, so it has passed the others. */
async function untilSwept(): Promise<void> {
  const shop = await createSaleWithPolicy(bus, {});
  const order = await paidOrder(shop, 1);
  await cancelFirst({ shop, order });
  await eventually(async () =>
    expect(await readRefunds(bus, shop, order.id)).toMatchObject([{ amount: 6700 }]),
  );
}

const amountsOf = async ({ shop, order }: { shop: SaleFixture; order: Body }) =>
  (await readRefunds(bus, shop, order.id)).map(({ amount }) => amount).toSorted((a, b) => a - b);

test('an operator and another quote wait for a change whose seats are moved', async () => {
  const stopped = await stopAt('order_change.responded');
  const { shop, order, go } = stopped;
  const refund = { orderId: order.id, registrationIds: [order.seats[0].registrationId] };
  await expect(command(bus, shop, refundOrder, refund)).rejects.toThrow('ORDER_BUSY');
  const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
  const { details } = (await changeOrder(shop, order.id, body)).body.error;
  expect(details).toMatchObject([{ reason: 'ORDER_BUSY' }]);
  await go();
  await expectChanged(stopped, true);
  await command(bus, shop, refundOrder, refund);
  expect(await amountsOf(stopped)).toEqual([4000, 4000, 4000]);
}, 120_000);

test('a seat that is cancelled after its move gets what the policy gives of its new price', async () => {
  const stopped = await stopAt('order_change.responded');
  const { shop, order, go } = stopped;
  await cancelFirst(stopped);
  await untilSwept();
  expect(await amountsOf(stopped)).toEqual([]);
  await go();
  await eventually(async () => expect(await amountsOf(stopped)).toEqual([2700, 4000, 4000]));
  expect(await shop.read(order.id)).toMatchObject({
    cancelledSeats: [{ paidAmount: 4000, refundAmount: 2700 }],
  });
}, 120_000);

test('a seat that is cancelled before its move gets nothing of the change', async () => {
  const stopped = await stopAt('order_change.decided');
  const { shop, order, quote, go } = stopped;
  await cancelFirst(stopped);
  await untilSwept();
  expect(await amountsOf(stopped)).toEqual([]);
  await go();
  await eventually(async () => expect(await amountsOf(stopped)).toEqual([6700]));
  expect(await stateOf(quote)).toBe('quoted');
  expect((await shop.read(order.id)).seats).toMatchObject([
    { status: 'cancelled', amount: 9000 },
    { status: 'assigned', amount: 9000, ticketTypeId: shop.typeId },
  ]);
}, 120_000);

test.each([
  ['order_change.decided', [18_000]],
  ['order_change.responded', [4000, 4000, 8000]],
])(
  'the cancellation of its event waits for a change at %s',
  async (step, amounts) => {
    const stopped = await stopAt(step);
    const { shop, go } = stopped;
    const preview = await command(bus, shop, previewEventCancel, { refund: 'full' });
    const { expectedVersion } = preview;
    await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    await eventually(async () => expect(await shop.availability()).toMatchObject({ confirmed: 0 }));
    await untilSwept();
    expect(await amountsOf(stopped)).toEqual([]);
    await go();
    await eventually(async () => expect(await amountsOf(stopped)).toEqual(amounts));
  },
  120_000,
);
