import { randomUUID } from 'node:crypto';
import { createAddon } from '@event-api/contracts/http/addons';
import { setForm } from '@event-api/contracts/operator/forms';
import {
  exportLedger,
  listLedgerDigests,
  readTrialBalance,
} from '@event-api/contracts/operator/ledger';
import { updateOrder } from '@event-api/contracts/operator/orders';
import { findOrders } from '@event-api/contracts/operator/persons';
import { resyncProjections } from '@event-api/contracts/operator/projections';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import {
  listRefunds,
  reconcileCommerce,
  refundOrder,
  summarizeRefunds,
} from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
import { summarizeSales } from '@event-api/contracts/operator/sales';
import { eventually } from '@event-api/platform/testing/eventually';
import type { CallOptions } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  expireHold,
  notify,
  pay,
  randomEmail,
  type SaleFixture,
  urls,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const reasonOf = ({ status, body }: { status: number; body: Body }) => [
  status,
  body.error?.details?.[0]?.reason ?? body.error?.details?.[0]?.field ?? null,
];

async function openAddon(shop: Awaited<ReturnType<typeof createSale>>, fields: object = {}) {
  const path = createAddon.url.replace(':eventId', shop.eventId);
  const addon = await expectStatus(shop.call, [
    'POST',
    path,
    { name: 'Lunch', priceAmount: 500, ...fields },
  ]);
  await expectStatus(shop.call, ['PATCH', `${path}/${addon.id}`, { status: 'open' }]);
  return addon;
}

describe('the buyer of an order', () => {
  test('is corrected at any time, and the order is fulfilled as it was placed', async () => {
    const shop = await createSale(bus, { priceAmount: 1250 });
    const addon = await openAddon(shop);
    const [typed, right] = [randomEmail(), randomEmail()];
    const order = await shop.placed({
      email: typed,
      items: [shop.ofType(), { itemType: 'addon', itemId: addon.id, quantity: 1 }],
    });
    const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
    const update = (fields: object) =>
      bus.operator.call(updateOrder, { ...scope, orderId: order.id, ...fields });
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    expect(await update({ email: right, name: 'Ada' })).toMatchObject({
      ...{ id: order.id, status: 'held', email: right, name: 'Ada', totalAmount: 1750 },
    });
    await update({ email: right });
    expect(await update({ name: null })).toMatchObject({ email: right, name: null });
    await eventually(async () => {
      const { changes } = await expectStatus(shop.call, ['GET', `/v1/changes?after=${cursor}`]);
      // The feed can be behind, so what was created before may come after the cursor.
      const told = changes.filter(
        ({ type, object }: Body) => object.id === order.id && type !== 'order.created',
      );
      expect(told.map(({ type, object }: Body) => `${type} ${object.id}`)).toEqual([
        `order.updated ${order.id}`,
        `order.updated ${order.id}`,
      ]);
    });
    expect(await pay((await shop.confirm(order.id)).body.paymentUrl)).toBe(200);
    const paid = await shop.until(order.id, 'paid');
    // The add-on has the registration of the person who bought it.
    expect(paid).toMatchObject({ email: right, refundDueAmount: 0 });
    expect(paid.items[1].registrationIds).toEqual(paid.items[0].registrationIds);
    expect(await shop.registrations()).toMatchObject([{ email: typed, status: 'confirmed' }]);
    for (const [email, ids] of [
      [typed, []],
      [right, [order.id]],
    ] as const) {
      const { orders } = await bus.operator.call(findOrders, { ...scope, email });
      expect(orders.map(({ id }) => id)).toEqual(ids);
    }
  });

  test('of add-ons alone stays the registered person who has placed it', async () => {
    const shop = await createSale(bus);
    const addon = await openAddon(shop);
    const email = randomEmail();
    const body = { email, registrationTypeId: shop.typeId };
    const registrations = `${shop.path}/registrations`;
    const { registration } = await expectStatus(shop.call, ['POST', registrations, body]);
    const { id: orderId } = await shop.placed({
      email,
      items: [{ itemType: 'addon', itemId: addon.id }],
    });
    const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
    // Two corrections: the first email stays the one that registration knows.
    for (const corrected of [randomEmail(), randomEmail()]) {
      await bus.operator.call(updateOrder, { ...scope, orderId, email: corrected });
    }
    expect(await pay((await shop.confirm(orderId)).body.paymentUrl)).toBe(200);
    const [item] = (await shop.until(orderId, 'paid')).items;
    expect(item.registrationIds).toEqual([registration.id]);
  });

  test('of another business unit or event is not found, and a wrong email names the field', async () => {
    const [shop, other] = [await createSale(bus), await createSale(bus)];
    const { id: orderId } = await shop.placed();
    const attempt = (businessUnitId: string, eventId: string, fields: object) =>
      bus.operator
        .call(updateOrder, { businessUnitId, eventId, orderId, ...fields })
        .then(() => 'done', String);
    const name = { name: 'Mallory' };
    expect(await attempt(other.unitId, other.eventId, name)).toContain('NOT_FOUND');
    expect(await attempt(shop.unitId, other.eventId, name)).toContain('NOT_FOUND');
    expect(await attempt(shop.unitId, shop.eventId, { email: 'nobody' })).toContain('email');
    expect(
      (await expectStatus(shop.call, ['GET', `${shop.path}/orders/${orderId}`])).name,
    ).toBeNull();
  });
});

