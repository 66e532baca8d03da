import { randomUUID } from 'node:crypto';
import { createAddon } from '@event-api/contracts/http/addons';
import { setEventLimits } from '@event-api/contracts/operator/event-limits';
import { bindPerk, createPerk } from '@event-api/contracts/operator/perks';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  notifyPaid,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { findCheckoutViolations } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(async () => {
  try {
    expect(await findCheckoutViolations(bus)).toEqual([]);
  } finally {
    await bus?.stop();
  }
});

async function createOpenAddon({ call, eventId }: SaleFixture, fields: object = {}): Promise<Body> {
  const path = createAddon.url.replace(':eventId', eventId);
  const addon = await expectStatus(call, [
    'POST',
    path,
    { name: 'Lunch', priceAmount: 500, ...fields },
  ]);
  await expectStatus(call, ['PATCH', `${path}/${addon.id}`, { status: 'open' }]);
  return addon;
}

/** Registers a person. Returns the id of the registration. */
async function registered({ call, path, typeId }: SaleFixture, email: string): Promise<string> {
  const body = { email, registrationTypeId: typeId };
  return (await expectStatus(call, ['POST', `${path}/registrations`, body])).registration.id;
}

/** Returns the message and the first detail of a 412. */
const rejectionOf = ({ status, body }: { status: number; body: Body }) => {
  expect(status).toBe(412);
  return { message: body.error.message, ...body.error.details[0] };
};

const seatFor = (shop: SaleFixture, ...emails: string[]) =>
  shop.ofType({ quantity: emails.length, attendees: emails.map((email) => ({ email })) });

test('a line of the type ticket_type is a line of the type registration_type', async () => {
  const shop = await createSale(bus);
  const order = await shop.place({ items: [shop.ofType({ itemType: 'ticket_type' })] });
  expect(order.status).toBe(201);
  expect(order.body.items).toMatchObject([{ itemType: 'registration_type', itemId: shop.typeId }]);
});

describe('the order of a registered buyer', () => {
  test('returns the registration when it is placed and in every retry, but not in reads', async () => {
    const shop = await createSale(bus);
    const [email, guest] = [randomEmail(), randomEmail()];
    const registrationId = await registered(shop, email);
    const addon = await createOpenAddon(shop);
    const items = [seatFor(shop, guest), { itemType: 'addon', itemId: addon.id }];
    const request = {
      body: { email: email.toUpperCase(), items },
      headers: { 'idempotency-key': randomUUID() },
    };
    const first = await shop.call('POST', `${shop.path}/orders`, request);
    expect([first.status, first.body]).toMatchObject([
      201,
      { alreadyRegistered: true, registrationId, status: 'held' },
    ]);
    const replay = await shop.call('POST', `${shop.path}/orders`, request);
    expect([replay.status, replay.body]).toEqual([201, first.body]);
    const { alreadyRegistered: _, registrationId: __, ...order } = first.body;
    expect(await shop.read(order.id)).toEqual(order);
  });

  test('returns it also when the request is retried after a crash', async () => {
    const shop = await createSale(bus);
    const email = randomEmail();
    const registrationId = await registered(shop, email);
    const request = {
      body: { email, items: [seatFor(shop, randomEmail())] },
      headers: { 'idempotency-key': randomUUID() },
    };
    const place = () => shop.call('POST', `${shop.path}/orders`, request);
    await bus.killAt('commerce', 'place.saved', place);
    const response = await expect
      .poll(place, { interval: 500 })
      .toMatchObject({ status: 201 })
      .then(place);
    expect(response.body).toMatchObject({ alreadyRegistered: true, registrationId });
  });

  test('has a null registration if the buyer is not registered', async () => {
    const shop = await createSale(bus);
    const order = await shop.placed({ items: [seatFor(shop, randomEmail())] });
    expect(order).toMatchObject({ alreadyRegistered: false, registrationId: null });
  });
});

