import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
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
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';
import { openType } from './fixtures/type-changes.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const change = (
  shop: SaleFixture,
  orderId: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  shop.call('POST', `${shop.path}/orders/${orderId}/changes`, { body, headers });

/** Quotes or executes a change. Errors: any other status than 200. */
async function changed(shop: SaleFixture, orderId: string, body: object): Promise<Body> {
  const response = await change(shop, orderId, body);
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return response.body;
}

const quoteOf = (shop: SaleFixture, { id, seats }: Body, ...indexes: number[]): Promise<Body> =>
  changed(shop, id, { dryRun: true, cancelSeats: indexes.map((n) => seats[n].id) });

const reasonOf = ({ status, body }: TestResponse) => [status, body.error?.details[0].reason];

describe('a change of an order', () => {
  test('quotes what the policy pays back and changes nothing', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop);
    const before = await shop.read(order.id);
    const { status, quote } = await quoteOf(shop, order, 2, 0);
    const line = {
      ...{ itemIndex: 0, quantity: 1, paid: 9000, refund: 6700, fee: 500, amountToPay: 0 },
      ...{ band: 0, reason: 'band', isLimited: false, ticketTypeId: null, price: null },
    };
    expect([status, quote]).toEqual([
      'quoted',
      {
        ...{ id: expect.stringMatching(/^quo_/), expiresAt: expect.any(String), currency: 'EUR' },
        ...{ refund: 13_400, fee: 1000, amountToPay: 0 },
        lines: [2, 0].map((n) => ({ seatId: order.seats[n].id, ...line })),
      },
    ]);
    const minutes = (Date.parse(quote.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThan(11);
    expect(await shop.read(order.id)).toEqual(before);
    expect(await readRefunds(bus, shop, order.id)).toEqual([]);
    expect(await shop.availability()).toMatchObject({ confirmed: 3 });
  });

  test('does what was quoted: the seat is free at once, and its refund is due', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop);
    const { quote } = await quoteOf(shop, order, 1);
    const done = await changed(shop, order.id, { quoteId: quote.id });
    const [id] = [order.seats[1].registrationId];
    expect(done).toMatchObject({
      ...{ status: 'done', quote },
      order: {
        ...{ status: 'paid', refundDueAmount: 6700, refundedAmount: 0 },
        cancelledSeats: [{ registrationId: id, paidAmount: 9000, refundAmount: 6700 }],
        seats: [{ status: 'assigned' }, { status: 'cancelled' }, { status: 'assigned' }],
      },
    });
    const due = { amount: 6700, state: 'due', cause: 'refund_policy', registrationIds: [id] };
    expect(done.order.cancelledSeats[0].cancelledAt).toMatch(/\.\d{3}Z$/);
    expect(await readRefunds(bus, shop, order.id)).toEqual([due]);
    expect(await shop.availability()).toMatchObject({ confirmed: 2, remaining: 18 });
    await command(bus, shop, refundOrder, { orderId: order.id, onlyDue: true });
    expect(await readRefunds(bus, shop, order.id)).toEqual([{ ...due, state: 'done' }]);
    expect(await shop.read(order.id)).toMatchObject({ status: 'paid', refundedAmount: 6700 });
  });

  test('is refunded at once by an automatic policy, and the order ends with its last seat', async () => {
    const policy = { automatic: true, bands: [{ daysBeforeStart: 0, percent: 100 }] };
    const shop = await createSaleWithPolicy(bus, policy);
    const order = await paidOrder(shop);
    const first = await quoteOf(shop, order, 0);
    expect(await changed(shop, order.id, { quoteId: first.quote.id })).toMatchObject({
      order: { status: 'paid', refundedAmount: 9000, refundDueAmount: 0 },
    });
    const rest = await quoteOf(shop, order, 1, 2);
    await changed(shop, order.id, { quoteId: rest.quote.id });
    expect(await shop.until(order.id, 'refunded')).toMatchObject({ refundedAmount: 27_000 });
    expect(await shop.availability()).toMatchObject({ confirmed: 0 });
  });

  test('gives the seat to the first person of the waitlist', async () => {
    const type = { capacity: 2, allowWaitlist: true };
    const shop = await createSaleWithPolicy(bus, {}, 30, type);
    const order = await paidOrder(shop, 2);
    const body = { email: randomEmail(), registrationTypeId: shop.typeId };
    const joined = await shop.call('POST', `${shop.path}/registrations`, { body });
    expect(joined.body.registration).toMatchObject({ status: 'waitlisted', offerExpiresAt: null });
    const { quote } = await quoteOf(shop, order, 0);
    await changed(shop, order.id, { quoteId: quote.id });
    const waiting = await shop.call(
      'GET',
      `${shop.path}/registrations/${joined.body.registration.id}`,
    );
    expect(waiting.body).toMatchObject({ offerExpiresAt: expect.any(String) });
  });

  test('of a free order cancels its seat', async () => {
    const shop = await createSale(bus);
    const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
    const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
    const order = (await shop.confirm(id, {})).body;
    const { quote } = await quoteOf(shop, order, 1);
    expect(quote).toMatchObject({ refund: 0, lines: [{ paid: 0, reason: 'no_bands' }] });
    expect(await changed(shop, id, { quoteId: quote.id })).toMatchObject({
      order: { status: 'paid', seats: [{ status: 'assigned' }, { status: 'cancelled' }] },
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 1 });
  });

  test('is told to the feed as a change of refunds', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const order = await paidOrder(shop, 1);
    const { quote } = await quoteOf(shop, order, 0);
    await changed(shop, order.id, { quoteId: quote.id });
    await eventually(async () => {
      const { changes } = await expectStatus(shop.call, ['GET', `/v1/changes?after=${cursor}`]);
      const told = (id: string): string[] =>
        changes.filter(({ object }: Body) => object.id === id).map(({ type }: Body) => type);
      // The feed follows the order.
      const ofOrder = told(order.id);
      expect(ofOrder.slice(ofOrder.indexOf('order.paid') + 1)).toEqual(['order.refund_changed']);
      expect(told(order.registrationIds[0]).at(-1)).toBe('registration.cancelled');
    });
  });
});

