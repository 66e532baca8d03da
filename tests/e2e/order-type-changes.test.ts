import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  randomEmail,
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

const reasonOf = ({ status, body }: TestResponse) => [status, body.error?.details[0].reason];

const execute = async (shop: SaleFixture, { id }: Body, quote: Body): Promise<Body> => {
  const { status, body } = await changeOrder(shop, id, { quoteId: quote.id });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};

const seatsOf = ({ seats }: Body) =>
  seats.map(({ ticketTypeId, amount }: Body) => [ticketTypeId, amount]);

const ofPolicy = { cause: 'refund_policy', registrationIds: [] };

describe('a seat gets another ticket type', () => {
  test('for exactly what was quoted, and keeps its registration and badge', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000, capacity: 5 });
    const order = await paidOrder(shop);
    const [{ registrationId }] = order.seats;
    const path = `${shop.path}/registrations/${registrationId}`;
    const before = await expectStatus(shop.call, ['GET', path]);
    const quote = await quoteTypes(shop, order, day.id, 0);
    const line = {
      ...{ seatId: order.seats[0].id, itemIndex: 0, quantity: 1, ticketTypeId: day.id },
      ...{ price: 4000, paid: 9000, refund: 4000, fee: 0, amountToPay: 0, band: 0, reason: 'band' },
    };
    expect(quote).toMatchObject({ lines: [line], refund: 4000, fee: 0, amountToPay: 0 });
    expect(seatsOf(await shop.read(order.id))).toEqual(seatsOf(order));
    const done = await execute(shop, order, quote);
    expect(done).toMatchObject({
      ...{ status: 'done', quote },
      order: { status: 'paid', totalAmount: 27_000, refundDueAmount: 4000, cancelledSeats: [] },
    });
    const rest = [shop.typeId, 9000];
    expect(seatsOf(done.order)).toEqual([[day.id, 4000], rest, rest]);
    expect(done.order.seats[0]).toMatchObject({ registrationId, status: 'assigned' });
    expect(await expectStatus(shop.call, ['GET', path])).toMatchObject({
      ...{ status: 'confirmed', registrationTypeId: day.id, checkinCode: before.checkinCode },
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 2 });
    expect(await day.availability()).toMatchObject({ confirmed: 1, remaining: 4 });
    expect(await readRefunds(bus, shop, order.id)).toEqual([
      { amount: 4000, state: 'due', ...ofPolicy },
    ]);
    // The same again changes nothing more.
    expect(await execute(shop, order, quote)).toMatchObject({ status: 'done', quote });
    expect(await readRefunds(bus, shop, order.id)).toHaveLength(1);
  });

  test('and what is paid back of it later is what is paid for it now', async () => {
    const policy = { automatic: true, bands: [{ daysBeforeStart: 0, percent: 100 }] };
    const shop = await createSaleWithPolicy(bus, policy);
    const day = await openType(shop, { priceAmount: 4000 });
    const order = await paidOrder(shop);
    await execute(shop, order, await quoteTypes(shop, order, day.id, 0, 1));
    expect(await shop.read(order.id)).toMatchObject({ refundedAmount: 10_000 });
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const { quote } = (await changeOrder(shop, order.id, body)).body;
    expect(quote).toMatchObject({ refund: 4000, lines: [{ paid: 4000 }] });
    await execute(shop, order, quote);
    const input = { orderId: order.id, registrationIds: [order.seats[1].registrationId] };
    await command(bus, shop, refundOrder, input);
    await command(bus, shop, refundOrder, { orderId: order.id, all: true });
    expect(await shop.until(order.id, 'refunded')).toMatchObject({ refundedAmount: 27_000 });
    const amounts = (await readRefunds(bus, shop, order.id)).map(({ amount }) => amount);
    expect(amounts.toSorted((a, b) => a - b)).toEqual([4000, 4000, 5000, 5000, 9000]);
  });

  test('that costs more, paid by a seat of the same quote that costs less', async () => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const [day, gold] = [
      await openType(shop, { priceAmount: 4000 }),
      await openType(shop, { priceAmount: 12_000 }),
    ];
    const order = await paidOrder(shop, 3);
    const changeTypes = [gold, day].map(({ id }, n) => ({
      ...{ seatId: order.seats[n].id, ticketTypeId: id },
    }));
    const { quote } = (await changeOrder(shop, order.id, { dryRun: true, changeTypes })).body;
    // 80 % of what the dearer type leaves of the difference of 5000.
    expect(quote).toMatchObject({ refund: 1600, amountToPay: 0, lines: [{ refund: 0 }, {}] });
    const done = await execute(shop, order, quote);
    expect(seatsOf(done.order)).toEqual([
      ...[gold, day].map(({ id, priceAmount }) => [id, priceAmount]),
      [shop.typeId, 9000],
    ]);
    expect(await gold.availability()).toMatchObject({ confirmed: 1 });
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const cancelled = (await changeOrder(shop, order.id, body)).body.quote;
    expect(cancelled).toMatchObject({ lines: [{ paid: 12_000 }] });
    const preview = await command(bus, shop, previewEventCancel, { refund: 'full' });
    const { expectedVersion } = preview;
    await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    // With the seats for 12 000, 4000 and 9000.
    await eventually(async () =>
      expect(await shop.read(order.id)).toMatchObject({ refundedAmount: 26_600 }),
    );
  });

  test('and a later change of its registration is compared with that', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const [day, other] = [
      await openType(shop, { priceAmount: 4000 }),
      await openType(shop, { priceAmount: 5000 }),
    ];
    const order = await paidOrder(shop, 1);
    await execute(shop, order, await quoteTypes(shop, order, day.id, 0));
    const path = `${shop.path}/registrations/${order.registrationIds[0]}`;
    const body = { registrationTypeId: other.id };
    expect(reasonOf(await shop.call('PATCH', path, { body }))).toEqual([412, 'PRICE_HIGHER']);
    // A change of the order takes the payment of the difference.
    expect(await quoteTypes(shop, order, other.id, 0)).toMatchObject({ amountToPay: 1000 });
  });

  test('together with seats and units that the same quote cancels', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000 });
    const path = `${shop.path}/addons`;
    const addon = await expectStatus(shop.call, ['POST', path, { name: 'Tour', priceAmount: 500 }]);
    await expectStatus(shop.call, ['PATCH', `${path}/${addon.id}`, { status: 'open' }]);
    const emails = [randomEmail(), randomEmail()];
    const order = await paidOrder(shop, 2, {
      email: emails[0],
      items: [
        shop.ofType({ quantity: 2, attendees: emails.map((email) => ({ email })) }),
        { itemType: 'addon', itemId: addon.id, quantity: 2 },
      ],
    });
    const { quote } = (
      await changeOrder(shop, order.id, {
        dryRun: true,
        cancelSeats: [order.seats[1].id],
        cancelAddons: [{ itemIndex: 1 }],
        changeTypes: [{ seatId: order.seats[0].id, ticketTypeId: day.id }],
      })
    ).body;
    expect(quote.lines.map(({ refund }: Body) => refund)).toEqual([6700, 4000, 400]);
    const { order: after } = await execute(shop, order, quote);
    expect(after).toMatchObject({
      ...{ refundDueAmount: 11_100, items: [{}, { cancelledQuantity: 1 }] },
      seats: [{ status: 'assigned', ticketTypeId: day.id }, { status: 'cancelled' }],
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 0 });
  });

  test('while it is open, and its attendee gets the new type', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000, capacity: 1 });
    const items = [shop.ofType({ quantity: 2 })];
    const order = await paidOrder(shop, 2, { items, assignLater: true });
    await execute(shop, order, await quoteTypes(shop, order, day.id, 1));
    const after = await shop.read(order.id);
    expect(after.seats[1]).toMatchObject({
      ...{ id: order.seats[1].id, status: 'open', ticketTypeId: day.id, amount: 4000 },
    });
    expect(await day.availability()).toMatchObject({ held: 1, remaining: 0 });
    expect(await shop.availability()).toMatchObject({ held: 1 });
    const assign = `${shop.path}/orders/${order.id}/seats/${order.seats[1].id}/assign`;
    const assigned = await shop.call('POST', assign, { body: { email: randomEmail() } });
    const { registrationId } = assigned.body.seats[1];
    expect(
      await expectStatus(shop.call, ['GET', `${shop.path}/registrations/${registrationId}`]),
    ).toMatchObject({ registrationTypeId: day.id, status: 'confirmed' });
    expect(await day.availability()).toMatchObject({ held: 0, confirmed: 1 });
  });

  test('and the first person of the waitlist gets its former seat', async () => {
    const shop = await createSaleWithPolicy(bus, {}, 30, { capacity: 2, allowWaitlist: true });
    const day = await openType(shop, { priceAmount: 4000 });
    const order = await paidOrder(shop, 2);
    const body = { email: randomEmail(), registrationTypeId: shop.typeId };
    const joined = await shop.call('POST', `${shop.path}/registrations`, { body });
    await execute(shop, order, await quoteTypes(shop, order, day.id, 0));
    const { id } = joined.body.registration;
    expect(
      await expectStatus(shop.call, ['GET', `${shop.path}/registrations/${id}`]),
    ).toMatchObject({ offerExpiresAt: expect.any(String) });
  });

  test('of a free order for a type that is free', async () => {
    const shop = await createSale(bus);
    const day = await openType(shop, { priceAmount: 0 });
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const { id } = await shop.placed();
    const order = (await shop.confirm(id, {})).body;
    const { order: after } = await execute(shop, order, await quoteTypes(shop, order, day.id, 0));
    expect(seatsOf(after)).toEqual([[day.id, 0]]);
    await eventually(async () => {
      const { changes } = await expectStatus(shop.call, ['GET', `/v1/changes?after=${cursor}`]);
      const told = (of: string): string[] =>
        changes.filter(({ object }: Body) => object.id === of).map(({ type }: Body) => type);
      const ofOrder = told(id);
      expect(ofOrder.slice(ofOrder.indexOf('order.paid') + 1)).toEqual(['order.updated']);
      expect(told(order.registrationIds[0]).at(-1)).toBe('registration.updated');
    });
  });

  test('and its event is cancelled: the buyer gets back what a change has not decided', async () => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const day = await openType(shop, { priceAmount: 4000 });
    const order = await paidOrder(shop, 2);
    await execute(shop, order, await quoteTypes(shop, order, day.id, 0));
    const preview = await command(bus, shop, previewEventCancel, { refund: 'full' });
    const { expectedVersion } = preview;
    await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    // 4000 of the difference of 5000, and the seats for 4000 and 9000.
    await eventually(async () =>
      expect(await shop.read(order.id)).toMatchObject({ refundedAmount: 17_000 }),
    );
  });
});