describe('a 412 of an order', () => {
  test('contains the line and the remaining seats', async () => {
    const shop = await createSale(bus, { capacity: 2, allowWaitlist: true });
    const addon = await createOpenAddon(shop);
    const seats = seatFor(shop, randomEmail(), randomEmail(), randomEmail());
    const items = [{ itemType: 'addon', itemId: addon.id }, seats];
    expect(rejectionOf(await shop.place({ items }))).toEqual({
      message: 'The ticket type "Standard" has 2 seats left, and the order needs 3.',
      reason: 'SOLD_OUT',
      field: 'items[1]',
      seatsLeft: 2,
    });
  });

  test('contains the item that is not on sale, and the reason', async () => {
    const shop = await createSale(bus, { requiresApproval: true, priceAmount: 100 });
    const draft = await expectStatus(shop.call, ['POST', `${shop.path}/addons`, { name: 'Tour' }]);
    const bundle = await expectStatus(shop.call, ['POST', `${shop.path}/bundles`, { name: 'Box' }]);
    const messageOf = async (...items: object[]) => {
      const { message, reason, field } = rejectionOf(await shop.place({ items }));
      return [reason, field, message];
    };
    expect(await messageOf({ itemType: 'addon', itemId: draft.id })).toEqual([
      'NOT_REGISTERED',
      'email',
      'An order of add-ons alone requires a buyer who is registered for the event.',
    ]);
    const free = await expectStatus(shop.call, [
      'POST',
      `${shop.path}/ticket-types`,
      { name: 'Free' },
    ]);
    const freePath = `${shop.path}/ticket-types/${free.id}`;
    const seat = { itemType: 'registration_type', itemId: free.id };
    expect(await messageOf(seat)).toEqual([
      'NOT_ON_SALE',
      'items[0]',
      'The ticket type "Free" is a draft.',
    ]);
    await expectStatus(shop.call, ['PATCH', freePath, { status: 'open' }]);
    expect(await messageOf(seat, { itemType: 'addon', itemId: draft.id })).toEqual([
      'NOT_ON_SALE',
      'items[1]',
      'The add-on "Tour" is a draft.',
    ]);
    const box = { itemType: 'bundle', itemId: bundle.id };
    expect(await messageOf(seat, box)).toEqual([
      'NOT_ON_SALE',
      'items[1]',
      'The bundle "Box" is a draft.',
    ]);
    await expectStatus(shop.call, [
      'PATCH',
      `${shop.path}/bundles/${bundle.id}`,
      { status: 'open' },
    ]);
    expect(await messageOf(seat, box)).toEqual([
      'NOT_ON_SALE',
      'items[1]',
      'The bundle "Box" has no items.',
    ]);
    expect(await messageOf(shop.ofType())).toEqual([
      'APPROVAL_REQUIRED',
      'items[0]',
      'The ticket type "Standard" requires approval and has a price: register the attendee, and order the seat that the approval offers.',
    ]);
    await expectStatus(shop.call, ['PATCH', shop.typePath, { priceAmount: 0 }]);
    const charity = await expectStatus(shop.call, [
      'POST',
      `${shop.path}/addons`,
      { name: 'Donation', priceAmount: 500 },
    ]);
    const addonPath = `${shop.path}/addons/${charity.id}`;
    await expectStatus(shop.call, ['PATCH', addonPath, { status: 'open' }]);
    expect(await messageOf(shop.ofType(), { itemType: 'addon', itemId: charity.id })).toEqual([
      'APPROVAL_NEEDS_FREE_ORDER',
      'items[0]',
      'The ticket type "Standard" requires approval, so only an order without cost can include it.',
    ]);
  });
});

test('a code with too few uses left is rejected with their number, and remains usable', async () => {
  const shop = await createSale(bus);
  const code = { registrationTypeId: shop.typeId, code: 'Early-Bird', maxUses: 2 };
  await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, code]);
  const order = await shop.placed({ redemptionCode: 'early-bird' });
  expect(order.redemptionCode).toBe('Early-Bird');
  const items = [seatFor(shop, randomEmail(), randomEmail())];
  expect(rejectionOf(await shop.place({ items, redemptionCode: 'EARLY-BIRD' }))).toEqual({
    message: 'The redemption code has 1 use left, and the order needs 2.',
    reason: 'CODE_USES_EXCEEDED',
    field: 'redemptionCode',
    usesLeft: 1,
  });
  await shop.placed({ redemptionCode: 'Early-Bird' });
  expect(rejectionOf(await shop.place({ items, redemptionCode: 'Early-Bird' }))).toMatchObject({
    reason: 'CODE_INVALID',
  });
});