describe('units of an add-on', () => {
  /** An add-on with six units for 1000 each. */
  async function createTour(shop: SaleFixture): Promise<Body> {
    const path = `${shop.path}/addons`;
    const fields = { name: 'Tour', priceAmount: 1000, capacity: 6 };
    const addon = await expectStatus(shop.call, ['POST', path, fields]);
    await expectStatus(shop.call, ['PATCH', `${path}/${addon.id}`, { status: 'open' }]);
    return { ...addon, read: () => expectStatus(shop.call, ['GET', `${path}/${addon.id}`]) };
  }

  /** An order of two seats, of three tours for its buyer and of one for the second person. */
  async function orderOfTours(shop: SaleFixture, tour: Body): Promise<Body> {
    const [email, other] = [randomEmail(), randomEmail()];
    const item = { itemType: 'addon', itemId: tour.id };
    return paidOrder(shop, 2, {
      email,
      items: [
        shop.ofType({ quantity: 2, attendees: [{ email }, { email: other }] }),
        { ...item, quantity: 3 },
        { ...item, quantity: 1, attendees: [{ email: other }] },
      ],
    });
  }

  const remaining = async (tour: Body) => (await tour.read()).availability.remaining;

  test('are paid back by the percentage of their band and are on sale again', async () => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const tour = await createTour(shop);
    const order = await orderOfTours(shop, tour);
    expect(await remaining(tour)).toBe(2);
    const registrationId = order.seats[1].registrationId;
    const cancelAddons = [
      { itemIndex: 1, quantity: 2 },
      { itemIndex: 2, registrationId },
    ];
    const { quote } = await changed(shop, order.id, { dryRun: true, cancelAddons });
    const line = { seatId: null, fee: 0, amountToPay: 0, band: 0, reason: 'band' };
    expect(quote).toMatchObject({
      ...{ refund: 2400, fee: 0 },
      lines: [
        { ...line, itemIndex: 1, quantity: 2, paid: 2000, refund: 1600 },
        { ...line, itemIndex: 2, quantity: 1, paid: 1000, refund: 800 },
      ],
    });
    const done = await changed(shop, order.id, { quoteId: quote.id });
    expect(done.order).toMatchObject({
      ...{ status: 'paid', cancelledSeats: [], refundDueAmount: 0, refundedAmount: 2400 },
      items: [{ cancelledQuantity: 0 }, { cancelledQuantity: 2 }, { cancelledQuantity: 1 }],
    });
    const ended = { cancelledAt: expect.any(String), band: 0, reason: 'band' };
    const { cancelledAddons } = await shop.read(order.id);
    expect(cancelledAddons).toEqual(done.order.cancelledAddons);
    expect(cancelledAddons).toEqual([
      {
        ...{ ...ended, itemIndex: 1, registrationId: null, quantity: 2 },
        ...{ paidAmount: 2000, refundAmount: 1600, keptAmount: 400 },
      },
      {
        ...{ ...ended, itemIndex: 2, registrationId, quantity: 1 },
        ...{ paidAmount: 1000, refundAmount: 800, keptAmount: 200 },
      },
    ]);
    expect(await remaining(tour)).toBe(5);
    const rows = await bus.database.sql(
      'select registration_id as id, quantity from registration.registration_addon where order_id = $1',
      [order.id],
    );
    expect(rows).toEqual([{ id: order.seats[0].registrationId, quantity: 1 }]);
  });

  test('are paid back, and the ticket that was free stays', async () => {
    const policy = { automatic: true, bands: [{ daysBeforeStart: 0, percent: 100 }] };
    const shop = await createSaleWithPolicy(bus, policy, 30, { priceAmount: 0 });
    const tour = await createTour(shop);
    const email = randomEmail();
    const { id } = await shop.placed({
      email,
      items: [shop.ofType({ attendees: [{ email }] }), { itemType: 'addon', itemId: tour.id }],
    });
    await pay((await shop.confirm(id)).body.paymentUrl);
    await shop.until(id, 'paid');
    const cancelAddons = [{ itemIndex: 1, quantity: 1 }];
    const { quote } = await changed(shop, id, { dryRun: true, cancelAddons });
    await changed(shop, id, { quoteId: quote.id });
    await eventually(async () => {
      expect(await readRefunds(bus, shop, id)).toMatchObject([{ amount: 1000, state: 'done' }]);
    });
    expect(await shop.read(id)).toMatchObject({
      ...{ status: 'paid', refundedAmount: 1000, seats: [{ status: 'assigned' }] },
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 1 });
  });

  test('are not paid back again with the seat of their attendee', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const tour = await createTour(shop);
    const order = await orderOfTours(shop, tour);
    const cancelAddons = [{ itemIndex: 1, quantity: 1 }];
    const { quote } = await changed(shop, order.id, { dryRun: true, cancelAddons });
    await changed(shop, order.id, { quoteId: quote.id });
    const rest = await quoteOf(shop, order, 0);
    // The seat, and the two tours that are left.
    expect(rest.quote.lines).toMatchObject([{ paid: 11_000, refund: 6700 + 1600, fee: 500 }]);
    await changed(shop, order.id, { quoteId: rest.quote.id });
    expect(await shop.read(order.id)).toMatchObject({ refundDueAmount: 800 + 6700 + 1600 });
    expect(await remaining(tour)).toBe(5);
  });

  test('are cancelled once, however often the quote is sent', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const tour = await createTour(shop);
    const order = await orderOfTours(shop, tour);
    const cancelAddons = [{ itemIndex: 1, quantity: 1 }];
    const { quote } = await changed(shop, order.id, { dryRun: true, cancelAddons });
    const send = () => change(shop, order.id, { quoteId: quote.id });
    const responses = await Promise.all(Array.from({ length: 8 }, send));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await shop.read(order.id)).toMatchObject({
      ...{ refundDueAmount: 800, items: [{}, { cancelledQuantity: 1 }, {}] },
    });
    expect(await remaining(tour)).toBe(3);
  });

  test('that the order does not have are refused, with the field', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await orderOfTours(shop, await createTour(shop));
    const fieldOf = async (addon: object, cancelSeats: string[] = []) => {
      const body = { dryRun: true, cancelSeats, cancelAddons: [addon] };
      const { status, body: refused } = await change(shop, order.id, body);
      return [status, refused.error.details[0].field];
    };
    expect(await fieldOf({ itemIndex: 0 })).toEqual([400, 'cancelAddons[0].itemIndex']);
    expect(await fieldOf({ itemIndex: 2 })).toEqual([400, 'cancelAddons[0].registrationId']);
    const tooMany = [400, 'cancelAddons[0].quantity'];
    expect(await fieldOf({ itemIndex: 1, quantity: 4 })).toEqual(tooMany);
    expect(await fieldOf({ itemIndex: 1 }, [order.seats[0].id])).toEqual([400, 'cancelAddons[0]']);
  });
});

