import { listRefunds, reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutFaults, moneyOf } from './checkout-money.ts';
import type { BusFixture } from './fixtures/bus.ts';
import {
  awaiting,
  command,
  createCheckoutFixture,
  createSale,
  notify,
  notifyPaid,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';

/** Long enough for a process to come back, short enough for a test to see that a hold ends. */
const HOLD_MS = '8000';

let bus: BusFixture;
const shops: SaleFixture[] = [];

beforeAll(async () => {
  bus = await createCheckoutFixture({ registration: { HOLD_MS } });
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
  const { id, url } = await awaiting(shop);
  await pay(url);
  await shop.until(id, 'paid');
  return id;
}

/** A victim, where it dies, the kind of shop, what was done before, and what it dies of. */
type Case = [
  victim: string,
  point: string,
  type: object,
  prepare: (shop: SaleFixture) => Promise<string>,
  act: (shop: SaleFixture, id: string) => Promise<unknown>,
];

const nothing = async () => '';
const held = async (shop: SaleFixture) => (await shop.placed()).id as string;

const urlOf = (shop: SaleFixture) => awaiting(shop).then(({ url }) => url);
const idOf = (shop: SaleFixture) => awaiting(shop).then(({ id }) => id);
/** An order whose page is paid, of which the provider does not notify. */
const paidUnheard = async (shop: SaleFixture) => {
  const { id, url } = await awaiting(shop);
  await pay(url, '?notify=never');
  return id;
};
const refund = (shop: SaleFixture, orderId: string) =>
  command(bus, shop, refundOrder, { orderId, all: true });
const payPage = (_: SaleFixture, url: string) => pay(url);

const cases: Case[] = [
  ['commerce', 'place.claimed', free, nothing, (shop) => shop.place()],
  ['commerce', 'place.kept', free, nothing, (shop) => shop.place()],
  ['commerce', 'fulfil.answered', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'release.answered', free, held, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.created', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'settlement.stored', priced, urlOf, payPage],
  ['commerce', 'payment.ended', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.ended', priced, paidUnheard, (shop, id) => shop.cancel(id)],
  ['commerce', 'refund.answered', priced, paid, refund],
  ['registration', 'admission.written', free, held, (shop, id) => shop.confirm(id, {})],
  ['registration', 'outbox.committed', priced, paid, refund],
];

/** The steps between those above, which differ less. Each costs a few seconds: they are left to the full size. */
const moreCases: Case[] = [
  ['commerce', 'place.locked', free, nothing, (shop) => shop.place()],
  ['commerce', 'confirm.intended', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'fulfil.written', free, held, (shop, id) => shop.confirm(id, {})],
  ['commerce', 'cancel.intended', free, held, (shop, id) => shop.cancel(id)],
  ['commerce', 'payment.attempted', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'payment.opened', priced, held, (shop, id) => shop.confirm(id)],
  ['commerce', 'settlement.judged', priced, urlOf, payPage],
  ['commerce', 'fulfil.answered', priced, urlOf, payPage],
  ['commerce', 'refund.begun', priced, paid, refund],
  ['commerce', 'refund.written', priced, paid, refund],
  ['commerce', 'cancel.intended', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.ended', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.decided', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'release.answered', priced, idOf, (shop, id) => shop.cancel(id)],
  ['commerce', 'cancel.intended', priced, paidUnheard, (shop, id) => shop.cancel(id)],
  ['commerce', 'settlement.stored', priced, paidUnheard, (shop, id) => shop.cancel(id)],
  ['commerce', 'settlement.judged', priced, paidUnheard, (shop, id) => shop.cancel(id)],
  ['commerce', 'fulfil.answered', priced, paidUnheard, (shop, id) => shop.cancel(id)],
  ['registration', 'admission.read', free, nothing, (shop) => shop.place()],
  ['registration', 'outbox.committed', free, held, (shop, id) => shop.confirm(id, {})],
  ['registration', 'admission.written', priced, urlOf, payPage],
  ['commerce', 'fulfil.written', priced, urlOf, payPage],
  ['registration', 'outbox.committed', free, nothing, (shop) => shop.place()],
];

describe('a kill', () => {
  test.each(process.env.TEST_SIZE === 'full' ? [...cases, ...moreCases] : cases)(
    'of %s at %s loses neither a seat nor money',
    async (victim, point, type, prepare, act) => {
      const shop = await shopFor(type);
      const fixture = await prepare(shop);
      await bus.killedAt(victim, point, () => act(shop, fixture));
      // The platform goes on: the next buyer is served.
      await expect.poll(async () => (await shop.place()).status).toBe(201);
    },
    180_000,
  );
});

test('after all of it every order has come to its end, and every seat that nobody has is free', async () => {
  await expect
    .poll(
      () =>
        bus.database.sql(
          `select id, status, intent from commerce.customer_order
           where status in ('held', 'awaiting_payment') or intent is not null
             or (status = 'refunded' and revoked_at is null) or (status = 'expired' and settlement_id is not null)
           union all select id, state, null from commerce.payment where state in ('creating', 'open', 'ending')
           union all select id, state, null from commerce.settlement where state = 'received'
           union all select id, state, null from commerce.refund where state = 'pending'`,
        ),
      { interval: 200 },
    )
    .toEqual([]);
  for (const shop of shops) {
    const { held: seats, confirmed } = await shop.availability();
    expect([seats, confirmed]).toEqual([
      0,
      (await shop.registrations()).filter(({ status }) => status === 'confirmed').length,
    ]);
  }
  expect(await checkoutFaults(bus)).toEqual([]);
  for (const { received, accounted } of await moneyOf(bus)) expect(accounted).toBe(received);
});

test('while commerce is down a hold that has ended does not count', async () => {
  const shop = await shopFor({ capacity: 1 });
  await shop.placed();
  await bus.processes.stop('commerce', 'SIGKILL');
  expect(await shop.availability()).toMatchObject({ held: 1, remaining: 0 });
  await expect.poll(shop.availability).toMatchObject({ held: 0, remaining: 1 });
  await bus.processes.restart('commerce');
});

/** Tells of a payment that the provider took although its page had ended. */
const payLate = async (url: string): Promise<number> =>
  notifyPaid(bus, url, { paymentId: `pi_late_${url.split('/').at(-1)}` });

describe('a priced order that nobody pays in time', () => {
  const late = { ...priced, capacity: 1 };

  test('expires with its page, and late money takes its place again', async () => {
    const shop = await shopFor(late);
    const { id, url } = await awaiting(shop);
    expect(await shop.until(id, 'expired')).toMatchObject({
      paymentUrl: null,
      holdExpiresAt: null,
    });
    expect((await bus.sandboxSession(url)).state).toBe('expired');
    expect(await shop.availability()).toMatchObject({ held: 0, remaining: 1 });
    expect(await payLate(url)).toBe(200);
    expect((await shop.until(id, 'paid')).registrationIds).toHaveLength(1);
    expect(await shop.availability()).toMatchObject({ confirmed: 1, remaining: 0 });
  });

  test('gets its late money back where its place is gone', async () => {
    const shop = await shopFor(late);
    const { id, url } = await awaiting(shop);
    await shop.until(id, 'expired');
    const other = await shop.placed();
    expect(await payLate(url)).toBe(200);
    await shop.until(id, 'refund_due');
    expect((await command(bus, shop, listRefunds)).refunds).toMatchObject([
      { orderId: id, amount: 500, cause: 'gone', state: 'due' },
    ]);
    expect((await shop.read(other.id)).status).toBe('held');
  });

  test('gets its late money back where it was cancelled, even if its place is free', async () => {
    const shop = await shopFor(late);
    const { id, url } = await awaiting(shop);
    await shop.cancel(id);
    expect(await payLate(url)).toBe(200);
    await shop.until(id, 'refund_due');
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 0, remaining: 1 });
  });
});

test('money that belongs to no order is kept, told of, and given to nobody', async () => {
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

test('registration away: placing, confirming and cancelling answer 503, and what was held stays', async () => {
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
