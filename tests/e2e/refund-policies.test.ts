import { createAddon } from '@event-api/contracts/http/addons';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { listRefunds, refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { bands, createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const saleWithPolicy = (policy: object, startsInDays?: number) =>
  createSaleWithPolicy(bus, policy, startsInDays);
const refundsOf = (shop: SaleFixture, orderId: string) => readRefunds(bus, shop, orderId);

const cancelSeat = (shop: SaleFixture, id: string) =>
  expectStatus(shop.call, ['POST', `${shop.path}/registrations/${id}/cancel`]);

/** The order once so many of its seats are cancelled and decided, and no refund is on its way. */
const untilDecided = (shop: SaleFixture, orderId: string, count: number): Promise<Body> =>
  eventually(async () => {
    const { cancelledSeats } = await shop.read(orderId);
    if (cancelledSeats.length < count) throw new Error('undecided');
    const { refunds } = await command(bus, shop, listRefunds, { state: 'pending' });
    if (refunds.length > 0) throw new Error('on its way');
    return shop.read(orderId);
  });

const transfer = (shop: SaleFixture, id: string, body: object) =>
  expectStatus(shop.call, ['PATCH', `${shop.path}/registrations/${id}`, body]);

/** Every way in which the registration of a paid seat ends. */
const paths: [string, (shop: SaleFixture, id: string, orderId: string) => Promise<unknown>][] = [
  ['the cancellation of its registration', cancelSeat],
  [
    'a cancellation that is sent twice',
    async (shop, id) => [await cancelSeat(shop, id), await cancelSeat(shop, id)],
  ],
  [
    'the cancellation after another person got the seat',
    async (shop, id) => {
      await transfer(shop, id, { email: randomEmail() });
      await cancelSeat(shop, id);
    },
  ],
  [
    'the cancellation after a change to a cheaper ticket type',
    async (shop, id) => {
      const body = { name: 'Student', priceAmount: 100 };
      const type = await expectStatus(shop.call, ['POST', `${shop.path}/ticket-types`, body]);
      await expectStatus(shop.call, [
        'PATCH',
        `${shop.path}/ticket-types/${type.id}`,
        { status: 'open' },
      ]);
      await transfer(shop, id, { registrationTypeId: type.id });
      await cancelSeat(shop, id);
    },
  ],
];

describe('a paid seat that is cancelled', () => {
  test.each(paths)('by %s is due by the policy of the order', async (_, cancel) => {
    const shop = await saleWithPolicy({});
    const order = await paidOrder(shop);
    const [id] = order.registrationIds;
    expect(order).toMatchObject({ refundPolicy: { automatic: false }, cancelledSeats: [] });
    await cancel(shop, id, order.id);
    const after = await untilDecided(shop, order.id, 1);
    const amounts = { paidAmount: 9000, refundAmount: 6700, keptAmount: 2300, feeAmount: 500 };
    expect(after).toMatchObject({
      ...{ status: 'paid', refundDueAmount: 6700, refundedAmount: 0 },
      cancelledSeats: [{ registrationId: id, ...amounts, band: 0, reason: 'band' }],
    });
    const seats = order.registrationIds.map((registrationId: string, n: number) => ({
      ...{ registrationId, itemIndex: 0, amount: 9000 },
      status: n === 0 ? 'cancelled' : 'assigned',
    }));
    expect(after.seats).toMatchObject(seats);
    const due = { amount: 6700, cause: 'refund_policy', registrationIds: [id] };
    expect(await refundsOf(shop, order.id)).toEqual([{ ...due, state: 'due' }]);
    await command(bus, shop, refundOrder, { orderId: order.id, onlyDue: true });
    expect(await refundsOf(shop, order.id)).toEqual([{ ...due, state: 'done' }]);
    expect(await shop.read(order.id)).toMatchObject({ status: 'paid', refundedAmount: 6700 });
  });

  test.each(paths)('by %s is refunded at once by an automatic policy', async (_, cancel) => {
    const shop = await saleWithPolicy({ automatic: true }, 7);
    const order = await paidOrder(shop);
    await cancel(shop, order.registrationIds[1], order.id);
    const after = await untilDecided(shop, order.id, 1);
    expect(after).toMatchObject({
      ...{ status: 'paid', refundDueAmount: 0, refundedAmount: 4500 },
      cancelledSeats: [{ refundAmount: 4500, keptAmount: 4500, feeAmount: 0, band: 1 }],
    });
    expect(await refundsOf(shop, order.id)).toMatchObject([{ amount: 4500, state: 'done' }]);
  });

  test('by an operator who refunds its price gets nothing more', async () => {
    const shop = await saleWithPolicy({ automatic: true });
    const order = await paidOrder(shop);
    const [one] = order.registrationIds;
    await command(bus, shop, refundOrder, { orderId: order.id, registrationIds: [one] });
    const after = await untilDecided(shop, order.id, 1);
    expect(after).toMatchObject({
      ...{ refundedAmount: 9000, refundDueAmount: 0 },
      cancelledSeats: [{ registrationId: one, refundAmount: 0, reason: 'settled', band: null }],
    });
    await command(bus, shop, refundOrder, { orderId: order.id, all: true });
    const all = await untilDecided(shop, order.id, 3);
    expect(all).toMatchObject({ status: 'refunded', refundedAmount: 27_000, refundDueAmount: 0 });
    expect(all.cancelledSeats.map(({ reason }: Body) => reason)).toEqual(Array(3).fill('settled'));
  });

  test('leaves what was kept to an operator, who refunds it once', async () => {
    const shop = await saleWithPolicy({});
    const order = await paidOrder(shop, 2);
    const [one] = order.registrationIds;
    await cancelSeat(shop, one);
    await untilDecided(shop, order.id, 1);
    await command(bus, shop, refundOrder, { orderId: order.id, registrationIds: [one] });
    expect((await refundsOf(shop, order.id)).map(({ amount }) => amount).toSorted()).toEqual([
      2300, 6700,
    ]);
    expect(await shop.read(order.id)).toMatchObject({ status: 'paid', refundedAmount: 9000 });
  });

  test('gets what it gets together with the others, and the order ends with the last one', async () => {
    const shop = await saleWithPolicy({
      automatic: true,
      bands: [{ daysBeforeStart: 0, percent: 100 }],
    });
    const order = await paidOrder(shop);
    for (const id of order.registrationIds) await cancelSeat(shop, id);
    await untilDecided(shop, order.id, 3);
    expect(await shop.until(order.id, 'refunded')).toMatchObject({ refundedAmount: 27_000 });
    expect(await shop.availability()).toMatchObject({ confirmed: 0 });
  });

  test('gets nothing after the last band, and the order says so', async () => {
    const shop = await saleWithPolicy({}, 2);
    const order = await paidOrder(shop);
    await cancelSeat(shop, order.registrationIds[0]);
    expect(await untilDecided(shop, order.id, 1)).toMatchObject({
      refundDueAmount: 0,
      cancelledSeats: [{ refundAmount: 0, keptAmount: 9000, band: null, reason: 'too_late' }],
    });
    expect(await refundsOf(shop, order.id)).toEqual([]);
  });

  test('gets its add-ons back by the same band, and another order for add-ons stays', async () => {
    const shop = await saleWithPolicy({ automatic: true });
    const path = createAddon.url.replace(':eventId', shop.eventId);
    const addon = await expectStatus(shop.call, [
      'POST',
      path,
      { name: 'Tour', priceAmount: 1000 },
    ]);
    await expectStatus(shop.call, ['PATCH', `${path}/${addon.id}`, { status: 'open' }]);
    const email = randomEmail();
    const tour = { itemType: 'addon', itemId: addon.id, quantity: 1 };
    const order = await paidOrder(shop, 1, {
      email,
      items: [shop.ofType({ attendees: [{ email }] }), tour],
    });
    const more = await shop.placed({ email, items: [tour] });
    await pay((await shop.confirm(more.id)).body.paymentUrl);
    await shop.until(more.id, 'paid');
    await cancelSeat(shop, order.registrationIds[0]);
    const after = await untilDecided(shop, order.id, 1);
    expect(after.cancelledSeats).toMatchObject([
      { paidAmount: 10_000, refundAmount: 6700 + 800, feeAmount: 500 },
    ]);
    expect(await shop.read(more.id)).toMatchObject({
      ...{ status: 'paid', cancelledSeats: [], refundDueAmount: 0, refundedAmount: 0 },
    });
  });
});

describe('the policy of an order', () => {
  test('is the one with which it was placed', async () => {
    const shop = await saleWithPolicy({});
    const before = await paidOrder(shop, 1);
    const none = { text: 'Nothing', bands: [{ daysBeforeStart: 14, percent: 0 }] };
    await command(bus, shop, setRefundPolicy, none);
    const after = await paidOrder(shop, 1);
    for (const order of [before, after]) await cancelSeat(shop, order.registrationIds[0]);
    const orders = [before, after].map(({ id }) => untilDecided(shop, id, 1));
    const [kept, changed] = await Promise.all(orders);
    expect(kept).toMatchObject({ refundPolicy: { text: 'Bands' }, refundDueAmount: 6700 });
    expect(changed).toMatchObject({ refundPolicy: { text: 'Nothing' }, refundDueAmount: 0 });
  });

  test('is one that was valid while it was placed, when the policy changes meanwhile', async () => {
    const shop = await saleWithPolicy({});
    const change = (percent: number) =>
      command(bus, shop, setRefundPolicy, {
        text: 'Changing',
        bands: [{ daysBeforeStart: 1, percent }],
      });
    const percentOf = ({ refundPolicy }: Body) => refundPolicy.bands[0].percent;
    await change(10);
    const orders: { order: Body; percent: number }[] = [];
    for (let percent = 11; percent <= 16; percent++) {
      const [during] = await Promise.all([shop.placed(), change(percent)]);
      expect([percent - 1, percent]).toContain(percentOf(during));
      const after = await shop.placed();
      expect(percentOf(after)).toBe(percent);
      orders.push({ order: during, percent: percentOf(during) }, { order: after, percent });
    }
    const { order, percent } = orders[0] as (typeof orders)[0];
    await pay((await shop.confirm(order.id)).body.paymentUrl);
    const { registrationIds } = await shop.until(order.id, 'paid');
    await Promise.all([cancelSeat(shop, registrationIds[0]), change(99)]);
    const { cancelledSeats } = await untilDecided(shop, order.id, 1);
    expect(cancelledSeats[0].refundAmount).toBe(percent * 100);
    for (const { order: each, percent: own } of orders) {
      expect(percentOf(await shop.read(each.id))).toBe(own);
    }
  });

  test('is none before the event has one, and a text alone decides nothing', async () => {
    const shop = await createSale(bus, { priceAmount: 10_000, capacity: 20 });
    const without = await paidOrder(shop, 1);
    await command(bus, shop, setRefundPolicy, { text: 'Ask us' });
    const withText = await paidOrder(shop, 1);
    await command(bus, shop, setRefundPolicy, { text: 'Bands', bands });
    const withBands = await paidOrder(shop, 1);
    for (const order of [without, withText, withBands]) {
      await cancelSeat(shop, order.registrationIds[0]);
    }
    // The seats are decided in turn: those before it would be there.
    await untilDecided(shop, withBands.id, 1);
    expect(await shop.read(without.id)).toMatchObject({ refundPolicy: null, cancelledSeats: [] });
    expect(await shop.read(withText.id)).toMatchObject({
      ...{ refundPolicy: { text: 'Ask us', bands: [] }, cancelledSeats: [], refundDueAmount: 0 },
    });
  });

  test('is told to the feed as a change of refunds', async () => {
    const shop = await saleWithPolicy({});
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const order = await paidOrder(shop, 1);
    await cancelSeat(shop, order.registrationIds[0]);
    await untilDecided(shop, order.id, 1);
    await eventually(async () => {
      const { changes } = await expectStatus(shop.call, ['GET', `/v1/changes?after=${cursor}`]);
      const told = changes
        .filter(({ object }: Body) => object.id === order.id)
        .map(({ type }: Body) => type);
      // The feed follows the order.
      expect(told.slice(told.indexOf('order.paid'))).toEqual([
        'order.paid',
        'order.refund_changed',
      ]);
    });
  });
});