describe('an open seat', () => {
  const openOrder = (shop: SaleFixture): Promise<Body> =>
    paidOrder(shop, 2, { items: [shop.ofType({ quantity: 2 })], assignLater: true });
  const assign = (shop: SaleFixture, { id, seats }: Body, body: object) =>
    shop.call('POST', `${shop.path}/orders/${id}/seats/${seats[0].id}/assign`, { body });

  test('is cancelled by a quote, and nobody gets it any more', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await openOrder(shop);
    const { quote } = await quoteOf(shop, order, 0);
    expect(quote).toMatchObject({ refund: 6700, lines: [{ paid: 9000 }] });
    expect(await changed(shop, order.id, { quoteId: quote.id })).toMatchObject({
      order: { refundDueAmount: 6700, seats: [{ status: 'cancelled' }, { status: 'open' }] },
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 1, remaining: 19 });
    const refused = await assign(shop, order, { email: randomEmail() });
    expect(reasonOf(refused)).toEqual([412, 'SEAT_NOT_OPEN']);
    expect(
      reasonOf(await change(shop, order.id, { dryRun: true, cancelSeats: [order.seats[0].id] })),
    ).toEqual([412, 'SEAT_CANCELLED']);
  });

  test.each<[string, (seatId: string, typeId: string) => object]>([
    ['cancels it', (id) => ({ cancelSeats: [id] })],
    ['changes its type', (seatId, ticketTypeId) => ({ changeTypes: [{ seatId, ticketTypeId }] })],
  ])('that is assigned after a quote that %s stays with its attendee', async (_, body) => {
    const shop = await createSaleWithPolicy(bus, {});
    const other = await openType(shop, { priceAmount: 1000, capacity: 5 });
    const order = await openOrder(shop);
    const asked = { dryRun: true, ...body(order.seats[0].id, other.id) };
    const { quote } = await changed(shop, order.id, asked);
    const assigned = await assign(shop, order, { email: randomEmail() });
    const refused = await change(shop, order.id, { quoteId: quote.id });
    expect(reasonOf(refused)).toEqual([412, 'QUOTE_EXPIRED']);
    expect((await shop.read(order.id)).seats).toEqual(assigned.body.seats);
  });

  /** Waits until the order shows the cancelled seat, and its policy is applied to it. */
  const untilCancelled = (shop: SaleFixture, orderId: string, isAssigned: boolean) =>
    eventually(async () => {
      const { registrationId, status } = (await shop.read(orderId)).seats[0];
      const isTold = !isAssigned || registrationId !== null;
      if (!isTold || status !== 'cancelled') throw new Error('the message is missing');
      const undecided = await bus.database.sql(
        'select from commerce.cancelled_seat where order_id = $1 and decided_at is null',
        [orderId],
      );
      if (undecided.length > 0) throw new Error('undecided');
    });

  test('that is assigned while its quote is executed is paid back once, with its registration', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const orders = await Promise.all(Array.from({ length: 6 }, () => openOrder(shop)));
    for (const order of orders) {
      const { quote } = await quoteOf(shop, order, 0);
      const [assigned, executed] = await Promise.all([
        assign(shop, order, { email: randomEmail() }),
        change(shop, order.id, { quoteId: quote.id }),
      ]);
      if (executed.status !== 200) {
        // The assignment was stored first: the quote was about a seat without an attendee.
        expect([assigned.status, ...reasonOf(executed)]).toEqual([200, 412, 'QUOTE_EXPIRED']);
        const next = await quoteOf(shop, order, 0);
        await changed(shop, order.id, { quoteId: next.quote.id });
      }
      await untilCancelled(shop, order.id, assigned.status === 200);
      expect(await readRefunds(bus, shop, order.id)).toMatchObject([{ amount: 6700 }]);
      const { cancelledSeats } = await shop.read(order.id);
      expect(cancelledSeats).toMatchObject([{ refundAmount: 6700, reason: 'band' }]);
    }
    const active = (await shop.registrations()).filter(({ status }) => status !== 'cancelled');
    expect(active).toEqual([]);
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 6 });
  });

  test('that is cancelled before its order shows its assignment gets what the policy promises', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const [order, other] = [await openOrder(shop), await paidOrder(shop, 1)];
    const { body } = await assign(shop, order, { email: randomEmail() });
    const [{ id: seatId, registrationId }] = body.seats;
    // The message of the registration would have the sweep store it.
    await eventually(async () => {
      const received = 'select from commerce.registration_projection where id = $1 and version > 0';
      expect(await bus.database.sql(received, [registrationId])).toHaveLength(1);
    });
    // As if the process that has assigned the seat had ended before it stored it.
    await bus.database.sql(
      'update commerce.order_line set registration_ids = array_replace(registration_ids, $1, $2) where order_id = $3',
      [registrationId, seatId, order.id],
    );
    await bus.database.sql(
      `insert into commerce.seat_assignment (seat_id, order_id, registration_id, business_unit_id, event_id, last_attempt_at)
       values ($1, $2, $3, $4, $5, 'infinity')`,
      [seatId, order.id, registrationId, shop.unitId, shop.eventId],
    );
    for (const id of [registrationId, other.registrationIds[0]]) {
      await expectStatus(shop.call, ['POST', `${shop.path}/registrations/${id}/cancel`]);
    }
    // The sweep takes the oldest first: it has passed the seat.
    await eventually(async () => {
      expect(await readRefunds(bus, shop, other.id)).toMatchObject([{ amount: 6700 }]);
    });
    expect((await shop.read(order.id)).cancelledSeats).toEqual([]);
    await bus.database.sql(
      `update commerce.seat_assignment set last_attempt_at = '-infinity' where seat_id = $1`,
      [seatId],
    );
    await eventually(async () => {
      expect(await readRefunds(bus, shop, order.id)).toMatchObject([
        { amount: 6700, registrationIds: [registrationId] },
      ]);
    });
  });

  test('that is assigned while an operator refunds it is paid back once', async () => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const orders = await Promise.all(Array.from({ length: 9 }, () => openOrder(shop)));
    for (const order of orders) {
      const refund = { orderId: order.id, registrationIds: [order.seats[0].id] };
      const [assigned, isRefunded] = await Promise.all([
        assign(shop, order, { email: randomEmail() }),
        command(bus, shop, refundOrder, refund).then(
          () => true,
          () => false,
        ),
      ]);
      // The seat is assigned before the refund, which then names nothing of the order.
      if (!isRefunded) {
        expect(assigned.status).toBe(200);
        expect(await readRefunds(bus, shop, order.id)).toEqual([]);
        continue;
      }
      await untilCancelled(shop, order.id, assigned.status === 200);
      expect(await readRefunds(bus, shop, order.id)).toMatchObject([{ amount: 9000 }]);
    }
  });
});