describe('a change of a ticket type is refused', () => {
  const cases: [string, (day: Body, shop: SaleFixture) => Promise<unknown>, string][] = [
    [
      'is sold out',
      (day, shop) => shop.placed({ items: [shop.ofType({ itemId: day.id })] }),
      'SOLD_OUT',
    ],
    ['is closed', (day) => day.set({ status: 'closed' }), 'NOT_ON_SALE'],
    ['requires approval', (day) => day.set({ requiresApproval: true }), 'NOT_ON_SALE'],
    ['costs something else', (day) => day.set({ priceAmount: 3000 }), 'QUOTE_EXPIRED'],
  ];
  test.each(cases)('if it %s since the quote, and nothing changes', async (_, act, reason) => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000, capacity: 1 });
    const order = await paidOrder(shop, 2);
    const quote = await quoteTypes(shop, order, day.id, 0);
    await act(day, shop);
    const before = await shop.read(order.id);
    expect(reasonOf(await changeOrder(shop, order.id, { quoteId: quote.id }))).toEqual([
      ...[412, reason],
    ]);
    const again = await changeOrder(shop, order.id, { quoteId: quote.id });
    expect(reasonOf(again)).toEqual([412, 'QUOTE_EXPIRED']);
    expect({ ...(await shop.read(order.id)), updatedAt: null }).toEqual({
      ...{ ...before, updatedAt: null },
    });
    expect(await readRefunds(bus, shop, order.id)).toEqual([]);
    expect(await shop.availability()).toMatchObject({ confirmed: 2 });
  });

  test.each([
    ['fewer seats than an order must have', { minPerOrder: 2 }, 'BELOW_ORDER_MINIMUM', 1],
    ['more seats than an order may have', { maxPerOrder: 1 }, 'ABOVE_ORDER_MAXIMUM', 2],
  ] as const)('if the order would have %s of it', async (_, limits, reason, count) => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000, ...limits });
    const order = await paidOrder(shop, 3);
    const quote = await quoteTypes(shop, order, day.id, ...Array(count).keys());
    const refused = await changeOrder(shop, order.id, { quoteId: quote.id });
    expect(refused.body.error.details).toMatchObject([
      { reason, field: 'quoteId', ticketTypeId: day.id, limit: 3 - count },
    ]);
    expect(await day.availability()).toMatchObject({ confirmed: 0 });
    const kept = await quoteTypes(shop, order, day.id, ...Array(3 - count).keys());
    await execute(shop, order, kept);
    expect(await day.availability()).toMatchObject({ confirmed: 3 - count });
  });

  test('if only one of two seats is left, for both', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000, capacity: 1 });
    const order = await paidOrder(shop, 2);
    const quote = await quoteTypes(shop, order, day.id, 0, 1);
    const refused = await changeOrder(shop, order.id, { quoteId: quote.id });
    expect(refused.body.error.details).toMatchObject([
      { reason: 'SOLD_OUT', seatId: order.seats[1].id, ticketTypeId: day.id },
    ]);
    expect(await day.availability()).toMatchObject({ confirmed: 0 });
  });

  test('with the field that is wrong', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const day = await openType(shop, { priceAmount: 4000 });
    const order = await paidOrder(shop, 1);
    const [{ id: seatId }] = order.seats;
    const fieldsOf = async (changes: object) => {
      const { status, body } = await changeOrder(shop, order.id, { dryRun: true, ...changes });
      return [status, body.error.details.map(({ field }: Body) => field)];
    };
    const to = (ticketTypeId: string, id = seatId) => ({ seatId: id, ticketTypeId });
    expect(await fieldsOf({ changeTypes: [to('tt_x')] })).toEqual([
      ...[400, ['changeTypes[0].ticketTypeId']],
    ]);
    expect(await fieldsOf({ changeTypes: [to(shop.typeId)] })).toEqual([
      ...[400, ['changeTypes[0].ticketTypeId']],
    ]);
    expect(await fieldsOf({ changeTypes: [to(day.id, 'seat_x')] })).toEqual([
      ...[400, ['changeTypes[0].seatId']],
    ]);
    expect(await fieldsOf({ changeTypes: [to(day.id), to(day.id)] })).toEqual([
      ...[400, ['changeTypes[1].seatId']],
    ]);
    expect(await fieldsOf({ cancelSeats: [seatId], changeTypes: [to(day.id)] })).toEqual([
      ...[400, ['changeTypes[0].seatId']],
    ]);
    expect(await fieldsOf({ dryRun: false, quoteId: 'quo_1', changeTypes: [to(day.id)] })).toEqual([
      ...[400, ['changeTypes']],
    ]);
  });
});