describe('a free order', () => {
  test('holds its seats, and its confirmation registers the attendees once', async () => {
    const shop = await createSale(bus);
    const order = await shop.placed({ name: 'Ada' });
    expect(order).toMatchObject({
      status: 'held',
      totalAmount: 0,
      alreadyRegistered: false,
      registrationIds: [],
      paidAt: null,
    });
    expect(await shop.availability()).toMatchObject({ held: 1, confirmed: 0, remaining: 9 });
    const { status, body } = await shop.confirm(order.orderNumber, {});
    expect([status, body.status, body.registrationIds.length]).toEqual([200, 'paid', 1]);
    expect(await shop.availability()).toMatchObject({ held: 0, confirmed: 1, remaining: 9 });
    const again = await shop.confirm(order.id, { successUrl: 'nonsense' });
    expect([again.status, again.body]).toEqual([200, body]);
    const [registration] = await shop.registrations();
    expect(registration).toMatchObject({
      id: body.registrationIds[0],
      status: 'confirmed',
      name: 'Ada',
    });
  });

  test('is cancelled idempotently and cannot be confirmed afterwards', async () => {
    const shop = await createSale(bus, { capacity: 1 });
    const { id } = await shop.placed();
    expect(reasonOf(await shop.place())).toEqual([412, 'SOLD_OUT']);
    const { body } = await shop.cancel(id);
    expect(body).toMatchObject({ status: 'cancelled', holdExpiresAt: null });
    expect((await shop.cancel(id)).body).toEqual(body);
    expect(reasonOf(await shop.confirm(id))).toEqual([412, 'ORDER_CLOSED']);
    expect((await shop.placed()).status).toBe('held');
  });

  test('that is paid has nothing to refund, and its cancellation cancels its registrations', async () => {
    const shop = await createSale(bus, { capacity: 3 });
    const attendees = Array.from({ length: 3 }, () => ({ email: randomEmail() }));
    const { id } = await shop.placed({ items: [shop.ofType({ quantity: 3, attendees })] });
    const { registrationIds } = (await shop.confirm(id)).body;
    expect(registrationIds).toHaveLength(3);
    const days = { from: dayFromToday(-1), to: dayFromToday(2), by: 'day' };
    const seats = async () => (await command(bus, shop, summarizeSales, days)).totals;
    expect(await seats()).toMatchObject([{ seats: 3 }]);
    // One seat is returned before.
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations/${registrationIds[0]}/cancel`,
    ]);
    await eventually(async () => expect(await seats()).toMatchObject([{ seats: 2 }]));
    // The message of the refusal names the cancellation.
    await expect(command(bus, shop, refundOrder, { orderId: id, all: true })).rejects.toThrow(
      /free\. Cancel it/,
    );
    const cancelled = await shop.cancel(id);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    expect(cancelled.body.cancelledAt).not.toBeNull();
    expect((await shop.cancel(id)).body).toEqual(cancelled.body);
    expect(reasonOf(await shop.confirm(id))).toEqual([412, 'ORDER_CLOSED']);
    expect((await shop.registrations()).map(({ status }) => status)).toEqual(
      Array(3).fill('cancelled'),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 0, remaining: 3 });
    expect(await seats()).toEqual([]);
  });

  test('whose cancellation was interrupted after it was paid becomes cancelled by itself', async () => {
    const shop = await createSale(bus);
    const { id } = await shop.placed();
    await shop.confirm(id);
    await bus.database.sql(
      `update commerce.customer_order set intent = 'release' where id = '${id}'`,
    );
    await shop.until(id, 'cancelled');
    expect(await shop.registrations()).toMatchObject([{ status: 'cancelled' }]);
  });

  test('that lists the registration of another order leaves it to that order when cancelled', async () => {
    const shop = await createSale(bus);
    const email = randomEmail();
    const [first, second] = [await shop.placed({ email }), await shop.placed({ email })];
    const { registrationIds } = (await shop.confirm(first.id)).body;
    await shop.confirm(second.id);
    await shop.cancel(first.id);
    expect(await shop.registrations()).toMatchObject([
      { id: registrationIds[0], status: 'confirmed', orderId: second.id },
    ]);
    await shop.cancel(second.id);
    expect(await shop.registrations()).toMatchObject([{ status: 'cancelled' }]);
  });

  test('with a full discount counts a use of the code, and returns it when cancelled', async () => {
    const shop = await createSale(bus, { priceAmount: 999 });
    const discount = { type: 'percent', value: 100 };
    const code = { registrationTypeId: shop.typeId, code: 'GIFT', discount };
    await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, code]);
    const first = await shop.placed({ redemptionCode: 'gift' });
    expect(first).toMatchObject({ totalAmount: 0, redemptionCode: 'GIFT' });
    expect(first.items).toMatchObject([{ unitAmount: 999, discountAmount: 999, totalAmount: 0 }]);
    expect(reasonOf(await shop.place({ redemptionCode: 'GIFT' }))).toEqual([412, 'CODE_INVALID']);
    await shop.cancel(first.id);
    const second = await shop.placed({ redemptionCode: 'GIFT' });
    expect((await shop.confirm(second.id, {})).body.status).toBe('paid');
  });
});

describe('a priced order', () => {
  test('is paid on its page and then reads as paid', async () => {
    const shop = await createSale(bus, { priceAmount: 1250 });
    const order = await shop.placed({
      items: [
        shop.ofType({
          quantity: 2,
          attendees: [{ email: randomEmail() }, { email: randomEmail(), name: 'Grace' }],
        }),
      ],
    });
    expect(order).toMatchObject({ totalAmount: 2500, currency: 'EUR', paymentUrl: null });
    const { status, body } = await shop.confirm(order.id);
    expect([status, body.status]).toEqual([200, 'awaiting_payment']);
    expect(
      (await shop.confirm(order.id, { ...urls, successUrl: 'https://else.example/' })).body
        .paymentUrl,
    ).toBe(body.paymentUrl);
    expect(await shop.availability()).toMatchObject({ held: 2, confirmed: 0 });
    expect(await pay(body.paymentUrl)).toBe(200);
    const paid = await shop.until(order.id, 'paid');
    expect(paid.registrationIds).toHaveLength(2);
    expect(paid.items[0].registrationIds).toEqual(paid.registrationIds);
    // A client that has read the paid order also reads its registrations.
    expect((await shop.registrations()).map(({ id }) => id).toSorted()).toEqual(
      paid.registrationIds.toSorted(),
    );
  });

  test('shows its payment page and each declined card, and is paid with another card', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id, orderNumber, paymentAttempts } = await shop.placed();
    expect(paymentAttempts).toEqual([]);
    const successUrl = 'https://shop.example/thanks?order={ORDER_NUMBER}';
    const { paymentUrl } = (await shop.confirm(id, { ...urls, successUrl })).body;
    const session = await bus.sandboxSession(paymentUrl);
    expect(session.successUrl).toBe(`https://shop.example/thanks?order=${orderNumber}`);
    const statuses = async () => {
      const order = await shop.read(id);
      return [order.status, ...order.paymentAttempts.map((each: Body) => each.status)];
    };
    expect(await statuses()).toEqual(['awaiting_payment', 'open']);
    await (await fetch(`${paymentUrl}/decline`, { method: 'POST' })).body?.cancel();
    await expect.poll(statuses).toEqual(['awaiting_payment', 'open', 'declined']);
    await pay(paymentUrl);
    await shop.until(id, 'paid');
    expect(await statuses()).toEqual(['paid', 'succeeded', 'declined']);
  });

  test('requires both URLs, https or http on localhost', async () => {
    const shop = await createSale(bus, { priceAmount: 100 });
    const { id } = await shop.placed();
    const { status, body } = await shop.confirm(id, {
      successUrl: 'http://example.com/',
      cancelUrl: 'javascript:alert(1)',
    });
    expect([status, body.error.details.map((each: Body) => each.field)]).toEqual([
      400,
      ['successUrl', 'cancelUrl'],
    ]);
    expect((await shop.read(id)).status).toBe('held');
  });

  test('keeps its prices and names after changes of the offer', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const order = await shop.placed();
    await expectStatus(shop.call, [
      'PATCH',
      shop.typePath,
      { priceAmount: 9999, name: 'Other', status: 'closed' },
    ]);
    const { body } = await shop.confirm(order.id);
    expect(body).toMatchObject({
      totalAmount: 1000,
      items: [{ name: 'Standard', unitAmount: 1000 }],
    });
    await pay(body.paymentUrl);
    expect((await shop.until(order.id, 'paid')).totalAmount).toBe(1000);
  });

  test("of a bundle keeps the bundle's contents and requests its price from the provider", async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const ticket = { itemType: 'registration_type', itemId: shop.typeId, quantity: 1 };
    const addon = { itemType: 'addon', itemId: (await openAddon(shop)).id, quantity: 1 };
    const path = `${shop.path}/bundles`;
    const fields = { name: 'Seat and lunch', items: [ticket, addon] };
    const bundle = await expectStatus(shop.call, ['POST', path, fields]);
    await expectStatus(shop.call, ['PATCH', `${path}/${bundle.id}`, { status: 'open' }]);
    const order = await shop.placed({ items: [{ itemType: 'bundle', itemId: bundle.id }] });
    expect(order.totalAmount).toBe(1500);
    await expectStatus(shop.call, [
      'PUT',
      `${path}/${bundle.id}/items`,
      [{ ...addon, quantity: 3 }],
    ]);
    await expectStatus(shop.call, [
      'PATCH',
      `${path}/${bundle.id}`,
      { name: 'Lunches', priceAmount: 9 },
    ]);
    const { body } = await shop.confirm(order.id);
    expect(await bus.sandboxSession(body.paymentUrl)).toMatchObject({
      orderId: order.id,
      amount: 1500,
      currency: 'EUR',
    });
    await pay(body.paymentUrl);
    const paid = await shop.until(order.id, 'paid');
    const { registrationIds } = paid;
    expect(registrationIds).toHaveLength(1);
    const items = order.items.map((item: Body) => ({ ...item, registrationIds }));
    expect(paid).toMatchObject({ items, totalAmount: 1500 });
  });

  test('locks the currency of its event when it is placed, not when it is rejected', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 1 });
    expect((await shop.place({ redemptionCode: 'NOBODY' })).status).toBe(412);
    await expectStatus(shop.call, ['PATCH', shop.path, { currency: 'USD' }]);
    expect((await shop.placed()).currency).toBe('USD');
    expect(reasonOf(await shop.call('PATCH', shop.path, { body: { currency: 'EUR' } }))).toEqual([
      412,
      'CURRENCY_LOCKED',
    ]);
  });

  test('expires its open page when cancelled, and a later payment becomes due for a refund', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id } = await shop.placed();
    const { body } = await shop.confirm(id);
    expect((await shop.cancel(id)).body.status).toBe('cancelled');
    await pay(body.paymentUrl, '?late=1&delayMs=400');
    await shop.until(id, 'refund_due');
    const { refunds } = await command(bus, shop, listRefunds, { state: 'due' });
    expect(refunds).toMatchObject([{ orderId: id, amount: 700, currency: 'EUR', state: 'due' }]);
    const response = await command(bus, shop, refundOrder, {
      orderId: id,
      all: true,
      reason: 'Too late',
    });
    expect(response).toMatchObject({
      order: { status: 'refunded' },
      refunds: [{ state: 'done', amount: 700 }],
    });
    expect(await shop.registrations()).toEqual([]);
  });

  test('returns the refund policy of the event with each refund', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url);
    await shop.until(id, 'paid');
    const refund = (amount: number) => command(bus, shop, refundOrder, { orderId: id, amount });
    expect((await refund(100)).policy).toBeNull();
    const policy = {
      ...{ text: 'Half of it until May', refundableUntil: '2027-05-01T00:00:00.000Z' },
      ...{ bands: [], automatic: false },
    };
    await command(bus, shop, setRefundPolicy, policy);
    expect((await refund(101)).policy).toEqual(policy);
  });

  test('refunds the price of one registration with its add-ons and cancels it in one step, once', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 3 });
    const addon = await openAddon(shop, { priceAmount: 200 });
    const code = await expectStatus(shop.call, [
      'POST',
      `${shop.path}/redemption-codes`,
      { registrationTypeId: shop.typeId, maxUses: 3, discount: { type: 'percent', value: 10 } },
    ]);
    const people = [1, 2, 3].map(() => ({ email: randomEmail() }));
    const items = [
      shop.ofType({ quantity: 3, attendees: people }),
      { itemType: 'addon', itemId: addon.id, quantity: 1, attendees: [people[1]] },
    ];
    const redemptionCode = code.redemptionCodes[0].code;
    const { id: orderId } = await shop.placed({ items, redemptionCode });
    await pay((await shop.confirm(orderId)).body.paymentUrl);
    const { registrationIds } = await shop.until(orderId, 'paid');
    const [first, second, third] = registrationIds;
    const prices = async () => {
      const { orders } = await command(bus, shop, findOrders, { orderIds: [orderId] });
      return orders[0].seats.map((seat: Body) => seat.refundableAmount);
    };
    expect(await prices()).toEqual([900, 1100, 900]);
    const { checkinCode } = await expectStatus(shop.call, [
      'GET',
      `${shop.path}/registrations/${second}`,
    ]);
    const refund = (input: object) => command(bus, shop, refundOrder, { orderId, ...input });
    const { order, refunds } = await refund({ registrationIds: [second] });
    expect([order.status, order.refundedAmount]).toEqual(['paid', 1100]);
    expect(refunds).toMatchObject([{ amount: 1100, state: 'done', registrationIds: [second] }]);
    expect(await prices()).toEqual([900, 0, 900]);
    const statuses = async () => {
      const found = await shop.read(orderId);
      return found.registrations.map(({ status }: Body) => status);
    };
    await eventually(async () =>
      expect(await statuses()).toEqual(['confirmed', 'cancelled', 'confirmed']),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 2, remaining: 1 });
    const checkin = { checkinCode, subjectType: 'event' };
    const entered = await shop.call('POST', `${shop.path}/checkins`, { body: checkin });
    expect(entered.body.error.details).toMatchObject([{ reason: 'NOT_CONFIRMED' }]);
    await expect(refund({ registrationIds: [second] })).rejects.toThrow(
      new RegExp(`409.*${refunds[0].id}`),
    );
    await expect(refund({ registrationIds: [first, 'reg_x'] })).rejects.toThrow(
      /registrationIds\[1\].*must be a registration that this order has created/,
    );
    // The price of one that stays is refunded once, too; the cancellation may follow.
    await refund({ registrationIds: [first], keepRegistrations: true });
    expect(await shop.availability()).toMatchObject({ confirmed: 2 });
    const last = await refund({ registrationIds: [first, third] });
    expect([last.order.status, last.order.refundedAmount]).toEqual(['refunded', 2900]);
    expect(await shop.availability()).toMatchObject({ confirmed: 0, remaining: 3 });
  });

  test('ends with the refund of its last registration, and without a price only cancels one', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
    const { id: orderId } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
    await pay((await shop.confirm(orderId)).body.paymentUrl);
    const { registrationIds } = await shop.until(orderId, 'paid');
    const { order } = await command(bus, shop, refundOrder, { orderId, registrationIds });
    expect([order.status, order.refundedAmount]).toEqual(['refunded', 2000]);
    const free = await createSale(bus);
    const placed = await free.placed({ items: [free.ofType({ quantity: 2, attendees })] });
    await free.confirm(placed.id, {});
    const ids = (await free.until(placed.id, 'paid')).registrationIds;
    const input = { orderId: placed.id, registrationIds: [ids[0]] };
    const cancelled = await command(bus, free, refundOrder, input);
    expect([cancelled.order.status, cancelled.refunds]).toEqual(['paid', []]);
    expect(await free.availability()).toMatchObject({ confirmed: 1 });
  });

  test('is refunded with the last price of its registrations that stay, which can be cancelled later', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
    const { id: orderId } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
    await pay((await shop.confirm(orderId)).body.paymentUrl);
    const { registrationIds } = await shop.until(orderId, 'paid');
    const [first, second] = registrationIds;
    const refund = async (fields: object) =>
      (await command(bus, shop, refundOrder, { orderId, ...fields })).order;
    const keepRegistrations = true;
    const part = await refund({ registrationIds: [first], keepRegistrations });
    expect([part.status, part.refundedAmount]).toEqual(['paid', 1000]);
    const whole = await refund({ registrationIds: [second], keepRegistrations });
    expect([whole.status, whole.refundedAmount]).toEqual(['refunded', 2000]);
    await bus.operator.callUnchecked(reconcileCommerce, {});
    expect(await shop.availability()).toMatchObject({ confirmed: 2 });
    const compared = { businessUnitId: shop.unitId };
    const report = await bus.operator.callUnchecked(compareRestored, compared);
    expect(report).toMatchObject({ compared: 1, differences: [] });
    expect((await refund({ registrationIds: [first] })).status).toBe('refunded');
    expect(await shop.availability()).toMatchObject({ confirmed: 1 });
    await expect(refund({ all: true })).rejects.toThrow(/no payment left/);
  });

  test('is refunded in parts up to the paid amount, and revoked with the last part', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const { id } = await shop.placed();
    await pay((await shop.confirm(id)).body.paymentUrl);
    await shop.until(id, 'paid');
    await command(bus, shop, refundOrder, { orderId: id, amount: 400 });
    await expect(command(bus, shop, refundOrder, { orderId: id, amount: 601 })).rejects.toThrow(
      'at most 600',
    );
    expect(await shop.availability()).toMatchObject({ confirmed: 1 });
    const both = await Promise.allSettled(
      [1, 2].map(() => command(bus, shop, refundOrder, { orderId: id, amount: 600 })),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await shop.read(id)).status).toBe('refunded');
    expect(await shop.availability()).toMatchObject({ confirmed: 0, remaining: 10 });
    await expect(command(bus, shop, refundOrder, { orderId: id, all: true })).rejects.toThrow(
      'NOTHING_TO_REFUND',
    );
  });

  test('is partly due for an attendee who registered in the meantime, and refunds only that, more, or all', async () => {
    const shop = await createSale(bus, { priceAmount: 400, capacity: null });
    /** Creates a paid order for two seats, one of which was no longer needed at payment. */
    const partlyDue = async (): Promise<string> => {
      const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
      const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
      const elsewhere = { email: attendees[1]?.email, registrationTypeId: shop.typeId };
      const { paymentUrl } = (await shop.confirm(id)).body;
      // The page would be expired if it was not paid before.
      await pay(paymentUrl, '?notify=never');
      await expectStatus(shop.call, ['POST', `${shop.path}/registrations`, elsewhere]);
      const { items } = await shop.until(id, 'paid');
      expect(items[0].unfulfilledAmount).toBe(400);
      return id;
    };
    const refunded = async (input: object) => {
      const orderId = await partlyDue();
      const before = (await shop.registrations()).length;
      const { order, refunds } = await command(bus, shop, refundOrder, { orderId, ...input });
      const created = refunds.map((each: Body) => [each.cause, each.amount, each.state].join(' '));
      const after = (await shop.registrations()).filter((each) => each.status === 'confirmed');
      return [order.status, created, before - after.length];
    };
    const due = 'attendee_registered 400 done';
    expect(await refunded({ onlyDue: true })).toEqual(['paid', [due], 0]);
    expect(await refunded({ amount: 100 })).toEqual(['paid', [due, 'operator 100 done'], 0]);
    expect(await refunded({ all: true })).toEqual(['refunded', [due, 'operator 400 done'], 1]);
    await expect(refunded({ onlyDue: true, amount: 100 })).rejects.toThrow(
      'amount cannot be combined with onlyDue',
    );
    const nothingDue = await shop.placed();
    await pay((await shop.confirm(nothingDue.id)).body.paymentUrl);
    await shop.until(nothingDue.id, 'paid');
    const input = { orderId: nothingDue.id, onlyDue: true };
    await expect(command(bus, shop, refundOrder, input)).rejects.toThrow(
      /NOTHING_TO_REFUND.*"refundable":400,"currency":"EUR"/,
    );
    await expect(command(bus, shop, refundOrder, input)).rejects.toThrow(/No refund .* is due/);
  });

  test('is not confirmed when an attendee has registered since, and stays held; an open page is expired', async () => {
    const shop = await createSale(bus, { priceAmount: 400, capacity: 3 });
    const email = randomEmail();
    const [one, other] = [await shop.placed({ email }), await shop.placed({ email })];
    const page = (await shop.confirm(other.id)).body;
    const path = `${shop.path}/registrations`;
    const body = { email, registrationTypeId: shop.typeId };
    const { registration } = await expectStatus(shop.call, ['POST', path, body]);
    const rejected = await shop.confirm(one.id);
    expect([rejected.status, rejected.body.error.details]).toEqual([
      412,
      [{ reason: 'ATTENDEE_REGISTERED', field: 'items[0].attendees[0].email' }],
    ]);
    const { status, paymentAttempts } = await shop.read(one.id);
    expect([status, paymentAttempts]).toEqual(['held', []]);
    // Whether the sweep has cancelled it or this request does: the refusal is the same.
    const ended = await shop.confirm(other.id);
    expect([ended.status, ended.body.error.details]).toEqual([412, rejected.body.error.details]);
    expect(await shop.until(other.id, 'cancelled')).toMatchObject({
      paymentUrl: null,
      paymentAttempts: [{ status: 'expired' }],
    });
    expect((await bus.sandboxSession(page.paymentUrl)).state).toBe('expired');
    expect(await pay(page.paymentUrl)).toBe(412);
    expect(await shop.availability()).toMatchObject({ held: 1, confirmed: 1 });
    await expectStatus(shop.call, ['POST', `${path}/${registration.id}/cancel`]);
    expect((await shop.confirm(one.id)).body.status).toBe('awaiting_payment');
  });

  test('rejects an identical refund within ten minutes, unless it is forced or has a key', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url);
    await shop.until(id, 'paid');
    const refund = (input: object, options: CallOptions = {}) => {
      const scope = { businessUnitId: shop.unitId, eventId: shop.eventId, orderId: id };
      return bus.operator.callUnchecked(refundOrder, { ...scope, ...input }, options);
    };
    const { refunds } = (await refund({ amount: 100 })) as Body;
    const [first] = refunds;
    await expect(refund({ amount: 100 })).rejects.toThrow(
      new RegExp(`409.*ALREADY_EXISTS.*"refundId":"${first.id}","requestedAt":"2`),
    );
    await expect(
      refund({ amount: 100 }, { key: randomUUID(), isKeyGenerated: true }),
    ).rejects.toThrow('409');
    await refund({ amount: 101 });
    await refund({ amount: 100, force: true });
    const key = randomUUID();
    const retried = [
      await refund({ amount: 100 }, { key }),
      await refund({ amount: 100 }, { key }),
    ];
    expect(retried[1]).toEqual(retried[0]);
    expect((await command(bus, shop, listRefunds)).refunds).toMatchObject([
      { amount: 100 },
      { amount: 100 },
      { amount: 101 },
      { amount: 100 },
    ]);
    await bus.database.sql(
      `update commerce.refund set requested_at = requested_at - interval '10 minutes' where order_id = '${id}'`,
    );
    await refund({ amount: 100 });
  });

  test.each([
    ['another amount', 'amount=5', { currency: 'EUR', amount: 5 }, 5],
    ['another currency', 'currency=JPY', { currency: 'JPY', amount: 700 }, 0],
  ])(
    'shows that %s was received, and gets a new page and in the end its money back',
    async (_, how, due, own) => {
      const shop = await createSale(bus, { priceAmount: 700 });
      const listed = async () =>
        (await expectStatus(shop.call, ['GET', `${shop.path}/orders?refundDue=true`])).orders.map(
          (each: Body) => each.id,
        );
      const mismatched = async () => {
        const { id } = await shop.placed();
        const { paymentUrl } = (await shop.confirm(id)).body;
        expect(await listed()).not.toContain(id);
        await pay(paymentUrl, `?${how}`);
        await expect
          .poll(() => shop.read(id))
          .toMatchObject({
            status: 'awaiting_payment',
            paymentUrl: null,
            paymentAttempts: [{ status: 'mismatch' }],
            refundDueAmount: own,
            refundsDue: [due],
          });
        expect(await listed()).toContain(id);
        return { id, paymentUrl };
      };
      const paid = await mismatched();
      const again = await shop.confirm(paid.id);
      expect([again.status, again.body.status]).toEqual([200, 'awaiting_payment']);
      expect(again.body.paymentUrl).not.toBe(paid.paymentUrl);
      expect((await shop.confirm(paid.id)).body.paymentUrl).toBe(again.body.paymentUrl);
      await pay(again.body.paymentUrl);
      const order = await shop.until(paid.id, 'paid');
      expect(order.paymentAttempts.map((each: Body) => each.status)).toEqual([
        'mismatch',
        'succeeded',
      ]);
      expect(await listed()).toEqual([paid.id]);
      await command(bus, shop, refundOrder, { orderId: paid.id, onlyDue: true });
      expect(await shop.read(paid.id)).toMatchObject({ status: 'paid', refundsDue: [] });

      const [expired, cancelled] = [await mismatched(), await mismatched()];
      await expireHold(bus, expired.id);
      await shop.until(expired.id, 'refund_due');
      expect((await shop.cancel(cancelled.id)).body).toMatchObject({
        status: 'refund_due',
        cancelledAt: expect.any(String),
      });
      expect(await listed()).toEqual([cancelled.id, expired.id]);
      const { order: refunded } = await command(bus, shop, refundOrder, {
        orderId: expired.id,
        all: true,
      });
      expect(refunded.status).toBe('refunded');
      expect(await listed()).toEqual([cancelled.id]);
    },
  );

  test('gives its registration the value that was paid, whatever the ticket type costs later', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const types = `${shop.path}/ticket-types`;
    const open = async (priceAmount: number): Promise<string> => {
      const { id } = await expectStatus(shop.call, ['POST', types, { name: 'Other', priceAmount }]);
      await expectStatus(shop.call, ['PATCH', `${types}/${id}`, { status: 'open' }]);
      return id;
    };
    const [same, higher] = [await open(1000), await open(5000)];
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url);
    const [registrationId] = (await shop.until(id, 'paid')).registrationIds;
    const change = (registrationTypeId: string) =>
      shop.call('PATCH', `${shop.path}/registrations/${registrationId}`, {
        body: { registrationTypeId },
      });
    const setPrice = (priceAmount: number) =>
      expectStatus(shop.call, ['PATCH', shop.typePath, { priceAmount }]);
    expect(reasonOf(await change(higher))).toEqual([412, 'PRICE_HIGHER']);
    await setPrice(5000);
    expect(reasonOf(await change(higher))).toEqual([412, 'PRICE_HIGHER']);
    await setPrice(10);
    expect((await change(same)).status).toBe(200);
  });

  test('that is notified twice is paid once', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id } = await shop.placed();
    await pay((await shop.confirm(id)).body.paymentUrl, '?notify=twice');
    await shop.until(id, 'paid');
    expect((await command(bus, shop, listRefunds)).refunds).toEqual([]);
    expect(await shop.registrations()).toHaveLength(1);
  });
});