describe('a quote', () => {
  test('is executed once, however often it is sent', async () => {
    const shop = await createSaleWithPolicy(bus, { automatic: true });
    const order = await paidOrder(shop);
    const { quote } = await quoteOf(shop, order, 0);
    const send = () => change(shop, order.id, { quoteId: quote.id });
    const responses = await Promise.all(Array.from({ length: 8 }, send));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await send()).body).toMatchObject({ status: 'done', quote });
    await eventually(async () =>
      expect(await readRefunds(bus, shop, order.id)).toMatchObject([
        { amount: 6700, state: 'done' },
      ]),
    );
  });

  test('is the same for a repeated request with its key', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop, 1);
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const headers = { 'idempotency-key': `quote-${order.id}` };
    const responses = [];
    for (let n = 0; n < 2; n++) responses.push(await change(shop, order.id, body, headers));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses[1]?.body.quote).toEqual(responses[0]?.body.quote);
  });

  test('says that an earlier refund has left less than the band pays back', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop, 1);
    await command(bus, shop, refundOrder, { orderId: order.id, amount: 2000 });
    const { quote } = await quoteOf(shop, order, 0);
    expect(quote).toMatchObject({ refund: 6700, fee: 300, lines: [{ isLimited: false }] });
    await command(bus, shop, refundOrder, { orderId: order.id, amount: 1000 });
    const limited = await quoteOf(shop, order, 0);
    expect(limited.quote).toMatchObject({ refund: 6000, fee: 0, lines: [{ isLimited: true }] });
    expect(reasonOf(await change(shop, order.id, { quoteId: quote.id }))).toEqual([
      ...[412, 'QUOTE_EXPIRED'],
    ]);
  });

  test('of an order is missing for another one', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const [order, other] = [await paidOrder(shop, 1), await paidOrder(shop, 1)];
    const { quote } = await quoteOf(shop, order, 0);
    const responses = [
      await change(shop, other.id, { quoteId: quote.id }),
      await change(shop, order.id, { quoteId: 'quo_1' }),
    ];
    for (const { status, body } of responses) {
      expect([status, body.error.message]).toEqual([
        ...[404, 'quoteId does not match a record of this order'],
      ]);
    }
  });

  const expiries: [string, (shop: SaleFixture, order: Body, quote: Body) => Promise<unknown>][] = [
    [
      'its time is over',
      (_shop, _order, quote) =>
        bus.database.sql(
          'update commerce.order_change set expires_at = clock_timestamp() where id = $1',
          [quote.id],
        ),
    ],
    [
      'the event moves into the next band',
      (shop) =>
        expectStatus(shop.call, [
          'PATCH',
          shop.path,
          { startsAt: new Date(Date.now() + 5 * 86_400_000), confirmAgendaReset: true },
        ]),
    ],
    [
      'its seat is cancelled',
      async (shop, order) => {
        await expectStatus(shop.call, [
          'POST',
          `${shop.path}/registrations/${order.seats[0].registrationId}/cancel`,
        ]);
        // The sweep decides about the seat.
        await eventually(async () =>
          expect(await readRefunds(bus, shop, order.id)).toMatchObject([{ amount: 6700 }]),
        );
      },
    ],
    [
      'an operator refunds its seat',
      (shop, order) =>
        command(bus, shop, refundOrder, {
          ...{ orderId: order.id, registrationIds: [order.seats[0].registrationId] },
          keepRegistrations: true,
        }),
    ],
    [
      'another quote has cancelled the seat',
      async (shop, order) => {
        const { quote } = await quoteOf(shop, order, 0, 1);
        await changed(shop, order.id, { quoteId: quote.id });
      },
    ],
  ];
  test.each(expiries)('expires when %s, and nothing changes', async (_, act) => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop);
    const { quote } = await quoteOf(shop, order, 0);
    await act(shop, order, quote);
    const registrations = await shop.registrations();
    const refunds = await readRefunds(bus, shop, order.id);
    expect(reasonOf(await change(shop, order.id, { quoteId: quote.id }))).toEqual([
      ...[412, 'QUOTE_EXPIRED'],
    ]);
    expect(await shop.registrations()).toEqual(registrations);
    expect(await readRefunds(bus, shop, order.id)).toEqual(refunds);
    const rows = await bus.database.sql('select state from commerce.order_change where id = $1', [
      quote.id,
    ]);
    expect(rows).toEqual([{ state: 'quoted' }]);
  });

  test('of an archived event is refused as a new one is', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop, 1);
    const { quote } = await quoteOf(shop, order, 0);
    await expectStatus(shop.call, ['POST', `${shop.path}/archive`]);
    for (const body of [
      { quoteId: quote.id },
      { dryRun: true, cancelSeats: [order.seats[0].id] },
    ]) {
      expect(reasonOf(await change(shop, order.id, body))).toEqual([412, 'EVENT_ARCHIVED']);
    }
  });

  test('stays when a later policy is set, because the order keeps its own', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop, 1);
    const { quote } = await quoteOf(shop, order, 0);
    const none = { text: 'Nothing', bands: [{ daysBeforeStart: 14, percent: 0 }] };
    await command(bus, shop, setRefundPolicy, none);
    expect(await changed(shop, order.id, { quoteId: quote.id })).toMatchObject({
      order: { refundDueAmount: 6700 },
    });
  });
});

