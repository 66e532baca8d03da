import {
  cancelEvent,
  getEventCancellation,
  previewEventCancel,
} from '@event-api/contracts/operator/event-cancellation';
import { setForm } from '@event-api/contracts/operator/forms';
import { findOrders } from '@event-api/contracts/operator/persons';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
import { summarizeSales } from '@event-api/contracts/operator/sales';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
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

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

/** Places and pays an order of open seats, behind those of `attendees`. */
async function sell(shop: SaleFixture, quantity: number, attendees: object[] = []): Promise<Body> {
  const items = [shop.ofType({ quantity, attendees })];
  const { id, totalAmount } = await shop.placed({ items, assignLater: true });
  const { body } = await shop.confirm(id, totalAmount === 0 ? {} : undefined);
  if (totalAmount > 0) await pay(body.paymentUrl);
  return shop.until(id, 'paid');
}

const assign = (shop: SaleFixture, order: Body, n: number, body: object = {}) =>
  shop.call('POST', `${shop.path}/orders/${order.id}/seats/${order.seats[n].id}/assign`, {
    body: { email: randomEmail(), ...body },
  });

const statusesOf = ({ seats }: Body) => seats.map(({ status }: Body) => status);
const reasonOf = ({ status, body }: { status: number; body: Body }) => [
  status,
  body.error?.details[0],
];