describe('out-of-order notifications', () => {
  /** Returns the number of notifications that commerce has processed. */
  async function processedNotifications(): Promise<number> {
    const response = await fetch(new URL('/metrics', bus.internalUrls.commerce));
    const counts = (await response.text()).matchAll(
      /^http_server_request_duration_seconds_count\{.*\/payments\/notifications\/.*\} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  test('of a declined card and an expired page after the payment change nothing', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id, url } = await createAwaitingPayment(shop);
    const before = await processedNotifications();
    await pay(url, '?notify=reversed');
    const paid = await shop.until(id, 'paid');
    await expect.poll(processedNotifications).toBeGreaterThanOrEqual(before + 3);
    await bus.operator.callUnchecked(reconcileCommerce, {});
    const { paymentAttempts, ...order } = await shop.read(id);
    const { paymentAttempts: _, ...sameOrder } = paid;
    expect(order).toEqual(sameOrder);
    expect(paymentAttempts.map((each: Body) => each.status)).toEqual(['succeeded', 'declined']);
    expect((await command(bus, shop, listRefunds)).refunds).toEqual([]);
    expect(await shop.registrations()).toHaveLength(1);
  });

  test('of a payment after the cancellation do not pay the order, and the payment is due for a refund', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id, url } = await createAwaitingPayment(shop);
    await shop.cancel(id);
    await expect.poll(async () => (await bus.sandboxSession(url)).state).toBe('expired');
    await pay(url, '?late=1&notify=reversed');
    await shop.until(id, 'refund_due');
    expect((await command(bus, shop, listRefunds)).refunds).toMatchObject([
      { orderId: id, amount: 700, cause: 'late', state: 'due' },
    ]);
    expect(await shop.registrations()).toEqual([]);
  });

  test('of a payment after the hold expired, sent twice, pay the order once', async () => {
    const shop = await createSale(bus, { priceAmount: 700 });
    const { id, url } = await createAwaitingPayment(shop);
    await expireHold(bus, id);
    await shop.until(id, 'expired');
    await pay(url, '?late=1&notify=twice');
    expect((await shop.until(id, 'paid')).registrationIds).toHaveLength(1);
    expect((await command(bus, shop, listRefunds)).refunds).toEqual([]);
  });
});

