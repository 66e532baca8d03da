import { createAddon } from '@event-api/contracts/http/addons';
import type { Operation } from '@event-api/contracts/operation';
import {
  cancelEvent,
  getEventCancellation,
  previewEventCancel,
} from '@event-api/contracts/operator/event-cancellation';
import { findOrders } from '@event-api/contracts/operator/persons';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { listRefunds, refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  notifyLatePayment,
  notifyPaid,
  paidWithoutNotification,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import {
  cancelOnce,
  expectEmptyEvent,
  progressOf,
  untilCancelled,
} from './fixtures/event-cancellation.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const preview = (shop: SaleFixture, refund = 'full'): Promise<Body> =>
  command(bus, shop, previewEventCancel, { refund });

const cancel = (shop: SaleFixture, refund = 'full') => cancelOnce(bus, shop, refund);
const progress = (shop: SaleFixture) => progressOf(bus, shop);
const untilFinished = (shop: SaleFixture) => untilCancelled(bus, shop);

async function paid(shop: SaleFixture, seats = 1): Promise<Body> {
  const attendees = Array.from({ length: seats }, () => ({ email: randomEmail() }));
  const { id } = await shop.placed({ items: [shop.ofType({ quantity: seats, attendees })] });
  const { body } = await shop.confirm(id);
  if (body.paymentUrl) await pay(body.paymentUrl);
  return shop.until(id, 'paid');
}

const register = (shop: SaleFixture, fields: object = {}): Promise<Body> =>
  expectStatus(
    shop.call,
    [
      'POST',
      `${shop.path}/registrations`,
      { email: randomEmail(), registrationTypeId: shop.typeId, ...fields },
    ],
    201,
  );

/** What the client of operators throws. */
const refusal = (detail: object) => ({
  ...{ status: 412, envelope: { error: { details: [detail] } } },
});

const reasonOf = ({ status, body }: Body) => [status, body.error?.details[0].reason];

/** What must hold for an event whose cancellation is finished. */
async function expectEmpty(shop: SaleFixture): Promise<void> {
  await expectEmptyEvent(bus, shop);
  expect(await shop.availability()).toMatchObject({ confirmed: 0, waitlisted: 0, held: 0 });
}

const refundsOf = async (shop: SaleFixture): Promise<Body[]> =>
  (await command(bus, shop, listRefunds, {})).refunds;

describe('a cancelled event', () => {
  test('refunds everybody, ends what is open and cancels every registration', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 5, allowWaitlist: true });
    const [one, three] = [await paid(shop), await paid(shop, 3)];
    const awaiting = await createAwaitingPayment(shop);
    const { registration: waiting } = await register(shop);
    expect(waiting.status).toBe('waitlisted');
    const shown = await preview(shop);
    expect(shown).toMatchObject({
      registrations: { confirmed: 4, pending: 0, waitlisted: 1, reservedSeats: 1 },
      orders: { paid: 2, held: 0, awaitingPayment: 1 },
      refunds: [{ currency: 'EUR', orders: 2, amount: 4000 }],
    });
    expect(await progress(shop)).toBeNull();
    const { expectedVersion } = shown;
    const event = await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    expect(event).toMatchObject({ status: 'archived', cancelledAt: expect.any(String) });
    expect(await expectStatus(shop.call, ['GET', shop.path])).toEqual(event);
    expect(reasonOf(await shop.place())).toEqual([412, 'EVENT_ARCHIVED']);
    expect(await untilFinished(shop)).toMatchObject({
      refund: 'full',
      openOrders: { left: 0 },
      registrations: { total: 6, left: 0 },
      orders: { total: 2, left: 0 },
      refunds: [{ currency: 'EUR', sent: 4000, pending: 0, due: 0 }],
      failures: [],
      problem: null,
    });
    await expectEmpty(shop);
    for (const { id } of [one, three]) {
      const order = await shop.read(id);
      expect(order).toMatchObject({ status: 'refunded', refundedAmount: order.totalAmount });
      expect(order.seats.map(({ status }: Body) => status)).not.toContain('assigned');
    }
    expect(await shop.read(awaiting.id)).toMatchObject({ status: 'cancelled', paymentUrl: null });
    expect((await bus.sandboxSession(awaiting.url)).state).toBe('expired');
    expect(await refundsOf(shop)).toMatchObject([
      { cause: 'event_cancelled', state: 'done' },
      { cause: 'event_cancelled', state: 'done' },
    ]);
    const again = await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion: 1 });
    expect(again).toEqual(event);
  });

  test.each([
    ['full', 2600, [400, 0, 0], [409, 409]],
    ['policy', 1800, [400, 400, 400], [400, 409]],
  ])('with the refund %s keeps of each seat what it says', async (refund, sum, kept, again) => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 9 });
    const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70, fixedFee: 100 }];
    await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
    const { id, seats, registrationIds } = await paid(shop, 3);
    const changes = `${shop.path}/orders/${id}/changes`;
    const asked = { dryRun: true, cancelSeats: [seats[0].id] };
    const { quote } = await expectStatus(shop.call, ['POST', changes, asked]);
    await expectStatus(shop.call, ['POST', changes, { quoteId: quote.id }]);
    await cancel(shop, refund);
    await untilFinished(shop);
    const order = await eventually(async () => {
      const found = await shop.read(id);
      expect(found).toMatchObject({ status: 'paid', refundedAmount: sum });
      expect(found.cancelledSeats).toHaveLength(3);
      return found;
    });
    const keptOf = (registrationId: string) =>
      order.cancelledSeats.find((each: Body) => each.registrationId === registrationId).keptAmount;
    expect(registrationIds.map(keptOf)).toEqual(kept);
    const { orders } = await command(bus, shop, findOrders, { orderIds: [id] });
    expect(orders[0].seats.map((seat: Body) => seat.refundableAmount)).toEqual(kept);
    // What is kept of another seat stays.
    const outcomes = [];
    for (const _ of again) {
      const { refundedAmount: before } = await shop.read(id);
      const request = { orderId: id, registrationIds: [registrationIds[1]], force: true };
      const failure = await command(bus, shop, refundOrder, request).then(
        () => null,
        (error: Body) => error.status,
      );
      outcomes.push(failure ?? (await shop.read(id)).refundedAmount - before);
    }
    expect(outcomes).toEqual(again);
  });

  test('pays back what the policy of each order promises, and nothing twice', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 9 });
    const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70, fixedFee: 100 }];
    await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
    const order = await paid(shop, 2);
    // One seat was cancelled before: the policy has decided about it.
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations/${order.registrationIds[0]}/cancel`,
    ]);
    await eventually(async () => {
      if ((await shop.read(order.id)).refundedAmount !== 600) throw new Error('not refunded');
    });
    expect((await preview(shop, 'policy')).refunds).toEqual([
      { currency: 'EUR', orders: 1, amount: 600 },
    ]);
    await cancel(shop, 'policy');
    await untilFinished(shop);
    await expectEmpty(shop);
    await eventually(async () => {
      const { cancelledSeats } = await shop.read(order.id);
      if (cancelledSeats.length < 2) throw new Error('undecided');
    });
    expect(await shop.read(order.id)).toMatchObject({ status: 'paid', refundedAmount: 1200 });
    expect((await refundsOf(shop)).map(({ amount }) => amount)).toEqual([600, 600]);
  });

  test('counts an order once to which something is due already', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 9 });
    const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70, fixedFee: 100 }];
    await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: false, bands });
    const [one] = [await paid(shop, 2), await paid(shop)];
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/registrations/${one.registrationIds[0]}/cancel`,
    ]);
    await eventually(async () => {
      if ((await shop.read(one.id)).refundDueAmount !== 600) throw new Error('nothing is due');
    });
    expect((await preview(shop)).refunds).toEqual([{ currency: 'EUR', orders: 2, amount: 2600 }]);
  });

  test('pays back nothing if its operator decides so', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const bands = [{ until: '2900-01-01T00:00:00Z', percent: 100 }];
    await command(bus, shop, setRefundPolicy, { text: 'All', automatic: true, bands });
    const order = await paid(shop, 2);
    expect((await preview(shop, 'none')).refunds).toEqual([]);
    await cancel(shop, 'none');
    expect(await untilFinished(shop)).toMatchObject({ orders: { total: 1, left: 0 }, refunds: [] });
    await expectEmpty(shop);
    await eventually(async () => {
      const { cancelledSeats } = await shop.read(order.id);
      if (cancelledSeats.length < 2) throw new Error('undecided');
    });
    expect(await shop.read(order.id)).toMatchObject({ status: 'paid', refundedAmount: 0 });
    expect(await refundsOf(shop)).toEqual([]);
  });

  test('pays back seats that were sold without names, and frees them', async () => {
    const shop = await createSale(bus, { priceAmount: 1000, capacity: 4 });
    const bands = [{ until: '2900-01-01T00:00:00Z', percent: 50 }];
    await command(bus, shop, setRefundPolicy, { text: 'Half', automatic: true, bands });
    const items = [shop.ofType({ quantity: 3, attendees: [{ email: randomEmail() }] })];
    const { id } = await shop.placed({ items, assignLater: true });
    await pay((await shop.confirm(id)).body.paymentUrl);
    await shop.until(id, 'paid');
    expect((await preview(shop, 'policy')).refunds).toMatchObject([{ amount: 1500 }]);
    await cancel(shop, 'policy');
    await untilFinished(shop);
    await expectEmpty(shop);
    const order = await shop.read(id);
    expect(order).toMatchObject({ status: 'paid', refundedAmount: 1500 });
    expect(order.seats.map(({ status }: Body) => status)).toEqual(Array(3).fill('cancelled'));
  });

  test('cancels free orders, approvals, offers and add-ons, also after it was archived', async () => {
    const shop = await createSale(bus, { requiresApproval: true });
    const free = await expectStatus(
      shop.call,
      ['POST', `${shop.path}/ticket-types`, { name: 'Free', capacity: 5 }],
      201,
    );
    const offered = await expectStatus(
      shop.call,
      [
        'POST',
        `${shop.path}/ticket-types`,
        { name: 'Paid', capacity: 1, priceAmount: 500, allowWaitlist: true },
      ],
      201,
    );
    const open = (id: string) =>
      expectStatus(shop.call, ['PATCH', `${shop.path}/ticket-types/${id}`, { status: 'open' }]);
    for (const { id } of [free, offered]) await open(id);
    const addon = await expectStatus(
      shop.call,
      [createAddon.method as 'POST', `${shop.path}/addons`, { name: 'Lunch', capacity: 4 }],
      201,
    );
    await expectStatus(shop.call, ['PATCH', `${shop.path}/addons/${addon.id}`, { status: 'open' }]);
    await register(shop);
    const { registration } = await register(shop, { registrationTypeId: offered.id });
    await register(shop, { registrationTypeId: offered.id });
    await expectStatus(shop.call, ['POST', `${shop.path}/registrations/${registration.id}/cancel`]);
    const items = [
      { itemType: 'registration_type', itemId: free.id },
      { itemType: 'addon', itemId: addon.id },
    ];
    const { id } = await shop.placed({ items });
    await shop.confirm(id, {});
    await shop.until(id, 'paid');
    const held = await shop.placed({ items });
    await expectStatus(shop.call, ['POST', `${shop.path}/archive`]);
    expect(await preview(shop)).toMatchObject({
      registrations: { confirmed: 1, pending: 1, waitlisted: 1 },
      orders: { paid: 1, held: 1, awaitingPayment: 0 },
      refunds: [],
    });
    await cancel(shop);
    await untilFinished(shop);
    await expectEmpty(shop);
    expect(await shop.read(id)).toMatchObject({ status: 'cancelled' });
    expect(await shop.read(held.id)).toMatchObject({ status: 'cancelled' });
    const { addons } = await expectStatus(shop.call, ['GET', `${shop.path}/addons`]);
    expect(addons).toMatchObject([{ availability: { remaining: 4 } }]);
  });
});