describe('a change is refused', () => {
  test('for an order that is not paid, with what to do instead', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await shop.placed();
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const refused = await change(shop, order.id, body);
    expect(refused.body.error).toMatchObject({
      message: 'The order is not paid yet. Cancel it, or change it once it is paid.',
      details: [{ reason: 'ORDER_NOT_PAID', status: 'held' }],
    });
    expect((await shop.cancel(order.id)).status).toBe(200);
    expect((await change(shop, order.id, body)).body.error).toMatchObject({
      message: 'The order is cancelled and cannot be changed any more.',
      details: [{ reason: 'ORDER_NOT_PAID', status: 'cancelled' }],
    });
  });

  test('for a seat that is cancelled, and without it the others are quoted', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop);
    const { quote } = await quoteOf(shop, order, 1);
    await changed(shop, order.id, { quoteId: quote.id });
    const [first, second] = order.seats.map(({ id }: Body) => id);
    const refused = await change(shop, order.id, { dryRun: true, cancelSeats: [first, second] });
    expect(refused.body.error).toMatchObject({
      message: `The seat ${second} is cancelled already. Leave it out.`,
      details: [{ reason: 'SEAT_CANCELLED', field: 'cancelSeats[1]', seatId: second }],
    });
    expect((await quoteOf(shop, order, 0)).quote.refund).toBe(6700);
  });

  test('for an event that has ended or is archived', async () => {
    const shop = await createSaleWithPolicy(bus, {});
    const order = await paidOrder(shop, 1);
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const [startsAt, endsAt] = [-2, -1].map((days) => new Date(Date.now() + days * 86_400_000));
    await expectStatus(shop.call, [
      'PATCH',
      shop.path,
      { startsAt, endsAt, confirmAgendaReset: true },
    ]);
    expect(reasonOf(await change(shop, order.id, body))).toEqual([412, 'EVENT_ENDED']);
    await expectStatus(shop.call, ['POST', `${shop.path}/archive`]);
    expect(reasonOf(await change(shop, order.id, body))).toEqual([412, 'EVENT_ARCHIVED']);
  });

  const seat = 'seat_01k8zq4m3ne7rbj5t2xw9vd6ah_1';
  test.each<[string, object, string[]]>([
    ['without a quote', {}, ['quoteId required']],
    ['without a change', { dryRun: true }, ['cancelSeats required']],
    [
      'with a seat twice',
      { dryRun: true, cancelSeats: [seat, seat] },
      ['cancelSeats[1] invalid_value'],
    ],
    [
      'with a quote and its changes',
      { dryRun: true, quoteId: 'quo_1', cancelSeats: [seat] },
      ['dryRun invalid_value', 'cancelSeats invalid_value'],
    ],
    [
      'with a seat of another order',
      { dryRun: true, cancelSeats: [seat] },
      ['cancelSeats[0] not_found'],
    ],
  ])('%s as malformed', async (_, body, fields) => {
    const shop = await createSaleWithPolicy(bus, {});
    const { id } = await shop.placed();
    await bus.database.sql(`update commerce.customer_order set status = 'paid' where id = $1`, [
      id,
    ]);
    const { status, body: refused } = await change(shop, id, body);
    const codes = refused.error.details.map(({ field, code }: Body) => `${field} ${code}`);
    expect([status, codes]).toEqual([400, fields]);
    await bus.database.sql(`update commerce.customer_order set status = 'held' where id = $1`, [
      id,
    ]);
  });

  test('of another business unit, which has no such order', async () => {
    const [shop, other] = [await createSaleWithPolicy(bus, {}), await createSale(bus)];
    const order = await paidOrder(shop, 1);
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const path = `${shop.path}/orders/${order.id}/changes`;
    expect((await other.call('POST', path, { body })).status).toBe(404);
  });
});