describe('placing an order', () => {
  test('returns the existing registration of a registered buyer without an order', async () => {
    const shop = await createSale(bus);
    const email = randomEmail();
    const first = await shop.placed({ email });
    const { body } = await shop.confirm(first.id, {});
    const again = await shop.place({ email: email.toUpperCase() });
    expect([again.status, again.body]).toEqual([
      200,
      {
        alreadyRegistered: true,
        registrationId: body.registrationIds[0],
        registrationStatus: 'confirmed',
        openOrderId: null,
      },
    ]);
    const other = [shop.ofType({ attendees: [{ email }] })];
    expect(reasonOf(await shop.place({ items: other }))).toEqual([412, 'ATTENDEE_REGISTERED']);
  });

  test('of add-ons only requires a registered buyer', async () => {
    const shop = await createSale(bus);
    const addon = await openAddon(shop);
    const items = [{ itemType: 'addon', itemId: addon.id }];
    const email = randomEmail();
    expect(reasonOf(await shop.place({ email, items }))).toEqual([412, 'NOT_REGISTERED']);
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations`,
      { email, registrationTypeId: shop.typeId },
    ]);
    const late = await shop.placed({ email, items });
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations/${late.registrationId}/cancel`,
    ]);
    expect(reasonOf(await shop.confirm(late.id))).toEqual([412, 'NOT_REGISTERED']);
    expect((await shop.read(late.id)).status).toBe('held');
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations`,
      { email, registrationTypeId: shop.typeId },
    ]);
    const order = await shop.placed({ email, items });
    expect(order).toMatchObject({ alreadyRegistered: true, totalAmount: 500 });
    await pay((await shop.confirm(order.id)).body.paymentUrl);
    await shop.until(order.id, 'paid');
  });

  test("of add-ons only closes the order and refunds it when the buyer's registration is cancelled in the meantime", async () => {
    const shop = await createSale(bus);
    const email = randomEmail();
    const registrations = `${shop.path}/registrations`;
    const body = { email, registrationTypeId: shop.typeId };
    const { registration } = await expectStatus(shop.call, ['POST', registrations, body]);
    const [lunch, gift] = [await openAddon(shop), await openAddon(shop, { priceAmount: 0 })];
    const [priced, free] = await Promise.all(
      [lunch, gift].map(({ id }) =>
        shop.placed({ email, items: [{ itemType: 'addon', itemId: id }] }),
      ),
    );
    const { paymentUrl } = (await shop.confirm(priced.id)).body;
    // The page would be expired if it was not paid before.
    await pay(paymentUrl, '?notify=never');
    await expectStatus(shop.call, ['POST', `${registrations}/${registration.id}/cancel`]);
    expect(reasonOf(await shop.confirm(free.id, {}))).toEqual([412, 'NOT_REGISTERED']);
    expect((await shop.read(free.id)).status).toBe('cancelled');
    expect(await shop.until(priced.id, 'refund_due')).toMatchObject({ registrationIds: [] });
    expect((await shop.confirm(priced.id)).body.error).toMatchObject({
      message: 'The order is due for a refund and cannot be confirmed.',
      details: [{ reason: 'ORDER_CLOSED', status: 'refund_due' }],
    });
    expect((await command(bus, shop, listRefunds)).refunds).toMatchObject([
      { orderId: priced.id, amount: 500, cause: 'unfulfillable', state: 'due' },
    ]);
  });

  test('of a bundle charges the price of the bundle for its contents, without discounts', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const addon = await openAddon(shop);
    const bundle = await expectStatus(shop.call, [
      'POST',
      `${shop.path}/bundles`,
      {
        name: 'Two and lunch',
        priceAmount: 1800,
        items: [
          { itemType: 'registration_type', itemId: shop.typeId, quantity: 2 },
          { itemType: 'addon', itemId: addon.id },
        ],
      },
    ]);
    const bundlePath = `${shop.path}/bundles/${bundle.id}`;
    await expectStatus(shop.call, ['PATCH', bundlePath, { status: 'open' }]);
    const code = {
      registrationTypeId: shop.typeId,
      code: 'HALF',
      maxUses: null,
      discount: { type: 'percent', value: 50 },
    };
    await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, code]);
    const attendees = [randomEmail(), randomEmail()].map((email) => ({ email }));
    const items = [
      { itemType: 'bundle', itemId: bundle.id, attendees },
      shop.ofType({ attendees: [{ email: randomEmail() }] }),
    ];
    const order = await shop.placed({ items, redemptionCode: 'HALF' });
    expect(order.items).toMatchObject([
      { name: 'Two and lunch', unitAmount: 1800, discountAmount: 0, totalAmount: 1800 },
      { unitAmount: 1000, discountAmount: 500, totalAmount: 500 },
    ]);
    expect(order.totalAmount).toBe(2300);
    const onlyBundle = [
      {
        itemType: 'bundle',
        itemId: bundle.id,
        attendees: [randomEmail(), randomEmail()].map((email) => ({ email })),
      },
    ];
    const rejected = await shop.place({ items: onlyBundle, redemptionCode: 'HALF' });
    expect([rejected.status, rejected.body.error.details]).toEqual([
      412,
      [{ reason: 'CODE_INVALID', field: 'redemptionCode' }],
    ]);
  });

  test.each([
    ['no items', { items: [] }, 'items'],
    [
      '21 lines',
      { items: Array.from({ length: 21 }, () => ({ itemType: 'addon', itemId: 'x' })) },
      'items',
    ],
    ['an unknown kind', { items: [{ itemType: 'seat', itemId: 'x' }] }, 'items[0].itemType'],
    ['an unknown id', { items: [{ itemType: 'addon', itemId: 'addon_x' }] }, 'items[0].itemId'],
    ['no email', { email: undefined }, 'email'],
    ['responses that are not an object', { responses: [] }, 'responses'],
  ])('with %s is rejected with 400 and the field', async (_, fields, field) => {
    const shop = await createSale(bus);
    const { status, body } = await shop.place(fields);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
    expect((await expectStatus(shop.call, ['GET', `${shop.path}/orders`])).orders).toEqual([]);
  });

  test.each([
    ['two seats without attendees', {}, 2],
    [
      'three attendees for two seats',
      { attendees: ['a', 'b', 'c'].map((n) => ({ email: `${n}@x.de` })) },
      2,
    ],
    ['a duplicate email', { attendees: ['a', 'A'].map((n) => ({ email: `${n}@x.de` })) }, 2],
    ['101 seats', {}, 101],
  ])('with %s is rejected with 400', async (_, fields, quantity) => {
    const shop = await createSale(bus, { capacity: null });
    expect((await shop.place({ items: [shop.ofType({ quantity, ...fields })] })).status).toBe(400);
  });

  test('validates the responses to the form of the event', async () => {
    const shop = await createSale(bus);
    await command(bus, shop, setForm, {
      questions: [
        { id: 'diet', label: 'Diet', type: 'choice', required: true, options: ['all', 'vegan'] },
        { id: 'age', label: 'Age', type: 'number', required: false },
      ],
    });
    const wrong = await shop.place({ responses: { diet: 'air', age: 'old' } });
    expect(wrong.body.error.details.map((each: Body) => each.field)).toEqual([
      'responses.diet',
      'responses.age',
    ]);
    expect((await shop.place()).status).toBe(400);
    expect((await shop.placed({ responses: { diet: 'vegan' } })).responses).toEqual({
      diet: 'vegan',
    });
  });

  test('says in each read which of its registrations are not confirmed', async () => {
    const shop = await createSale(bus, { requiresApproval: true });
    const { id } = await shop.placed();
    const confirmed = (await shop.confirm(id, {})).body;
    const [registrationId] = confirmed.registrationIds;
    const path = `${shop.path}/registrations/${registrationId}`;
    const statuses = async () => {
      const order = await expectStatus(shop.call, ['GET', `${shop.path}/orders/${id}`]);
      const { orders } = await expectStatus(shop.call, ['GET', `${shop.path}/orders`]);
      return [order, orders[0]].map(({ registrations }) => registrations);
    };
    const are = (status: string | null) => {
      const registrations = [{ id: registrationId, status }];
      return [registrations, registrations];
    };
    expect(confirmed.registrations).toEqual(are('pending')[0]);
    expect(await statuses()).toEqual(are('pending'));
    await expectStatus(shop.call, ['POST', `${path}/approve`]);
    expect(await statuses()).toEqual(are('confirmed'));
    await expectStatus(shop.call, ['POST', `${path}/cancel`]);
    expect(await statuses()).toEqual(are('cancelled'));
    await bus.database.sql('delete from commerce.registration_projection where id = $1', [
      registrationId,
    ]);
    expect(await statuses()).toEqual(are(null));
    await bus.operator.call(resyncProjections('commerce'), { service: 'commerce' });
    expect(await statuses()).toEqual(are('cancelled'));
  });

  test('for a ticket type with approval creates a pending registration if free, and is rejected if priced', async () => {
    const shop = await createSale(bus, { requiresApproval: true });
    const order = await shop.placed();
    expect((await shop.confirm(order.id, {})).body.status).toBe('paid');
    expect(await shop.registrations()).toMatchObject([{ status: 'pending' }]);
    const priced = await createSale(bus, { requiresApproval: true, priceAmount: 100 });
    expect(reasonOf(await priced.place())).toEqual([412, 'APPROVAL_REQUIRED']);
    expect(await priced.availability()).toMatchObject({ held: 0 });
  });

  test('that is free after its code is an application, too: only an approval gives the seat', async () => {
    const shop = await createSale(bus, { requiresApproval: true, priceAmount: 5000, capacity: 1 });
    const discount = { type: 'percent', value: 100 };
    const code = { registrationTypeId: shop.typeId, code: 'GUEST', discount };
    await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, code], 201);
    const email = randomEmail();
    const { id, totalAmount } = await shop.placed({ email, redemptionCode: 'GUEST' });
    expect([totalAmount, (await shop.availability()).held]).toEqual([0, 0]);
    const { body } = await shop.confirm(id, {});
    expect([body.status, body.registrations]).toMatchObject(['paid', [{ status: 'pending' }]]);
    expect(await shop.availability()).toMatchObject({ confirmed: 0, remaining: 1 });
    const [registrationId] = body.registrationIds;
    const checkin = { registrationId, subjectType: 'event' };
    const entered = await shop.call('POST', `${shop.path}/checkins`, { body: checkin });
    expect(reasonOf(entered)).toEqual([412, 'NOT_CONFIRMED']);
    const approve = `${shop.path}/registrations/${registrationId}/approve`;
    expect((await expectStatus(shop.call, ['POST', approve])).status).toBe('confirmed');
  });

  describe('of a ticket type that has a price after its code', () => {
    /**
     * Creates a sale with a code for half the price, and a projection of the ticket type with a
     * wrong approval flag in registration.
     */
    const createStaleSale = async (requiresApproval: boolean) => {
      const shop = await createSale(bus, { priceAmount: 1000, requiresApproval });
      const discount = { type: 'percent', value: 50 };
      const code = { registrationTypeId: shop.typeId, code: 'HALF', maxUses: 1, discount };
      await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, code]);
      // The response to this request proves that the service has applied all earlier messages.
      await shop.place({ redemptionCode: 'NOBODY' });
      await bus.database.sql(
        `update registration.ticket_type_projection set requires_approval = ${!requiresApproval}, version = 0 where id = '${shop.typeId}'`,
      );
      return shop;
    };

    test('succeeds without approval although the projection is stale', async () => {
      const shop = await createStaleSale(false);
      expect(await shop.placed({ redemptionCode: 'HALF' })).toMatchObject({ totalAmount: 500 });
      expect(await shop.availability()).toMatchObject({ held: 1 });
      expect(await shop.placed()).toMatchObject({ totalAmount: 1000 });
    });

    test('is rejected with approval, and does not use its code', async () => {
      const shop = await createSale(bus, { priceAmount: 1000, requiresApproval: true });
      const code = { registrationTypeId: shop.typeId, code: 'HALF', maxUses: 1 };
      const discount = { type: 'percent', value: 50 };
      await expectStatus(shop.call, [
        'POST',
        `${shop.path}/redemption-codes`,
        { ...code, discount },
      ]);
      for (const _ of [1, 2]) {
        expect(reasonOf(await shop.place({ redemptionCode: 'HALF' }))).toEqual([
          412,
          'APPROVAL_REQUIRED',
        ]);
      }
      const { redemptionCodes } = await expectStatus(shop.call, [
        'GET',
        `${shop.path}/redemption-codes`,
      ]);
      expect(redemptionCodes).toMatchObject([{ uses: 0 }]);
    });
  });

  test('in an archived event or of a closed ticket type is rejected', async () => {
    const shop = await createSale(bus);
    await expectStatus(shop.call, ['PATCH', shop.typePath, { status: 'closed' }]);
    expect(reasonOf(await shop.place())).toEqual([412, 'NOT_ON_SALE']);
    await expectStatus(shop.call, ['POST', `${shop.path}/archive`]);
    expect(reasonOf(await shop.place())).toEqual([412, 'EVENT_ARCHIVED']);
  });
});

test('orders of another business unit are not found', async () => {
  const [mine, theirs] = [await createSale(bus), await createSale(bus)];
  const { id, orderNumber } = await mine.placed();
  for (const name of [id, orderNumber, 'ord_01k8zq4m3ne7rbj5t2xw9vd6ah', 'ORD-00000000']) {
    const path = `${mine.path}/orders/${name}`;
    expect((await theirs.call('GET', path)).status).toBe(404);
    expect((await theirs.call('POST', `${path}/confirm`, { body: urls })).status).toBe(404);
    expect((await theirs.call('POST', `${path}/cancel`)).status).toBe(404);
    expect((await theirs.call('GET', `${theirs.path}/orders/${name}`)).status).toBe(404);
  }
  expect((await theirs.call('GET', `${mine.path}/orders`)).status).toBe(404);
  expect((await mine.read(orderNumber)).id).toBe(id);
});

test('orders are listed newest first, with pagination', async () => {
  const shop = await createSale(bus);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await shop.placed()).id);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page: Body = await expectStatus(shop.call, [
      'GET',
      `${shop.path}/orders?limit=2${cursor}`,
    ]);
    seen.push(...page.orders.map(({ id }: Body) => id));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(ids);
});

test('commerce.reconcile accounts for all money', async () => {
  const report = await bus.operator.callUnchecked(reconcileCommerce, {});
  expect(report).toMatchObject({ unbalanced: [], unmatched: [], failed: [] });
});

describe('with payments of two business units', () => {
  let shops: [SaleFixture, SaleFixture];
  let orders: string[];
  beforeAll(async () => {
    shops = [
      await createSale(bus, { priceAmount: 700 }),
      await createSale(bus, { priceAmount: 900 }),
    ];
    orders = await Promise.all(
      shops.map(async (shop) => {
        const { id, url } = await createAwaitingPayment(shop);
        await pay(url);
        await shop.until(id, 'paid');
        await command(bus, shop, refundOrder, { orderId: id, amount: 100 });
        return id;
      }),
    );
  });

  test('refund.list lists those of an event, of a business unit or all, with pagination', async () => {
    const [shop, other] = shops;
    const list = async (input: object): Promise<Body> =>
      bus.operator.callUnchecked(listRefunds, input);
    const { unitId: businessUnitId, eventId } = shop;
    const { orderNumber, email } = (await shop.call('GET', `${shop.path}/orders/${orders[0]}`))
      .body;
    const mine = [{ businessUnitId, eventId, orderId: orders[0], orderNumber, email, amount: 100 }];
    expect((await list({ businessUnitId })).refunds).toMatchObject(mine);
    expect((await list({ businessUnitId, eventId })).refunds).toMatchObject(mine);
    expect((await list({ businessUnitId, state: 'due' })).refunds).toEqual([]);
    expect((await list({ businessUnitId, onlyOwed: true })).refunds).toEqual([]);
    const createdFrom = '2999-01-01T00:00:00Z';
    expect((await list({ businessUnitId, createdFrom })).refunds).toEqual([]);
    const sum = (input: object) => bus.operator.callUnchecked(summarizeRefunds, input);
    expect(await sum({ businessUnitId })).toEqual({ owed: [] });
    expect(await sum({ businessUnitId, eventId })).toEqual({ owed: [] });
    await expect(sum({ businessUnitId, eventId: other.eventId })).rejects.toThrow(
      'eventId is not the id of an event',
    );
    const pages = [await list({ limit: 1 })];
    pages.push(await list({ limit: 1, cursor: pages[0].nextCursor }));
    const units = pages.flatMap(({ refunds }) => refunds).map((each: Body) => each.businessUnitId);
    expect(units.toSorted()).toEqual([businessUnitId, other.unitId].toSorted());
    await expect(list({ eventId })).rejects.toThrow('businessUnitId is required with eventId');
    await expect(list({ businessUnitId, eventId: other.eventId })).rejects.toThrow(
      'eventId is not the id of an event',
    );
    await expect(list({ cursor: 'x' })).rejects.toThrow('cursor');
  });

  test('sales.summary counts the seats and the money of today, by day and by ticket type', async () => {
    const { unitId: businessUnitId, eventId, typeId } = shops[0];
    const [from, to] = [-2, 3].map((days) => dayFromToday(days));
    const sums = {
      currency: 'EUR',
      seats: 1,
      grossAmount: 700,
      refundedAmount: 100,
      lostAmount: 0,
      disputedAmount: 0,
      netAmount: 600,
    };
    const of = (input: object): Promise<Body> =>
      bus.operator.callUnchecked(summarizeSales, { businessUnitId, eventId, from, to, ...input });
    const byDay = await of({ by: 'day' });
    expect(byDay).toMatchObject({
      timezone: 'Europe/Berlin',
      totals: [sums],
      eventTotals: [sums],
    });
    const byType = await of({ by: 'ticketType' });
    expect(byType.rows).toMatchObject([{ ticketTypeId: typeId, ...sums }]);
    expect(byType.totals).toEqual([sums]);
    const longAgo = await of({ by: 'day', from: '2020-01-01', to: '2020-01-02' });
    expect(longAgo).toMatchObject({ rows: [], totals: [], eventTotals: [sums] });
    expect(await of({ by: 'day', eventId: undefined })).not.toHaveProperty('eventTotals');
    await expect(of({ by: 'day', eventId: shops[1].eventId })).rejects.toThrow(
      'eventId is not the id of an event',
    );
  });

  test('the journal of a unit has its payment and its refund, and its balances sum to zero', async () => {
    const [shop, other] = shops;
    const { unitId: businessUnitId } = shop;
    const { accounts } = await bus.operator.call(readTrialBalance, { businessUnitId });
    const balances = accounts.map(({ account, currency, balance }) => [account, currency, balance]);
    expect(balances).toEqual([
      ['provider', 'EUR', 600],
      ['refunds_due', 'EUR', 0],
      ['sales', 'EUR', -600],
    ]);
    const lines: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const input = { businessUnitId, limit: 1, ...(cursor !== undefined && { cursor }) };
      const page = await bus.operator.call(exportLedger, input);
      const [header, line = ''] = page.csv.split('\n');
      expect(header).toMatch(/^position,postedAt,/);
      lines.push(line);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(lines.map((line) => line.split(',').toSpliced(0, 3).toSpliced(2, 1))).toEqual([
      [orders[0], 'charge', 'provider', 'sales', '700', 'EUR'],
      [orders[0], 'refund_due', 'sales', 'refunds_due', '100', 'EUR'],
      [orders[0], 'refund', 'refunds_due', 'provider', '100', 'EUR'],
    ]);
    const period = { from: '2020-01-01T00:00:00Z', before: '2020-01-02T00:00:00Z' };
    expect(await bus.operator.call(readTrialBalance, { businessUnitId, ...period })).toEqual({
      accounts: [],
    });
    // No day of it has ended.
    expect(await bus.operator.call(listLedgerDigests, { businessUnitId })).toEqual({
      closedThrough: null,
      publicKey: expect.any(String),
      digests: [],
      nextCursor: null,
    });
    const ofOther = await bus.operator.call(exportLedger, { businessUnitId: other.unitId });
    expect(ofOther.csv).not.toContain(orders[0]);
  });

  test('commerce.reconcile accounts for one business unit and returns its unbalanced orders', async () => {
    const reconcile = (input: object): Promise<Body> =>
      bus.operator.callUnchecked(reconcileCommerce, input) as Promise<Body>;
    const { unitId: businessUnitId, eventId } = shops[0];
    const balanced = {
      received: { EUR: 700 },
      kept: { EUR: 600 },
      refundsDue: { EUR: 0 },
      refunded: { EUR: 100 },
      unbalanced: [],
      unbalancedOrders: [],
    };
    expect(await reconcile({ businessUnitId })).toMatchObject(balanced);
    const change = (amount: string) =>
      bus.database.sql(
        `update commerce.settlement set amount = amount ${amount} where order_id = '${orders[0]}'`,
      );
    await change('+ 7');
    try {
      expect(await reconcile({ businessUnitId })).toMatchObject({
        unbalanced: ['EUR'],
        unbalancedOrders: [
          { businessUnitId, eventId, orderId: orders[0], currency: 'EUR', received: 707 },
        ],
      });
      expect(await reconcile({ businessUnitId: shops[1].unitId })).toMatchObject({
        unbalanced: [],
      });
      expect((await reconcile({})).unbalancedOrders).toHaveLength(1);
    } finally {
      await change('- 7');
    }
  });
});

// The last test: it leaves an unmatched payment.
test('a payment of a known page with the id of another order pays neither order', async () => {
  const shop = await createSale(bus, { priceAmount: 701 });
  const [one, other] = [await createAwaitingPayment(shop), await createAwaitingPayment(shop)];
  const { id, attemptId, amount, currency } = await bus.sandboxSession(one.url);
  const session = { id, attemptId, orderId: other.id, paymentId: `pi_${id}`, amount, currency };
  expect(await notify(bus, { id: `evt_${id}`, type: 'session.paid', session })).toBe(200);
  await expect
    .poll(() => bus.operator.callUnchecked(reconcileCommerce, {}))
    .toMatchObject({
      unmatched: [
        {
          amount: 701,
          currency: 'EUR',
          businessUnitId: shop.unitId,
          eventId: shop.eventId,
          orderId: one.id,
          providerPaymentId: `pi_${id}`,
        },
      ],
      unbalanced: [],
    });
  for (const order of [one, other]) {
    expect((await shop.read(order.id)).status).toBe('awaiting_payment');
  }
  expect((await command(bus, shop, listRefunds)).refunds).toEqual([]);
});