describe('an order with open seats', () => {
  test('holds them before it is paid and after, and each becomes a registration', async () => {
    const shop = await createSale(bus, { capacity: 3, priceAmount: 700 });
    const items = [shop.ofType({ quantity: 3, attendees: [{ email: randomEmail() }] })];
    const held = await shop.placed({ items, assignLater: true });
    expect(statusesOf(held)).toEqual(['assigned', 'open', 'open']);
    const early = await assign(shop, held, 1);
    expect(reasonOf(early)).toEqual([412, { reason: 'SEAT_NOT_OPEN', status: 'open' }]);
    expect(early.body.error.message).toContain('Assign it once its order is paid.');
    expect(await shop.availability()).toMatchObject({ held: 3, remaining: 0 });
    await pay((await shop.confirm(held.id)).body.paymentUrl);
    const paid = await shop.until(held.id, 'paid');
    expect(paid.seats).toMatchObject([
      { status: 'assigned', registrationId: expect.stringMatching(/^reg_/), amount: 700 },
      { status: 'open', registrationId: null, amount: 700 },
      { status: 'open', registrationId: null, amount: 700 },
    ]);
    expect(paid.registrationIds).toHaveLength(1);
    expect(paid.items[0].registrationIds).toEqual(paid.registrationIds);
    expect(await shop.availability()).toMatchObject({ held: 2, confirmed: 1, remaining: 0 });
    const email = randomEmail();
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const { status, body: assigned } = await assign(shop, paid, 2, { email, name: 'Grace' });
    expect([status, statusesOf(assigned)]).toEqual([200, ['assigned', 'open', 'assigned']]);
    const { registrationId } = assigned.seats[2];
    expect(assigned.registrations).toContainEqual({ id: registrationId, status: 'confirmed' });
    const registration = await expectStatus(shop.call, [
      'GET',
      `${shop.path}/registrations/${registrationId}`,
    ]);
    expect(registration).toMatchObject({ email, name: 'Grace', status: 'confirmed' });
    expect(await shop.read(paid.id)).toEqual(assigned);
    await eventually(async () => {
      const { changes } = await expectStatus(shop.call, ['GET', `/v1/changes?after=${cursor}`]);
      const told = changes.map(({ type, object }: Body) => `${type} ${object.id}`);
      expect(told).toContain(`registration.created ${registrationId}`);
      expect(told.filter((each: string) => each === `order.updated ${paid.id}`)).toHaveLength(1);
    });
    const { orders } = await command(bus, shop, findOrders, { orderIds: [paid.id] });
    expect(orders[0].seats[1]).toMatchObject({ status: 'open', email: null, registrationId: null });
  });

  test('assigns a seat to one person, however often it is asked', async () => {
    const shop = await createSale(bus);
    const order = await sell(shop, 2);
    const email = randomEmail();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => assign(shop, order, 0, { email })),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(reasonOf(await assign(shop, order, 0))).toEqual([
      412,
      { reason: 'SEAT_NOT_OPEN', status: 'assigned' },
    ]);
    expect(reasonOf(await assign(shop, order, 1, { email }))).toEqual([
      412,
      { reason: 'ATTENDEE_REGISTERED', field: 'email' },
    ]);
    expect(await shop.registrations()).toMatchObject([{ email }]);
    expect(statusesOf(await shop.read(order.id))).toEqual(['assigned', 'open']);
  });

  test('is assigned again only with the same details, and the first ones stay', async () => {
    const shop = await createSale(bus);
    const order = await sell(shop, 2);
    await command(bus, shop, setForm, {
      questions: [{ id: 'diet', label: 'Diet', type: 'text', required: false }],
    });
    const email = randomEmail();
    const details = { email, name: 'Ada', responses: { diet: 'none' } };
    const first = await assign(shop, order, 0, details);
    expect(first.status).toBe(200);
    const taken = [412, { reason: 'SEAT_NOT_OPEN', status: 'assigned' }];
    const { claimToken } = (
      await shop.call('POST', `${shop.path}/orders/${order.id}/claim-links`, { body: {} })
    ).body;
    const person = httpClient(bus.gatewayUrl, { authorization: `Bearer ${claimToken}` });
    const claim = (body: object) =>
      person('POST', `/v1/claims/${order.seats[0].id}/assign`, { body });
    for (const changed of [{ name: 'Eve' }, { responses: { diet: 'all' } }]) {
      const body = { ...details, ...changed };
      expect(reasonOf(await assign(shop, order, 0, body))).toEqual(taken);
      expect(reasonOf(await claim(body))).toEqual(taken);
    }
    for (const body of [details, { email: email.toUpperCase(), name: 'Ada' }, { email }]) {
      expect((await assign(shop, order, 0, body)).body).toEqual(first.body);
      expect((await claim(body)).status).toBe(200);
    }
    expect(await shop.registrations()).toMatchObject([details]);
    // At once, one of the names is stored, and only who has sent it hears of a success.
    const names = ['Ada', 'Bea', 'Cleo', 'Dora'];
    const other = randomEmail();
    const all = await Promise.all(
      names.map((name) => assign(shop, order, 1, { email: other, name })),
    );
    const stored = (await shop.registrations()).find((each: Body) => each.email === other);
    expect(names.filter((_, n) => all[n]?.status === 200)).toEqual([stored.name]);
  });

  test('says that a seat is cancelled whose attendee has cancelled', async () => {
    const shop = await createSale(bus);
    const order = await sell(shop, 1);
    const email = randomEmail();
    const { registrationId } = (await assign(shop, order, 0, { email })).body.seats[0];
    const path = `${shop.path}/registrations/${registrationId}/cancel`;
    await expectStatus(shop.call, ['POST', path]);
    expect(statusesOf(await shop.read(order.id))).toEqual(['cancelled']);
    for (const body of [{ email }, {}]) {
      expect(reasonOf(await assign(shop, order, 0, body))).toEqual([
        412,
        { reason: 'SEAT_NOT_OPEN', status: 'cancelled' },
      ]);
    }
  });

  test('is refunded with its open seats, which are free again', async () => {
    const shop = await createSale(bus, { capacity: 2, priceAmount: 500 });
    const order = await sell(shop, 2);
    await assign(shop, order, 0);
    await command(bus, shop, refundOrder, { orderId: order.id, all: true });
    const refunded = await shop.until(order.id, 'refunded');
    expect(statusesOf(refunded)[1]).toBe('cancelled');
    await eventually(async () => {
      expect(await shop.availability()).toMatchObject({ held: 0, confirmed: 0, remaining: 2 });
      expect(statusesOf(await shop.read(order.id))).toEqual(['cancelled', 'cancelled']);
    });
    expect(reasonOf(await assign(shop, order, 1))).toEqual([
      412,
      { reason: 'SEAT_NOT_OPEN', status: 'cancelled' },
    ]);
  });

  test('is refunded for one open seat, which is free again, and its sums leave it out', async () => {
    const shop = await createSale(bus, { capacity: 2, priceAmount: 500 });
    const order = await sell(shop, 2);
    const [{ id }] = order.seats;
    const refund = (fields: object) =>
      command(bus, shop, refundOrder, { orderId: order.id, registrationIds: [id], ...fields });
    await expect(refund({ keepRegistrations: true })).rejects.toThrow('registrationIds[0]');
    await refund({});
    expect(await shop.availability()).toMatchObject({ held: 1, remaining: 1 });
    expect(await shop.read(order.id)).toMatchObject({
      ...{ status: 'paid', refundedAmount: 500 },
      seats: [{ status: 'cancelled' }, { status: 'open' }],
    });
    expect(reasonOf(await assign(shop, order, 0))).toEqual([
      412,
      { reason: 'SEAT_NOT_OPEN', status: 'cancelled' },
    ]);
    const day = (fromToday: number) =>
      new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);
    for (const by of ['day', 'ticketType']) {
      const sales = await command(bus, shop, summarizeSales, { from: day(-2), to: day(3), by });
      const sums = [{ seats: 1, grossAmount: 1000, refundedAmount: 500 }];
      expect(sales).toMatchObject({ totals: sums, eventTotals: sums });
    }
    await refund({ registrationIds: [order.seats[1].id] });
    expect(await shop.read(order.id)).toMatchObject({ status: 'refunded', refundedAmount: 1000 });
    expect(await shop.availability()).toMatchObject({ held: 0, remaining: 2 });
  });

  test('is cancelled with its open seats if it is free', async () => {
    const shop = await createSale(bus, { capacity: 2 });
    const order = await sell(shop, 2);
    expect((await shop.cancel(order.id)).body).toMatchObject({ status: 'cancelled' });
    expect(await shop.availability()).toMatchObject({ held: 0, remaining: 2 });
  });

  test.each([
    ['none', 'paid'],
    ['full', 'refunded'],
  ])('loses its open seats with its event and the refund %s', async (refund, status) => {
    const shop = await createSale(bus, { capacity: 3, priceAmount: 500 });
    const order = await sell(shop, 2);
    await assign(shop, order, 0);
    const held = await shop.placed({ items: [shop.ofType()], assignLater: true });
    const preview = await command(bus, shop, previewEventCancel, { refund });
    const { expectedVersion, registrations } = preview;
    expect(registrations).toEqual({ confirmed: 1, pending: 0, waitlisted: 0, reservedSeats: 2 });
    await command(bus, shop, cancelEvent, { refund, expectedVersion });
    const cancelled = [412, { reason: 'EVENT_CANCELLED' }];
    // Whatever is cancelled by then.
    for (const [each, n] of [[order, 1] as const, [order, 0] as const, [held, 0] as const]) {
      expect(reasonOf(await assign(shop, each, n))).toEqual(cancelled);
    }
    await shop.until(order.id, status);
    await eventually(async () => {
      expect(statusesOf(await shop.read(order.id))).toEqual(['cancelled', 'cancelled']);
      expect(await shop.availability()).toMatchObject({ held: 0, confirmed: 0 });
      const { cancellation } = await command(bus, shop, getEventCancellation, {});
      expect(cancellation.registrations).toEqual({ total: 3, left: 0 });
    });
    expect(reasonOf(await assign(shop, order, 1))).toEqual(cancelled);
    expect(reasonOf(await assign(shop, held, 0))).toEqual(cancelled);
  });

  test('is the same in both services', async () => {
    const shop = await createSale(bus);
    await sell(shop, 2, [{ email: randomEmail() }]);
    const scope = { businessUnitId: shop.unitId };
    expect(await bus.operator.call(compareRestored, scope)).toMatchObject({ differences: [] });
  });

  test('names the seats that it has: others are a 404, also of another unit', async () => {
    const [shop, other] = [await createSale(bus), await createSale(bus)];
    const order = await sell(shop, 1);
    const body = { email: randomEmail() };
    const paths = [
      `${shop.path}/orders/${order.id}/seats/seat_other_1/assign`,
      `${other.path}/orders/${order.id}/seats/${order.seats[0].id}/assign`,
    ];
    for (const path of paths) {
      expect((await other.call('POST', path, { body })).status).toBe(404);
    }
    expect((await shop.call('POST', paths[0] ?? '', { body })).status).toBe(404);
  });

  test('requires approval of its attendees where the ticket type does, and only without a price', async () => {
    const free = await createSale(bus, { capacity: 1, requiresApproval: true });
    const order = await sell(free, 2);
    const { body: assigned } = await assign(free, order, 0);
    expect(assigned.registrations).toMatchObject([{ status: 'pending' }]);
    expect(await free.availability()).toMatchObject({ held: 0, confirmed: 0, remaining: 1 });
    const priced = await createSale(bus, { requiresApproval: true, priceAmount: 500 });
    const placed = await priced.place({ items: [priced.ofType()], assignLater: true });
    expect(reasonOf(placed)).toEqual([
      412,
      expect.objectContaining({ reason: 'APPROVAL_REQUIRED' }),
    ]);
  });
});