test('one email cannot hold more orders and seats than the limit of the event', async () => {
  const shop = await createSale(bus);
  const set = (limits: object) => command(bus, shop, setEventLimits, limits);
  const email = randomEmail();
  const order = () => ({ email, items: [seatFor(shop, randomEmail(), randomEmail())] });
  expect(await set({ maxHoldsPerEmail: 2, maxSeatsPerEmail: 5 })).toEqual({
    eventId: shop.eventId,
    maxHoldsPerEmail: 2,
    maxSeatsPerEmail: 5,
    waitlistOfferMinutes: null,
  });
  const [first] = [await shop.placed(order()), await shop.placed(order())];
  expect(rejectionOf(await shop.place(order()))).toEqual({
    message: 'This email already has 2 open orders in the event, which is the limit.',
    reason: 'TOO_MANY_HOLDS',
    field: 'email',
    limit: 2,
  });
  await shop.confirm(first.id, {});
  expect(rejectionOf(await shop.place(order()))).toEqual({
    message: 'The event allows 5 seats per email, and this email can order 1 more.',
    reason: 'TOO_MANY_SEATS',
    field: 'email',
    limit: 5,
    seatsLeft: 1,
  });
  await set({ maxSeatsPerEmail: null });
  await shop.placed(order());
});

test('order numbers are case-insensitive in every path', async () => {
  const shop = await createSale(bus);
  const { id, orderNumber } = await shop.placed();
  const lower = orderNumber.toLowerCase();
  expect(await shop.read(lower)).toMatchObject({ id, orderNumber });
  expect((await shop.confirm(lower, {})).body).toMatchObject({ id, orderNumber, status: 'paid' });
  expect((await shop.cancel(lower)).body).toMatchObject({ id, status: 'cancelled' });
});

describe('the refundable part of an order', () => {
  test("is shown for a guest's seat and a buyer's add-on", async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const [email, guest] = [randomEmail(), randomEmail()];
    const own = await registered(shop, email);
    const addon = await createOpenAddon(shop);
    const items = [seatFor(shop, guest), { itemType: 'addon', itemId: addon.id }];
    const { id } = await shop.placed({ email, items });
    expect(await shop.read(id)).toMatchObject({ refundedAmount: 0, refundDueAmount: 0 });
    await pay((await shop.confirm(id)).body.paymentUrl);
    const paid = await shop.until(id, 'paid');
    const [seat, lunch] = paid.items;
    expect(lunch.registrationIds).toEqual([own]);
    expect(paid.registrationIds).toEqual([...seat.registrationIds, own]);
    const amounts = async () => {
      const { status, refundedAmount, refundDueAmount } = await shop.read(id);
      return [status, refundedAmount, refundDueAmount];
    };
    const refund = (input: object) => command(bus, shop, refundOrder, { orderId: id, ...input });
    const part = await refund({ amount: 300 });
    expect(part.order).toMatchObject({ refundedAmount: 300, refundDueAmount: 0 });
    expect(await amounts()).toEqual(['paid', 300, 0]);
    await refund({ all: true });
    expect(await amounts()).toEqual(['refunded', 1500, 0]);
    const { orders } = await expectStatus(shop.call, ['GET', `${shop.path}/orders`]);
    expect(orders).toMatchObject([{ id, refundedAmount: 1500, refundDueAmount: 0 }]);
    // The order created the guest's registration, which is cancelled. The buyer's registration
    // existed before and is kept.
    const statuses = (await shop.registrations()).map(({ email: of, status }) => [of, status]);
    expect(Object.fromEntries(statuses)).toEqual({ [email]: 'confirmed', [guest]: 'cancelled' });
  });

  test('is due for a seat whose attendee registered in the meantime', async () => {
    const shop = await createSale(bus, { priceAmount: 400 });
    const [one, other] = [randomEmail(), randomEmail()];
    const { id } = await shop.placed({ items: [seatFor(shop, one, other)] });
    const { paymentUrl } = (await shop.confirm(id)).body;
    // Paid first: an open page ends when an attendee registers elsewhere.
    await pay(paymentUrl, '?notify=never');
    await registered(shop, other);
    await notifyPaid(bus, paymentUrl);
    const paid = await shop.until(id, 'paid');
    expect(paid).toMatchObject({ totalAmount: 800, refundedAmount: 0, refundDueAmount: 400 });
    expect(paid.items).toMatchObject([{ totalAmount: 800, unfulfilledAmount: 400 }]);
  });

  test('an order of add-ons only lists the registration that received them', async () => {
    const shop = await createSale(bus);
    const email = randomEmail();
    const own = await registered(shop, email);
    const addon = await createOpenAddon(shop, { priceAmount: 0 });
    const items = [{ itemType: 'addon', itemId: addon.id, quantity: 2 }];
    const { id } = await shop.placed({ email, items });
    expect((await shop.read(id)).registrationIds).toEqual([]);
    const { body } = await shop.confirm(id, {});
    expect(body).toMatchObject({ registrationIds: [own], items: [{ registrationIds: [own] }] });
  });
});

