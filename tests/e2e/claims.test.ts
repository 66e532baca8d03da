import { claimLimits } from '@event-api/contracts/http/claims';
import { setForm } from '@event-api/contracts/operator/forms';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import {
  type HttpClient,
  httpClient,
  type TestResponse,
} from '@event-api/platform/testing/http-client';
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
import { cancelOnce, untilCancelled } from './fixtures/event-cancellation.ts';

let bus: BusFixture;
let addresses = 0;

beforeAll(async () => {
  bus = await createCheckoutFixture({ gateway: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => stopConsistent(bus));

/** Places an order of open seats, behind those of `attendees`, and pays it. */
async function sell(shop: SaleFixture, quantity: number, attendees: object[] = []): Promise<Body> {
  const items = [shop.ofType({ quantity, attendees })];
  const { id, totalAmount } = await shop.placed({ items, assignLater: true });
  const { body } = await shop.confirm(id, totalAmount === 0 ? {} : undefined);
  if (totalAmount > 0) await pay(body.paymentUrl);
  return shop.until(id, 'paid');
}

const linksOf = (shop: SaleFixture, order: Body) => `${shop.path}/orders/${order.id}/claim-links`;

const link = (shop: SaleFixture, order: Body, body: object = {}): Promise<TestResponse> =>
  shop.call('POST', linksOf(shop, order), { body });

/** A person who has only the token, each at an address of its own unless one is given. */
function withToken(token: string, address?: string): HttpClient {
  addresses += 1;
  const forwarded = address ?? `198.51.${addresses >> 8}.${addresses & 255}`;
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': forwarded };
  return httpClient(bus.gatewayUrl, headers);
}

const claim = (token: string, seatId: string, body: object = {}): Promise<TestResponse> =>
  withToken(token)('POST', `/v1/claims/${seatId}/assign`, {
    body: { email: randomEmail(), ...body },
  });

const ended = {
  startsAt: '2020-01-01T09:00:00Z',
  endsAt: '2020-01-02T09:00:00Z',
  confirmAgendaReset: true,
};

const reasonOf = ({ status, body }: TestResponse) => [status, body.error?.details[0]?.reason];
const errorOf = ({ status, body }: TestResponse) => {
  const { requestId: _, ...error } = body.error;
  return [status, error];
};

describe('a claim link', () => {
  test('lets a person without a key assign an open seat', async () => {
    const shop = await createSale(bus, { capacity: 3, priceAmount: 700 });
    const order = await sell(shop, 3, [{ email: randomEmail(), name: 'Ada Lovelace' }]);
    const pageUrl = 'https://tickets.example.com/seats?of={ORDER_NUMBER}';
    const { status, body: made } = await link(shop, order, { pageUrl });
    expect([status, made]).toEqual([
      200,
      {
        ...{ id: expect.stringMatching(/^clm_/), orderId: order.id, seatId: null, revokedAt: null },
        createdAt: expect.any(String),
        claimToken: expect.stringMatching(/^ct_live_[0-9A-Za-z]{32}$/),
        claimUrl: `${pageUrl.replace('{ORDER_NUMBER}', order.orderNumber)}#${made.claimToken}`,
      },
    ]);
    const person = withToken(made.claimToken);
    const offer = await person('GET', '/v1/claims');
    const [, second, third] = order.seats;
    const ticketTypeName = (await shop.call('GET', `${shop.path}/ticket-types/${shop.typeId}`)).body
      .name;
    expect([offer.status, offer.body]).toEqual([
      200,
      {
        eventName: expect.any(String),
        closedReason: null,
        seats: [second, third].map(({ id }) => ({ id, status: 'open', ticketTypeName })),
        questions: [],
      },
    ]);
    const email = randomEmail();
    const body = { email, name: 'Grace Hopper' };
    const assigned = await person('POST', `/v1/claims/${third.id}/assign`, { body });
    const { registrationId } = assigned.body;
    expect([assigned.status, assigned.body]).toEqual([
      200,
      {
        ...{ seatId: third.id, status: 'assigned', registrationStatus: 'confirmed' },
        registrationId: expect.stringMatching(/^reg_/),
      },
    ]);
    const registration = await shop.call('GET', `${shop.path}/registrations/${registrationId}`);
    expect(registration.body).toMatchObject({ email, name: 'Grace Hopper', status: 'confirmed' });
    expect((await shop.read(order.id)).seats[2]).toMatchObject({ registrationId });
    const again = await person('POST', `/v1/claims/${third.id}/assign`, { body });
    expect(again.body).toEqual(assigned.body);
    const after = await person('GET', '/v1/claims');
    expect(after.body.seats).toEqual([
      { id: second.id, status: 'open', ticketTypeName },
      { id: third.id, status: 'assigned', ticketTypeName: null },
    ]);
    expect(JSON.stringify(after.body)).not.toMatch(/@|Grace|Ada|reg_/);
    expect(after.headers['x-claim-unknown']).toBeUndefined();
  });

  test('asks the questions of the event, and refuses answers that do not fit', async () => {
    const shop = await createSale(bus, { capacity: 2, priceAmount: 0 });
    const order = await sell(shop, 1);
    const diet = { id: 'diet', label: 'Diet', type: 'choice', required: true, options: ['none'] };
    await command(bus, shop, setForm, { questions: [diet] });
    const { claimToken } = (await link(shop, order)).body;
    const [seat] = order.seats;
    const refused = await claim(claimToken, seat.id, { responses: { diet: 'all' } });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'responses.diet']);
    const offer = await withToken(claimToken)('GET', '/v1/claims');
    expect(offer.body).toMatchObject({
      seats: [{ id: seat.id, status: 'open' }],
      questions: [diet],
    });
    expect((await claim(claimToken, seat.id, { responses: { diet: 'none' } })).status).toBe(200);
  });

  test('of one seat covers that seat only, and no seat that was sold with an attendee', async () => {
    const shop = await createSale(bus, { capacity: 3, priceAmount: 0 });
    const order = await sell(shop, 3, [{ email: randomEmail() }]);
    const [first, second, third] = order.seats;
    const { claimToken } = (await link(shop, order, { seatId: second.id })).body;
    const offer = await withToken(claimToken)('GET', '/v1/claims');
    expect(offer.body.seats.map(({ id }: Body) => id)).toEqual([second.id]);
    const missing = errorOf(await claim(claimToken, `${order.id}_9`));
    expect(missing[0]).toBe(404);
    expect(errorOf(await claim(claimToken, third.id))).toEqual(missing);
    const whole = (await link(shop, order)).body.claimToken;
    expect(errorOf(await claim(whole, first.id))).toEqual(missing);
    expect((await claim(whole, third.id)).status).toBe(200);
    expect((await claim(claimToken, second.id)).status).toBe(200);
  });

  test('is revoked by the next one of the same seat or order, and by its owner, twice', async () => {
    const shop = await createSale(bus, { capacity: 2, priceAmount: 0 });
    const order = await sell(shop, 2);
    const [first] = order.seats;
    const make = async (body: object = {}) => (await link(shop, order, body)).body;
    const old = await make();
    const ofSeat = await make({ seatId: first.id });
    const next = await make();
    const statusOf = async ({ claimToken }: Body) =>
      (await withToken(claimToken)('GET', '/v1/claims')).status;
    expect([await statusOf(old), await statusOf(ofSeat), await statusOf(next)]).toEqual([
      ...[401, 200, 200],
    ]);
    const revoke = () => shop.call('POST', `${linksOf(shop, order)}/${next.id}/revoke`);
    const { status, body: revoked } = await revoke();
    const { claimToken: token, claimUrl: _, ...rest } = next;
    expect([status, revoked]).toEqual([200, { ...rest, revokedAt: expect.any(String) }]);
    expect((await revoke()).body).toEqual(revoked);
    // One response, whatever is wrong with the token.
    const unknown = `ct_live_${'Qx7k'.repeat(8)}`;
    const get = async (bearer: string) => errorOf(await withToken(bearer)('GET', '/v1/claims'));
    const wrong = await get(token);
    expect(wrong[0]).toBe(401);
    expect(await get(unknown)).toEqual(wrong);
    expect(await get('ct_live_short')).toEqual(wrong);
    expect(errorOf(await claim(token, first.id))).toEqual(wrong);
    expect(await get(`ct_live_eu2_${'Qx7k'.repeat(8)}`)).toEqual([
      401,
      { ...(wrong[1] as object), message: expect.stringContaining('names cell eu2') },
    ]);
  });

  test('neither replaces a key, nor a key the link', async () => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const { claimToken } = (await link(shop, order)).body;
    const orders = `${shop.path}/orders/${order.id}`;
    expect((await withToken(claimToken)('GET', orders)).status).toBe(401);
    expect((await shop.call('GET', '/v1/claims')).status).toBe(401);
  });

  test('of another business unit is a 404, as a missing one', async () => {
    const [shop, other] = [await createSale(bus), await createSale(bus)];
    const order = await sell(shop, 1);
    const made = (await link(shop, order)).body;
    const path = linksOf(shop, order);
    const missing = await other.call('POST', `${other.path}/orders/ord_x/claim-links`, {
      body: {},
    });
    expect(errorOf(await other.call('POST', path, { body: {} }))).toEqual(errorOf(missing));
    expect((await other.call('POST', `${path}/${made.id}/revoke`)).status).toBe(404);
    const second = await sell(shop, 1);
    const foreign = await shop.call('POST', `${linksOf(shop, second)}/${made.id}/revoke`);
    expect(foreign.status).toBe(404);
    const seat = await link(shop, order, { seatId: second.seats[0].id });
    expect([seat.status, seat.body.error.message]).toEqual([
      ...[404, 'seatId does not match a record of this order'],
    ]);
    expect((await withToken(made.claimToken)('GET', '/v1/claims')).status).toBe(200);
  });

  test('has nothing to assign before the payment, and after the end of the order', async () => {
    const shop = await createSale(bus, { capacity: 4, priceAmount: 700 });
    const held = await shop.placed({ items: [shop.ofType({ quantity: 1 })], assignLater: true });
    const early = (await link(shop, held)).body.claimToken;
    const notPaid = await claim(early, held.seats[0].id);
    expect([...reasonOf(notPaid), notPaid.body.error.message]).toEqual([
      ...[412, 'SEAT_NOT_OPEN', 'The seat is not paid yet. Assign it once its order is paid.'],
    ]);
    const paying = await shop.placed({ items: [shop.ofType()], assignLater: true });
    const { claimToken } = (await link(shop, paying)).body;
    expect(reasonOf(await claim(claimToken, paying.seats[0].id))).toEqual(reasonOf(notPaid));
    await pay((await shop.confirm(paying.id)).body.paymentUrl);
    await shop.until(paying.id, 'paid');
    expect((await claim(claimToken, paying.seats[0].id)).status).toBe(200);
    await shop.cancel(held.id);
    const cancelled = await claim(early, held.seats[0].id);
    expect([...reasonOf(cancelled), cancelled.body.error.message]).toEqual([
      ...[412, 'SEAT_NOT_OPEN', 'The seat is cancelled.'],
    ]);
    expect(reasonOf(await link(shop, held))).toEqual([412, 'SEAT_NOT_OPEN']);
    const paid = await sell(shop, 1);
    const late = (await link(shop, paid)).body.claimToken;
    await command(bus, shop, refundOrder, { orderId: paid.id, all: true });
    await shop.until(paid.id, 'refunded');
    expect(reasonOf(await claim(late, paid.seats[0].id))).toEqual([412, 'SEAT_NOT_OPEN']);
    expect(reasonOf(await link(shop, paid, { seatId: paid.seats[0].id }))).toEqual([
      ...[412, 'SEAT_NOT_OPEN'],
    ]);
    const invalid = await link(shop, await sell(shop, 1), { pageUrl: 'http://shop.example/#a' });
    expect([invalid.status, invalid.body.error.details[0].field]).toEqual([400, 'pageUrl']);
  });

  test('says that the event is cancelled, and shows its seats as cancelled', async () => {
    const shop = await createSale(bus, { capacity: 2, priceAmount: 0 });
    const order = await sell(shop, 2);
    const { claimToken } = (await link(shop, order)).body;
    await cancelOnce(bus, shop);
    const refused = await claim(claimToken, order.seats[0].id);
    expect(reasonOf(refused)).toEqual([412, 'EVENT_CANCELLED']);
    await untilCancelled(bus, shop);
    expect(reasonOf(await claim(claimToken, order.seats[1].id))).toEqual([412, 'EVENT_CANCELLED']);
    const { body } = await withToken(claimToken)('GET', '/v1/claims');
    expect(body.seats.map(({ status }: Body) => status)).toEqual(['cancelled', 'cancelled']);
    expect(body.closedReason).toBe('EVENT_CANCELLED');
  });

  test.each([
    ['EVENT_ENDED', ({ call, path }: SaleFixture) => expectStatus(call, ['PATCH', path, ended])],
    [
      'EVENT_ARCHIVED',
      ({ call, path }: SaleFixture) => expectStatus(call, ['POST', `${path}/archive`]),
    ],
  ])('says %s of open seats that nobody can have any more', async (reason, end) => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const { claimToken } = (await link(shop, order)).body;
    await end(shop);
    const { body } = await withToken(claimToken)('GET', '/v1/claims');
    expect(body).toMatchObject({ closedReason: reason, seats: [{ status: 'open' }] });
    expect(reasonOf(await claim(claimToken, order.seats[0].id))).toEqual([412, reason]);
  });

  test('is refused an email that is registered, and the seat stays open', async () => {
    const shop = await createSale(bus, { capacity: 3, priceAmount: 0 });
    const email = randomEmail();
    const order = await sell(shop, 2, [{ email }]);
    const { claimToken } = (await link(shop, order)).body;
    const [, seat] = order.seats;
    expect(reasonOf(await claim(claimToken, seat.id, { email }))).toEqual([
      ...[412, 'ATTENDEE_REGISTERED'],
    ]);
    expect((await shop.read(order.id)).seats[1].status).toBe('open');
  });

  test('gives a seat to one of many that claim it at once', async () => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const [seat] = order.seats;
    const { claimToken } = (await link(shop, order)).body;
    const byKey = `${shop.path}/orders/${order.id}/seats/${seat.id}/assign`;
    const results = await Promise.all([
      ...Array.from({ length: 6 }, () => claim(claimToken, seat.id)),
      shop.call('POST', byKey, { body: { email: randomEmail() } }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      ...[200, 412, 412, 412, 412, 412, 412],
    ]);
    const active = (await shop.registrations()).filter(({ status }) => status === 'confirmed');
    expect(active).toHaveLength(1);
    expect((await shop.read(order.id)).seats[0].registrationId).toBe(active[0].id);
  });

  test('has one token that is valid, however many are created at once', async () => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const made = await Promise.all(Array.from({ length: 6 }, () => link(shop, order)));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const reads = await Promise.all(
      made.map(({ body }) => withToken(body.claimToken)('GET', '/v1/claims')),
    );
    expect(reads.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is shown once, and stored as a hash', async () => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const headers = { 'idempotency-key': `link-${order.id}` };
    const create = () => shop.call('POST', linksOf(shop, order), { body: {}, headers });
    const { claimToken, ...rest } = (await create()).body;
    const replayed = await create();
    expect(replayed.body).toEqual({ ...rest, claimToken: null, claimUrl: null });
    const [row] = await bus.database.sql(
      `select jsonb_build_array((select jsonb_agg(to_jsonb(c)) from commerce.claim_link c),
         (select jsonb_agg(to_jsonb(k)) from commerce.idempotency_key k))::text as stored`,
    );
    expect(row?.stored).toContain(rest.id);
    expect(row?.stored).not.toContain(claimToken);
  });
});

describe('requests without a key are limited', () => {
  test('by the token, from any number of addresses', async () => {
    const shop = await createSale(bus, { capacity: 1, priceAmount: 0 });
    const order = await sell(shop, 1);
    const { claimToken } = (await link(shop, order)).body;
    const statuses = await Promise.all(
      Array.from({ length: 2 * claimLimits.token + 1 }, () =>
        withToken(claimToken)('GET', '/v1/claims').then(({ status }) => status),
      ),
    );
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    const first = await withToken(claimToken)('GET', '/v1/claims');
    expect(first.headers['ratelimit-policy'] ?? '').toMatch(/^"claims";q=60;w=60$/);
  });

  test('by the address, with any number of tokens', async () => {
    const address = '203.0.113.77';
    const token = (n: number) => `ct_live_${String(n).padStart(32, '0')}`;
    const statuses: number[] = [];
    for (let n = 0; n < 2 * claimLimits.address + 20; n += 20) {
      const some = Array.from({ length: 20 }, (_, i) =>
        withToken(token(n + i), address)('GET', '/v1/claims').then(({ status }) => status),
      );
      statuses.push(...(await Promise.all(some)));
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await withToken(token(0))('GET', '/v1/claims')).status).toBe(401);
  });
});
