import { createAddon } from '@event-api/contracts/http/addons';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { expectStatus } from './fixtures/bus.ts';
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
import { stopConsistent } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const priced = { priceAmount: 400, capacity: null };

/** Places orders with these bodies, opens all payment pages, and pays them in their order. */
async function purchase(shop: SaleFixture, bodies: object[]): Promise<Body[]> {
  const placed: Body[] = [];
  for (const body of bodies) placed.push(await shop.placed(body));
  const pages: Body[] = [];
  for (const { id } of placed) pages.push((await shop.confirm(id)).body);
  // All pages are paid before the first payment is known, because it would expire the other pages.
  // The locks keep the sweep from finding the later payments before their turn.
  for (const { paymentUrl } of pages) await pay(paymentUrl, '?notify=never');
  const locks = await Promise.all(pages.map(({ id }) => lockOrder(id)));
  for (const [n, { id, paymentUrl }] of pages.entries()) {
    await locks[n]?.end();
    await notifyPaid(bus, paymentUrl);
    await expect.poll(async () => (await shop.read(id)).status).toMatch(/^(paid|refund_due)$/);
  }
  return Promise.all(placed.map(({ id }) => shop.read(id)));
}

async function lockOrder(id: string) {
  const session = await bus.database.of('commerce').session();
  await session.sql('begin');
  await session.sql('select from commerce.customer_order where id = $1 for update', [id]);
  return session;
}

/** Two orders for one person, both paid. The registration belongs to the first. */
async function purchaseTwice(shop: SaleFixture) {
  const email = randomEmail();
  const [first, second] = await purchase(shop, [{ email }, { email }]);
  expect([first.status, second.status, second.refundDueAmount]).toEqual([
    'paid',
    'refund_due',
    400,
  ]);
  return { first, second, registrationId: first.registrationIds[0] as string };
}

const refund = (shop: SaleFixture, { id }: { id: string }, extent: object = { all: true }) =>
  command(bus, shop, refundOrder, { orderId: id, ...extent });

const registrationOf = (shop: SaleFixture, id: string) =>
  expectStatus(shop.call, ['GET', `${shop.path}/registrations/${id}`]);

const refundsOf = async ({ id }: { id: string }) => {
  const rows = await bus.database.sql<{ state: string; amount: string }>(
    'select state, amount from commerce.refund where order_id = $1 order by created_at, id',
    [id],
  );
  return rows.map(({ state, amount }) => `${state} ${amount}`);
};

test.each([
  ['', () => ({ all: true })],
  ['registration of the ', (id: string) => ({ registrationIds: [id] })],
])(
  'the refund of the %sfirst of two orders for one person leaves the registration to the second, which is owed nothing',
  async (_, extent) => {
    const shop = await createSale(bus, priced);
    const { first, second, registrationId } = await purchaseTwice(shop);
    expect((await refund(shop, first, extent(registrationId))).order.status).toBe('refunded');
    expect(await registrationOf(shop, registrationId)).toMatchObject({
      status: 'confirmed',
      orderId: second.id,
    });
    expect(await shop.read(second.id)).toMatchObject({
      status: 'paid',
      refundDueAmount: 0,
      registrationIds: [registrationId],
      items: [{ totalAmount: 400, unfulfilledAmount: 0 }],
    });
    expect(await refundsOf(second)).toEqual(['withdrawn 400']);
    await expect(refund(shop, second, { onlyDue: true })).rejects.toThrow(/No refund .* is due/);
    expect((await refund(shop, second)).order.status).toBe('refunded');
    expect((await registrationOf(shop, registrationId)).status).toBe('cancelled');
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 0 });
  },
);

test('the payment of one of two orders for one person ends the page of the other and frees its seat', async () => {
  const shop = await createSale(bus, { ...priced, capacity: 2 });
  const email = randomEmail();
  const [first, second] = [await shop.placed({ email }), await shop.placed({ email })];
  const [paid, ended] = [(await shop.confirm(first.id)).body, (await shop.confirm(second.id)).body];
  expect((await shop.place()).body.error.details[0].reason).toBe('SOLD_OUT');
  await pay(paid.paymentUrl);
  await shop.until(first.id, 'paid');
  expect(await shop.until(second.id, 'cancelled')).toMatchObject({
    paymentUrl: null,
    refundDueAmount: 0,
  });
  expect(await pay(ended.paymentUrl)).toBe(412);
  expect((await shop.confirm(second.id)).body.error.details).toEqual([
    { reason: 'ATTENDEE_REGISTERED', field: 'items[0].attendees[0].email' },
  ]);
  expect((await shop.placed()).status).toBe('held');
});