describe('add-ons for named persons', () => {
  /** Creates an add-on that delivers a perk. */
  async function dinnerOf(shop: SaleFixture): Promise<{ addonId: string; perkId: string }> {
    const { id: addonId } = await createOpenAddon(shop);
    const { id: perkId } = await command(bus, shop, createPerk, { name: 'Dinner' });
    await command(bus, shop, bindPerk, { perkId, targetType: 'addon', targetId: addonId });
    return { addonId, perkId };
  }

  test('deliver their perks to exactly these persons, whom the line lists', async () => {
    const shop = await createSale(bus, { priceAmount: 1000 });
    const { addonId, perkId } = await dinnerOf(shop);
    const [buyer, guest, friend] = [randomEmail(), randomEmail(), randomEmail()];
    const friendId = await registered(shop, friend);
    const attendees = [guest, friend].map((email) => ({ email }));
    const items = [
      seatFor(shop, buyer, guest),
      { itemType: 'addon', itemId: addonId, quantity: 2, attendees },
    ];
    const order = await shop.placed({ email: buyer, items });
    expect(order.totalAmount).toBe(3000);
    expect(order.items[1].attendees.map((each: Body) => each.email)).toEqual([guest, friend]);
    await pay((await shop.confirm(order.id)).body.paymentUrl);
    const paid = await shop.until(order.id, 'paid');
    const [seats, dinner] = paid.items;
    const [buyerId, guestId] = seats.registrationIds;
    expect(dinner.registrationIds).toEqual([guestId, friendId]);
    expect(paid.registrationIds).toEqual([buyerId, guestId, friendId]);
    const perksOf = async (id: string) => {
      const { perks } = await expectStatus(shop.call, [
        'GET',
        `${shop.path}/registrations/${id}/perks`,
      ]);
      return perks.map((perk: Body) => perk.id);
    };
    const perks = () => Promise.all([buyerId, guestId, friendId].map(perksOf));
    expect(await perks()).toEqual([[], [perkId], [perkId]]);
    await command(bus, shop, refundOrder, { orderId: order.id, all: true });
    expect(await perks()).toEqual([[], [], []]);
    const statuses = (await shop.registrations()).map(({ email, status }) => [email, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      [buyer]: 'cancelled',
      [guest]: 'cancelled',
      [friend]: 'confirmed',
    });
  });

  test('are rejected for a person who is neither registered nor an attendee, and for a wrong number', async () => {
    const shop = await createSale(bus);
    const { addonId } = await dinnerOf(shop);
    const [buyer, stranger] = [randomEmail(), randomEmail()];
    const place = (quantity: number, ...emails: string[]) =>
      shop.place({
        email: buyer,
        items: [
          seatFor(shop, buyer),
          {
            itemType: 'addon',
            itemId: addonId,
            quantity,
            attendees: emails.map((email) => ({ email })),
          },
        ],
      });
    expect(rejectionOf(await place(2, buyer, stranger))).toMatchObject({
      reason: 'NOT_REGISTERED',
      field: 'items[1].attendees[1].email',
    });
    const { status, body } = await place(2, buyer);
    expect([status, body.error.details[0].field]).toEqual([400, 'items[1].attendees']);
    expect((await place(1, buyer.toUpperCase())).status).toBe(201);
  });
});

describe('the units of an add-on', () => {
  test('are held, sold and returned, also in a bundle, and their availability says so', async () => {
    const shop = await createSale(bus);
    const workshop = await createOpenAddon(shop, { name: 'Workshop', priceAmount: 0, capacity: 4 });
    const at = `${shop.path}/addons/${workshop.id}`;
    const availability = async () => (await expectStatus(shop.call, ['GET', at])).availability;
    const items = [
      { itemType: 'registration_type', itemId: shop.typeId },
      { itemType: 'addon', itemId: workshop.id, quantity: 2 },
    ];
    const path = `${shop.path}/bundles`;
    const bundle = await expectStatus(shop.call, ['POST', path, { name: 'Both', items }]);
    await expectStatus(shop.call, ['PATCH', `${path}/${bundle.id}`, { status: 'open' }]);
    const remaining = async () =>
      (await expectStatus(shop.call, ['GET', `${path}/${bundle.id}`])).remaining;
    expect(await remaining()).toBe(2);
    const place = (quantity: number) =>
      shop.place({
        items: [
          {
            ...{ itemType: 'bundle', itemId: bundle.id, quantity },
            attendees: Array.from({ length: quantity }, () => ({ email: randomEmail() })),
          },
        ],
      });
    const { body: order } = await place(1);
    expect(await availability()).toEqual({ capacity: 4, sold: 0, held: 2, remaining: 2 });
    expect(rejectionOf(await place(2))).toEqual({
      message: 'The add-on "Workshop" has 2 units left, and the order needs 4.',
      reason: 'SOLD_OUT',
      field: 'items[0]',
      unitsLeft: 2,
    });
    const act = (verb: string) => shop.call('POST', `${shop.path}/orders/${order.id}/${verb}`);
    await shop.confirm(order.orderNumber);
    expect(await availability()).toEqual({ capacity: 4, sold: 2, held: 0, remaining: 2 });
    expect(await remaining()).toBe(1);
    await expectStatus(shop.call, ['PATCH', at, { capacity: 1 }]);
    expect(await availability()).toEqual({ capacity: 1, sold: 2, held: 0, remaining: 0 });
    expect((await act('cancel')).body.status).toBe('cancelled');
    expect(await availability()).toEqual({ capacity: 1, sold: 0, held: 0, remaining: 1 });
  });

  test('are sold in their sale window only', async () => {
    const shop = await createSale(bus);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const addon = await createOpenAddon(shop, { opensAt: soon });
    const items = [shop.ofType(), { itemType: 'addon', itemId: addon.id }];
    expect(rejectionOf(await shop.place({ items }))).toEqual({
      message: 'The add-on "Lunch" is not on sale yet.',
      reason: 'NOT_ON_SALE',
      field: 'items[1]',
    });
  });
});