describe('money of a cancelled event', () => {
  test('that is paid meanwhile is paid back', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    // The page is paid, and the platform does not know it yet.
    const order = await paidWithoutNotification(shop);
    await cancel(shop);
    await untilFinished(shop);
    await expectEmpty(shop);
    expect(await shop.until(order.id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
    expect(await notifyPaid(bus, order.url)).toBe(200);
    expect(await refundsOf(shop)).toHaveLength(1);
  });

  test('that arrives after the end is sent back once, and a refusal of the provider is listed', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const order = await createAwaitingPayment(shop);
    await cancel(shop);
    await untilFinished(shop);
    // The provider does not know the payment, so it refuses the refund.
    for (let n = 0; n < 2; n++) expect(await notifyLatePayment(bus, order.url)).toBe(200);
    await shop.until(order.id, 'refund_due');
    const visit = () =>
      bus.database.sql(
        'update commerce.event_cancellation set next_attempt_at = clock_timestamp() where event_id = $1',
        [shop.eventId],
      );
    await visit();
    const refused = await eventually(async () => {
      const { failures } = await progress(shop);
      if (failures.length === 0) throw new Error('no failure');
      return failures;
    });
    expect(refused).toEqual([
      {
        ...{ orderId: order.id, orderNumber: expect.stringMatching(/^ORD-/) },
        ...{ amount: 1000, currency: 'EUR', reason: expect.any(String) },
      },
    ]);
    const attempts = () =>
      bus.database.sql(
        'select cause, state, amount::int, last_attempt_at as at from commerce.refund where event_id = $1',
        [shop.eventId],
      );
    const before = await attempts();
    expect(before).toMatchObject([{ cause: 'late', state: 'due', amount: 1000 }]);
    await visit();
    const finished = await untilFinished(shop);
    expect(finished).toMatchObject({ refunds: [{ sent: 0, pending: 0, due: 1000 }] });
    expect(await attempts()).toEqual(before);
  });
});