test('an order of several seats stays owed the price of the seats that it does not get', async () => {
  const shop = await createSale(bus, priced);
  const [ada, ben, eve] = [randomEmail(), randomEmail(), randomEmail()];
  const attendees = [ada, ben, eve].map((email) => ({ email }));
  const [ofAda, ofBen, ofAll] = await purchase(shop, [
    { email: ada },
    { email: ben },
    { email: eve, items: [shop.ofType({ quantity: 3, attendees })] },
  ]);
  expect(ofAll).toMatchObject({ status: 'paid', refundDueAmount: 800 });
  await refund(shop, ofAda);
  expect(await shop.read(ofAll.id)).toMatchObject({ status: 'paid', refundDueAmount: 400 });
  expect(await refundsOf(ofAll)).toEqual(['withdrawn 800', 'due 400']);
  // The rest is refunded, so that the order does not get the registration of Ben any more.
  await refund(shop, ofAll, { onlyDue: true });
  await refund(shop, ofBen);
  expect((await registrationOf(shop, ofBen.registrationIds[0])).status).toBe('cancelled');
  expect(await registrationOf(shop, ofAda.registrationIds[0])).toMatchObject({
    status: 'confirmed',
    orderId: ofAll.id,
  });
  expect(await shop.availability()).toMatchObject({ confirmed: 2 });
});

test('an order whose due refund was paid gets no registration without paying for it', async () => {
  const shop = await createSale(bus, priced);
  const { first, second, registrationId } = await purchaseTwice(shop);
  expect((await refund(shop, second, { onlyDue: true })).order.status).toBe('refunded');
  expect((await registrationOf(shop, registrationId)).status).toBe('confirmed');
  await refund(shop, first);
  expect((await registrationOf(shop, registrationId)).status).toBe('cancelled');
  expect(await shop.availability()).toMatchObject({ confirmed: 0 });
});

test('an order for another ticket type keeps the registration until the price that it is owed is refunded', async () => {
  const shop = await createSale(bus, priced);
  const types = `${shop.path}/ticket-types`;
  const vip = await expectStatus(shop.call, ['POST', types, { name: 'VIP', priceAmount: 900 }]);
  await expectStatus(shop.call, ['PATCH', `${types}/${vip.id}`, { status: 'open' }]);
  const [email, guest] = [randomEmail(), randomEmail()];
  const item = { itemType: 'registration_type', itemId: vip.id };
  const attendees = [{ email }, { email: guest }];
  const [day, both] = await purchase(shop, [
    { email },
    { email, items: [{ ...item, quantity: 2, attendees }] },
  ]);
  await refund(shop, day);
  const [id] = day.registrationIds;
  expect(await registrationOf(shop, id)).toMatchObject({ status: 'confirmed', orderId: both.id });
  expect(await shop.read(both.id)).toMatchObject({ status: 'paid', refundDueAmount: 900 });
  await refund(shop, both, { onlyDue: true });
  expect((await registrationOf(shop, id)).status).toBe('cancelled');
  expect(await shop.read(both.id)).toMatchObject({ status: 'paid', refundedAmount: 900 });
});

test('add-ons that were delivered stay paid for when an order gets the registration of their buyer', async () => {
  const shop = await createSale(bus, priced);
  const addons = createAddon.url.replace(':eventId', shop.eventId);
  const lunch = await expectStatus(shop.call, ['POST', addons, { name: 'Lunch', priceAmount: 50 }]);
  await expectStatus(shop.call, ['PATCH', `${addons}/${lunch.id}`, { status: 'open' }]);
  const email = randomEmail();
  const items = [shop.ofType(), { itemType: 'addon', itemId: lunch.id, quantity: 1 }];
  const [first, second] = await purchase(shop, [{ email }, { email, items }]);
  expect(second).toMatchObject({ status: 'paid', totalAmount: 450, refundDueAmount: 400 });
  await refund(shop, first);
  expect(await shop.read(second.id)).toMatchObject({ status: 'paid', refundDueAmount: 0 });
});

test('two orders for one person that are refunded at the same time leave no registration', async () => {
  const shop = await createSale(bus, priced);
  const { first, second, registrationId } = await purchaseTwice(shop);
  await Promise.all([refund(shop, first), refund(shop, second)]);
  expect((await registrationOf(shop, registrationId)).status).toBe('cancelled');
});

test('a registration is paid for after any race between the refund of one order and what is due for the other', async () => {
  const shop = await createSale(bus, priced);
  for (let round = 0; round < 8; round++) {
    const { first, second, registrationId } = await purchaseTwice(shop);
    const requests = [
      () => refund(shop, first),
      () => refund(shop, second, { onlyDue: true }).catch(requireNothingDue),
    ];
    if (round % 2 === 1) requests.reverse();
    await Promise.all(requests.map((send) => send()));
    await expect.poll(async () => (await shop.read(first.id)).status).toBe('refunded');
    const { status, refundedAmount } = await shop.read(second.id);
    const registration = await registrationOf(shop, registrationId);
    expect([status, refundedAmount, registration.status]).toEqual(
      status === 'paid' ? ['paid', 0, 'confirmed'] : ['refunded', 400, 'cancelled'],
    );
  }
});

function requireNothingDue(error: Error): void {
  expect(error.message).toContain('NOTHING_TO_REFUND');
}