describe('the limits per order', () => {
  test('name the line of the item', async () => {
    const shop = await createSale(bus);
    const type = `${shop.path}/ticket-types/${shop.typeId}`;
    await expectStatus(shop.call, ['PATCH', type, { minPerOrder: 2, maxPerOrder: 3 }]);
    const { name } = await expectStatus(shop.call, ['GET', type]);
    const addon = await createOpenAddon(shop, { maxPerOrder: 1 });
    const emails = Array.from({ length: 4 }, randomEmail);
    expect(rejectionOf(await shop.place({ items: [seatFor(shop, ...emails.slice(3))] }))).toEqual({
      message: `An order of the ticket type "${name}" must have at least 2 of it, and this order has 1.`,
      reason: 'BELOW_ORDER_MINIMUM',
      field: 'items[0]',
      limit: 2,
    });
    expect(rejectionOf(await shop.place({ items: [seatFor(shop, ...emails)] }))).toMatchObject({
      reason: 'ABOVE_ORDER_MAXIMUM',
      field: 'items[0]',
      limit: 3,
    });
    const pair = seatFor(shop, ...emails.slice(0, 2));
    const two = { itemType: 'addon', itemId: addon.id, quantity: 2 };
    expect(rejectionOf(await shop.place({ items: [pair, two] }))).toEqual({
      message: 'An order of the add-on "Lunch" must have at most 1 of it, and this order has 2.',
      reason: 'ABOVE_ORDER_MAXIMUM',
      field: 'items[1]',
      limit: 1,
    });
    expect((await shop.place({ items: [pair] })).status).toBe(201);
    const alone = { email: emails[3], registrationTypeId: shop.typeId };
    const single = await shop.call('POST', `${shop.path}/registrations`, { body: alone });
    expect(single.status).toBe(201);
  });
});

test('ticket types of a capacity group are sold out together', async () => {
  const shop = await createSale(bus);
  const body = { capacityGroups: [{ name: 'Hall', capacity: 2 }] };
  const event = await expectStatus(shop.call, ['PATCH', shop.path, body]);
  const shared = { capacityGroupId: event.capacityGroups[0].id };
  const types = `${shop.path}/ticket-types`;
  await expectStatus(shop.call, ['PATCH', `${types}/${shop.typeId}`, shared]);
  const night = await expectStatus(shop.call, ['POST', types, { name: 'Night', ...shared }]);
  await expectStatus(shop.call, ['PATCH', `${types}/${night.id}`, { status: 'open' }]);
  await shop.placed({ items: [seatFor(shop, randomEmail(), randomEmail())] });
  const seat = { itemType: 'registration_type', itemId: night.id };
  expect(rejectionOf(await shop.place({ items: [seat] }))).toEqual({
    message: 'The ticket type "Night" has no seats left.',
    reason: 'SOLD_OUT',
    field: 'items[0]',
    seatsLeft: 0,
  });
  const { availability } = await expectStatus(shop.call, ['GET', `${types}/${night.id}`]);
  expect(availability).toMatchObject({ capacity: null, confirmed: 0, held: 0, remaining: 0 });
  await expectStatus(shop.call, ['PATCH', `${types}/${night.id}`, { capacityGroupId: null }]);
  expect((await shop.place({ items: [seat] })).status).toBe(201);
});