describe('the command', () => {
  test('is refused if the event has changed since the preview, and changes nothing', async () => {
    const shop = await createSale(bus);
    const { expectedVersion } = await preview(shop);
    await expectStatus(shop.call, ['PATCH', shop.path, { name: 'Another name' }]);
    const refused = command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    await expect(refused).rejects.toMatchObject(refusal({ reason: 'EVENT_CHANGED' }));
    expect(await expectStatus(shop.call, ['GET', shop.path])).toMatchObject({ cancelledAt: null });
    expect(await progress(shop)).toBeNull();
  });

  test('is refused with other refunds than the first one', async () => {
    const shop = await createSale(bus);
    await cancel(shop, 'none');
    const expected = refusal({ reason: 'EVENT_CANCELLED', refund: 'none' });
    await expect(cancel(shop, 'full')).rejects.toMatchObject(expected);
  });

  test('is a 404 for an event of another business unit', async () => {
    const [own, other] = [await createSale(bus), await createSale(bus)];
    const foreign = { ...other, unitId: own.unitId };
    const commands: [Operation, object][] = [
      [previewEventCancel, {}],
      [cancelEvent, { expectedVersion: 1 }],
      [getEventCancellation, {}],
    ];
    for (const [operation, input] of commands) {
      const refused = command(bus, foreign, operation, input);
      await expect(refused).rejects.toMatchObject({ status: 404 });
    }
  });
});

test('an order of a cancelled event cannot be confirmed, and its door admits nobody', async () => {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const [{ id }, { registration }] = [await shop.placed(), await register(shop)];
  await cancel(shop);
  expect(reasonOf(await shop.confirm(id))[0]).toBe(412);
  const door = { registrationId: registration.id, subjectType: 'event' };
  const scan = () => shop.call('POST', `${shop.path}/checkins`, { body: door });
  expect(reasonOf(await scan())).toEqual([412, 'EVENT_CANCELLED']);
});
