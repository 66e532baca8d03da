import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { listRefunds, reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  notify,
  notifyLatePayment,
  notifyPaid,
  paidWithoutNotification,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';

/**
 * In milliseconds. Long enough for a process to restart, short enough for a test to wait for the
 * expiry.
 */
const HOLD_MS = '8000';

let bus: BusFixture;
const shops: SaleFixture[] = [];

beforeAll(async () => {
  bus = await createCheckoutFixture({ registration: { SEAT_RESERVATION_MS: HOLD_MS } });
});
afterAll(() => bus?.stop());

async function shopFor(type: object): Promise<SaleFixture> {
  const shop = await createSale(bus, { capacity: 3, ...type });
  shops.push(shop);
  return shop;
}

const free = {};
const priced = { priceAmount: 500 };

async function paid(shop: SaleFixture): Promise<string> {
  const { id, url } = await createAwaitingPayment(shop);
  await pay(url);
  await shop.until(id, 'paid');
  return id;
}

/**
 * Pays two orders of one person. The first has the registration, the second is owed its price: the
 * sweep may find the second payment first and cancel that order, so the purchase is repeated until
 * its refund is due for the seat.
 */
async function purchaseTwice(shop: SaleFixture): Promise<{ first: string; second: string }> {
  for (let attempt = 1; attempt <= 8; attempt++) {
    const email = randomEmail();
    const pages = [];
    for (const { id } of [await shop.placed({ email }), await shop.placed({ email })]) {
      pages.push((await shop.confirm(id)).body);
    }
    const [first, second] = pages;
    // Both are paid before the first payment is known, because it would expire the other page.
    for (const { paymentUrl } of pages) await pay(paymentUrl, '?notify=never');
    await notifyPaid(bus, first.paymentUrl);
    await shop.until(first.id, 'paid');
    await notifyPaid(bus, second.paymentUrl);
    await shop.until(second.id, 'refund_due');
    const [refund] = await bus.database.sql<{ cause: string }>(
      'select cause from commerce.refund where order_id = $1',
      [second.id],
    );
    if (refund?.cause === 'attendee_registered') return { first: first.id, second: second.id };
  }
  throw new Error('the sweep was always first');
}

/**
 * The process, its fault point, the ticket type, the preparation, and the request during which it
 * is killed.
 */
type Case = [
  processName: string,
  point: string,
  type: object,
  prepare: (shop: SaleFixture) => Promise<string>,
  act: (shop: SaleFixture, id: string) => Promise<unknown>,
];

const nothing = async () => '';
const held = async (shop: SaleFixture) => (await shop.placed()).id as string;

const confirmed = async (shop: SaleFixture) => {
  const id = await held(shop);
  await shop.confirm(id, {});
  return id;
};
const urlOf = (shop: SaleFixture) => createAwaitingPayment(shop).then(({ url }) => url);
const idOf = (shop: SaleFixture) => createAwaitingPayment(shop).then(({ id }) => id);
const paidOnPage = (shop: SaleFixture) => paidWithoutNotification(shop).then(({ id }) => id);
const refund = (shop: SaleFixture, orderId: string) =>
  command(bus, shop, refundOrder, { orderId, all: true });
const refundSeat = async (shop: SaleFixture, orderId: string) => {
  const { registrationIds } = await shop.read(orderId);
  return command(bus, shop, refundOrder, { orderId, registrationIds });
};
const refundDue = (shop: SaleFixture, orderId: string) =>
  command(bus, shop, refundOrder, { orderId, onlyDue: true });
const paidTwice = async (shop: SaleFixture) => (await purchaseTwice(shop)).first;
const owedSecond = async (shop: SaleFixture) => (await purchaseTwice(shop)).second;
const payPage = (_: SaleFixture, url: string) => pay(url);
const paidPage = async (shop: SaleFixture) => {
  const { id, url } = await createAwaitingPayment(shop);
  await pay(url);
  await shop.until(id, 'paid');
  return url;
};
/** An order that was paid after it was cancelled, whose refund is due. */
const paidLate = async (shop: SaleFixture) => {
  const { id, url } = await createAwaitingPayment(shop);
  await shop.cancel(id);
  await pay(url, '?late=1');
  await shop.until(id, 'refund_due');
  return id;
};
const endDelay = (_: SaleFixture, id: string) =>
  bus.database.sql('update commerce.refund set send_at = now() where order_id = $1', [id]);
const refundAtProvider = (_: SaleFixture, url: string) =>
  fetch(`${url}/refund?notify=twice`, { method: 'POST' });

const waitlist = { ...priced, capacity: 1, allowWaitlist: true };
const leave = (shop: SaleFixture, id: string) =>
  shop.call('POST', `${shop.path}/registrations/${id}/cancel`);

/** The registration whose offered seat an order with an open page has taken. */
async function orderedOffer(shop: SaleFixture): Promise<string> {
  const join = async (email: string): Promise<string> => {
    const body = { email, registrationTypeId: shop.typeId };
    const { body: created } = await shop.call('POST', `${shop.path}/registrations`, { body });
    return created.registration.id;
  };
  const email = randomEmail();
  const [first, offered] = [await join(randomEmail()), await join(email)];
  await leave(shop, first);
  const { id } = await shop.placed({ email });
  await shop.confirm(id);
  return offered;
}

/** A paid registration of an order whose policy pays back 70 % at once. */
async function paidByPolicy(shop: SaleFixture): Promise<string> {
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
  const { registrationIds } = await shop.read(await paid(shop));
  return registrationIds[0];
}
const refunded: [shop: SaleFixture, registrationId: string][] = [];
const leaveByPolicy = async (shop: SaleFixture, id: string) => {
  refunded.push([shop, id]);
  return leave(shop, id);
};

/** A paid order whose policy pays back 70 % of its seat at once. */
const orderByPolicy = async (shop: SaleFixture): Promise<string> => {
  const registrationId = await paidByPolicy(shop);
  const { orderId } = (await shop.call('GET', `${shop.path}/registrations/${registrationId}`)).body;
  return orderId;
};
const changeByPolicy = async (shop: SaleFixture, orderId: string) => {
  const { seats, registrationIds } = await shop.read(orderId);
  refunded.push([shop, registrationIds[0]]);
  const path = `${shop.path}/orders/${orderId}/changes`;
  const body = { dryRun: true, cancelSeats: [seats[0].id] };
  const { quote } = (await shop.call('POST', path, { body })).body;
  return shop.call('POST', path, { body: { quoteId: quote.id } });
};

/** A paid order of a seat and two units of an add-on for 100 each, by the same policy. */
const orderOfUnits = async (shop: SaleFixture): Promise<string> => {
  await paidByPolicy(shop);
  const path = `${shop.path}/addons`;
  const addon = await shop.call('POST', path, { body: { name: 'Tour', priceAmount: 100 } });
  const { id: itemId } = addon.body;
  await shop.call('PATCH', `${path}/${itemId}`, { body: { status: 'open' } });
  const items = [shop.ofType(), { itemType: 'addon', itemId, quantity: 2 }];
  const { id } = await shop.placed({ items });
  await pay((await shop.confirm(id)).body.paymentUrl);
  await shop.until(id, 'paid');
  return id;
};
const returned: string[] = [];
const changeUnits = async (shop: SaleFixture, orderId: string) => {
  returned.push(orderId);
  const path = `${shop.path}/orders/${orderId}/changes`;
  const body = { dryRun: true, cancelAddons: [{ itemIndex: 1 }] };
  const { quote } = (await shop.call('POST', path, { body })).body;
  return shop.call('POST', path, { body: { quoteId: quote.id } });
};

const cases: Case[] = [
  ['commerce', 'place.reserved', free, nothing, (shop) => shop.place()],
  ['commerce', 'place.saved', free, nothing, (shop) => shop.place()],
  ['commerce', 'fulfil.responded', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'release.responded', free, held, (shop, id) => shop.cancel(id)],
  ['commerce', 'revoke.responded', free, confirmed, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.created', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'settlement.stored', priced, urlOf, payPage],
  ['commerce', 'payment.expired', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.expired', priced, paidOnPage, (shop, id) => shop.cancel(id)],
  ['commerce', 'refund.responded', priced, paid, refund],
  ['commerce', 'revoke.responded', priced, paidTwice, refund],
  ['commerce', 'refund.seats_revoked', priced, owedSecond, refundDue],
  ['commerce', 'refund.started', priced, paid, refundSeat],
  ['commerce', 'refund.seats_revoked', priced, paid, refundSeat],
  ['commerce', 'due_refund.started', priced, paidLate, endDelay],
  ['commerce', 'provider_refund.stored', priced, paidPage, refundAtProvider],
  ['commerce', 'provider_refund.written', priced, paidPage, refundAtProvider],
  ['commerce', 'revoke.responded', priced, paidPage, refundAtProvider],
  ['commerce', 'order.decided', priced, paidByPolicy, leaveByPolicy],
  ['commerce', 'cancelled_seat.decided', priced, paidByPolicy, leaveByPolicy],
  ['commerce', 'refund.seats_revoked', priced, paidByPolicy, leaveByPolicy],
  ['commerce', 'refund.responded', priced, paidByPolicy, leaveByPolicy],
  ['commerce', 'refund.written', priced, paidByPolicy, leaveByPolicy],
  ['registration', 'outbox.committed', priced, paidByPolicy, leaveByPolicy],
  ['commerce', 'order.decided', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'order_change.decided', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'refund.seats_revoked', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'order_change.done', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'refund.responded', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'refund.written', priced, orderByPolicy, changeByPolicy],
  ['commerce', 'order_change.decided', priced, orderOfUnits, changeUnits],
  ['commerce', 'order_change.units_returned', priced, orderOfUnits, changeUnits],
  ['registration', 'outbox.committed', priced, orderOfUnits, changeUnits],
  ['registration', 'admission.written', priced, orderByPolicy, changeByPolicy],
  ['registration', 'outbox.committed', priced, orderByPolicy, changeByPolicy],
  ['registration', 'admission.written', free, held, (shop, id) => shop.confirm(id, {})],
  ['registration', 'outbox.committed', priced, paid, refund],
  ['commerce', 'cancel.expired', waitlist, orderedOffer, leave],
];

/**
 * Further fault points with similar outcomes. Each takes a few seconds, so they run only with
 * TEST_SIZE=full.
 */
const moreCases: Case[] = [
  ['commerce', 'place.locked', free, nothing, (shop) => shop.place()],
  ['commerce', 'confirm.intended', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'fulfil.written', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'cancel.intended', free, held, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.decided', free, confirmed, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.revoked', free, confirmed, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.attempted', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'payment.opened', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'settlement.processed', priced, urlOf, payPage],
  ['commerce', 'fulfil.responded', priced, urlOf, payPage],
  ['commerce', 'refund.started', priced, paid, refund],
  ['commerce', 'refund.written', priced, paid, refund],
  ['commerce', 'refund.withdrawn', priced, paidTwice, refund],
  ['registration', 'admission.written', priced, paidTwice, refund],
  ['registration', 'admission.written', priced, owedSecond, refundDue],
  ['commerce', 'cancel.intended', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.expired', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.decided', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'release.responded', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.intended', priced, paidOnPage, (shop, id) => shop.cancel(id)],
  ['commerce', 'settlement.stored', priced, paidOnPage, (shop, id) => shop.cancel(id)],
  ['commerce', 'settlement.processed', priced, paidOnPage, (shop, id) => shop.cancel(id)],
  ['commerce', 'fulfil.responded', priced, paidOnPage, (shop, id) => shop.cancel(id)],
  ['registration', 'admission.read', free, nothing, (shop) => shop.place()],
  ['registration', 'outbox.committed', free, held, (shop, id) => shop.confirm(id, {})],
  ['registration', 'admission.written', priced, urlOf, payPage],
  ['commerce', 'fulfil.written', priced, urlOf, payPage],
  ['registration', 'outbox.committed', free, nothing, (shop) => shop.place()],
  ['commerce', 'cancel.intended', waitlist, orderedOffer, leave],
  ['commerce', 'release.responded', waitlist, orderedOffer, leave],
];

describe('a kill', () => {
  test.each(process.env.TEST_SIZE === 'full' ? [...cases, ...moreCases] : cases)(
    'of %s at %s loses neither a seat nor money',
    async (processName, point, type, prepare, act) => {
      const shop = await shopFor(type);
      const fixture = await prepare(shop);
      await bus.killAt(processName, point, () => act(shop, fixture));
      // The platform recovers: the next order is accepted.
      await expect.poll(async () => (await shop.place()).status).toBe(201);
    },
    180_000,
  );
});

test('all orders are finished after the kills, and seats without an owner are free', async () => {
  await expect
    .poll(
      () =>
        bus.database.sql(
          `select id, status, intent from commerce.customer_order
           where status in ('held', 'awaiting_payment') or intent is not null
             or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)
           union all select id, state, null from commerce.payment where state in ('creating', 'open', 'expiring')
           union all select id, state, null from commerce.settlement where state = 'received'
           union all select id, state, null from commerce.refund where state = 'pending'
           union all select provider_refund_id, state, null from commerce.provider_refund where processed_at is null
           union all select id, state, null from commerce.order_change where state in ('moving', 'executing')`,
        ),
      { interval: 200 },
    )
    .toEqual([]);
  for (const [shop, id] of refunded) {
    const { status } = await shop
      .call('GET', `${shop.path}/registrations/${id}`)
      .then(({ body }) => body);
    const refunds = () =>
      bus.database.sql(
        'select amount::int, state from commerce.refund where $1 = any(registration_ids)',
        [id],
      );
    // A cancellation that the kill has prevented refunds nothing.
    const expected = status === 'cancelled' ? [{ amount: 350, state: 'done' }] : [];
    await expect.poll(refunds).toEqual(expected);
  }
  for (const orderId of returned) {
    const units = () =>
      bus.database.sql(
        `select a.quantity, coalesce((select sum(f.amount)::int from commerce.refund f
           where f.order_id = $1 and f.state = 'done'), 0) as refunded
         from registration.registration_addon a where a.order_id = $1`,
        [orderId],
      );
    // Each change was stored before its kill.
    await expect.poll(units).toEqual([{ quantity: 1, refunded: 70 }]);
  }
  for (const shop of shops) {
    const { held: seats, confirmed } = await shop.availability();
    expect([seats, confirmed]).toEqual([
      0,
      (await shop.registrations()).filter(({ status }) => status === 'confirmed').length,
    ]);
  }
  await expectConsistentCheckout(bus);
});

test('expired holds do not count while commerce is down', async () => {
  const shop = await shopFor({ capacity: 1 });
  await shop.placed();
  await bus.processes.stop('commerce', 'SIGKILL');
  expect(await shop.availability()).toMatchObject({ held: 1, remaining: 0 });
  await expect.poll(shop.availability).toMatchObject({ held: 0, remaining: 1 });
  await bus.processes.restart('commerce');
});

describe('a priced order that is not paid in time', () => {
  const late = { ...priced, capacity: 1 };

  test('expires with its page, and a late payment reacquires its seat', async () => {
    const shop = await shopFor(late);
    const { id, url } = await createAwaitingPayment(shop);
    expect(await shop.until(id, 'expired')).toMatchObject({
      paymentUrl: null,
      holdExpiresAt: null,
    });
    expect((await bus.sandboxSession(url)).state).toBe('expired');
    expect(await shop.availability()).toMatchObject({ held: 0, remaining: 1 });
    expect(await notifyLatePayment(bus, url)).toBe(200);
    expect((await shop.until(id, 'paid')).registrationIds).toHaveLength(1);
    expect(await shop.availability()).toMatchObject({ confirmed: 1, remaining: 0 });
  });

  test('has its late payment refunded when the seat is no longer available', async () => {
    const shop = await shopFor(late);
    const { id, url } = await createAwaitingPayment(shop);
    await shop.until(id, 'expired');
    const other = await shop.placed();
    expect(await notifyLatePayment(bus, url)).toBe(200);
    await shop.until(id, 'refund_due');
    expect((await command(bus, shop, listRefunds)).refunds).toMatchObject([
      { orderId: id, amount: 500, cause: 'unfulfillable', state: 'due' },
    ]);
    expect((await shop.read(other.id)).status).toBe('held');
  });

  test('has its late payment refunded after a cancellation, even if the seat is free', async () => {
    const shop = await shopFor(late);
    const { id, url } = await createAwaitingPayment(shop);
    await shop.cancel(id);
    expect(await notifyLatePayment(bus, url)).toBe(200);
    await shop.until(id, 'refund_due');
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 0, remaining: 1 });
  });
});

test('a payment without an order is stored and reported, and changes no order', async () => {
  const session = {
    id: 'cs_nobody',
    attemptId: 'x',
    orderId: 'x',
    paymentId: 'pi_nobody',
    amount: 7,
    currency: 'EUR',
  };
  const notification = { id: 'evt_nobody', type: 'session.paid', session };
  const longAgo = new Date(Date.now() - 301_000);
  expect(await notify(bus, notification, { secret: 'another secret' })).toBe(400);
  expect(await notify(bus, notification, { at: longAgo })).toBe(400);
  expect(await notify(bus, notification)).toBe(200);
  await expect
    .poll(() => bus.operator.callUnchecked(reconcileCommerce, {}))
    .toMatchObject({ unmatched: [{ amount: 7, currency: 'EUR' }] });
});

test('without registration, placing, confirming and cancelling respond with 503, and the held order is kept', async () => {
  const shop = await shopFor(free);
  const { id } = await shop.placed();
  await bus.processes.stop('registration');
  for (const { status } of [
    await shop.place(),
    await shop.confirm(id, {}),
    await shop.cancel(id),
  ]) {
    expect(status).toBe(503);
  }
  await bus.processes.restart('registration');
  await shop.until(id, 'paid');
});
