import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  createCheckoutFixture,
  createSale,
  expireHold,
  notifyLatePayment,
  notifyPaid,
  pay,
  randomEmail,
} from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(async () => {
  await bus?.stop();
});

/** A full ticket type with a price, and its waitlist. */
async function fullSale({ capacity = 1, waiting = 2 } = {}) {
  const shop = await createSale(bus, { capacity, allowWaitlist: true, priceAmount: 2500 });
  const { call, path, typeId } = shop;
  const join = async (): Promise<Body> => {
    const body = { email: randomEmail(), registrationTypeId: typeId };
    return (await expectStatus(call, ['POST', `${path}/registrations`, body], 201)).registration;
  };
  const people: Body[] = [];
  for (let n = 0; n < capacity + waiting; n++) people.push(await join());
  return {
    ...shop,
    first: people.slice(0, capacity),
    waitlisted: people.slice(capacity),
    registration: (id: string): Promise<Body> =>
      expectStatus(call, ['GET', `${path}/registrations/${id}`]),
    leave: (id: string) => expectStatus(call, ['POST', `${path}/registrations/${id}/cancel`]),
    orderOf: (email: string): Promise<Body> => shop.placed({ email }),
    /** Places, confirms and pays an order for one person. */
    async buy(email: string): Promise<Body> {
      const { id } = await shop.placed({ email });
      const { body } = await shop.confirm(id);
      expect(await pay(body.paymentUrl)).toBeLessThan(400);
      return shop.until(id, 'paid');
    },
  };
}

describe('a waitlist of a ticket type with a price', () => {
  test('confirms no one without a payment: the seat is offered, and the order of the offer confirms the registration', async () => {
    const shop = await fullSale();
    const [a, b] = shop.waitlisted;
    await shop.leave(shop.first[0].id);
    expect(await shop.registration(a.id)).toMatchObject({
      status: 'waitlisted',
      offerExpiresAt: expect.any(String),
    });
    expect(await shop.registration(b.id)).toMatchObject({ offerExpiresAt: null });
    const order = await shop.buy(a.email);
    expect(order.registrationIds).toEqual([a.id]);
    expect(await shop.registration(a.id)).toMatchObject({
      status: 'confirmed',
      orderId: order.id,
      checkinCode: a.checkinCode,
    });
    expect(await shop.availability()).toMatchObject({ confirmed: 1, waitlisted: 1, held: 0 });
  });

  test('tells a buyer without an offer that the registration waits', async () => {
    const shop = await fullSale({ waiting: 1 });
    const [a] = shop.waitlisted;
    const { status, body } = await shop.place({ email: a.email });
    expect([status, body]).toEqual([
      200,
      {
        alreadyRegistered: true,
        registrationId: a.id,
        registrationStatus: 'waitlisted',
        openOrderId: null,
      },
    ]);
  });

  test('returns the open order of a buyer who orders the offered seat again', async () => {
    const shop = await fullSale({ waiting: 1 });
    const [a] = shop.waitlisted;
    await shop.leave(shop.first[0].id);
    const { id } = await shop.orderOf(a.email);
    const { status, body } = await shop.place({ email: a.email });
    expect([status, body.registrationStatus, body.openOrderId]).toEqual([200, 'waitlisted', id]);
  });

  test('goes on with the offer after an order that was not paid in time, and offers it again', async () => {
    const shop = await fullSale({ waiting: 1 });
    const [a] = shop.waitlisted;
    await shop.leave(shop.first[0].id);
    const { offerExpiresAt } = await shop.registration(a.id);
    const { id } = await shop.orderOf(a.email);
    await expireHold(bus, id);
    await shop.until(id, 'expired');
    expect(await shop.registration(a.id)).toMatchObject({ status: 'waitlisted', offerExpiresAt });
    expect((await shop.buy(a.email)).registrationIds).toEqual([a.id]);
  });

  test('gives the seat of a cancelled unpaid order back to the offer at once', async () => {
    const shop = await fullSale({ waiting: 2 });
    const [a, b] = shop.waitlisted;
    await shop.leave(shop.first[0].id);
    const { id } = await shop.orderOf(a.email);
    expect((await shop.confirm(id)).status).toBe(200);
    expect((await shop.cancel(id)).body.status).toBe('cancelled');
    expect(await shop.registration(a.id)).toMatchObject({ status: 'waitlisted', offersMissed: 0 });
    expect(await shop.registration(b.id)).toMatchObject({ offerExpiresAt: null });
    expect(await shop.availability()).toMatchObject({ confirmed: 0, held: 1 });
  });

  test('drains in its order while seats become available one by one and offers are paid concurrently', async () => {
    const seats = 8;
    const shop = await fullSale({ capacity: seats, waiting: 2 * seats });
    const paid = Promise.all(
      shop.waitlisted.slice(0, seats).map(({ id, email }) =>
        eventually(async () => {
          expect(await shop.registration(id)).toMatchObject({
            offerExpiresAt: expect.any(String),
          });
          return email;
        }).then(shop.buy),
      ),
    );
    for (const { id } of shop.first) await shop.leave(id);
    expect((await paid).map(({ registrationIds }) => registrationIds[0])).toEqual(
      shop.waitlisted.slice(0, seats).map(({ id }) => id),
    );
    const rest = await Promise.all(
      shop.waitlisted.slice(seats).map(({ id }) => shop.registration(id)),
    );
    expect(rest.map(({ status, offerExpiresAt }) => [status, offerExpiresAt])).toEqual(
      rest.map(() => ['waitlisted', null]),
    );
    expect(await shop.availability()).toMatchObject({ confirmed: seats, held: 0 });
  });
});

describe('a registration that is cancelled while an order has its offer', () => {
  /** The waitlisted person `a` has ordered the offered seat, and `b` waits. */
  async function orderedOffer(fields: object = {}) {
    const shop = await fullSale();
    const [a, b] = shop.waitlisted;
    await shop.leave(shop.first[0].id);
    const order = await shop.placed({ email: a.email, ...fields });
    return {
      ...shop,
      a,
      order,
      async expectNoRegistration() {
        const active = (await shop.registrations()).filter(
          ({ email, status }) => email === a.email && status !== 'cancelled',
        );
        expect(active).toEqual([]);
        expect(await shop.availability()).toMatchObject({ confirmed: 0, waitlisted: 1, held: 1 });
        expect(await shop.registration(b.id)).toMatchObject({ offerExpiresAt: expect.any(String) });
      },
    };
  }
  const refusal = ({ status, body }: { status: number; body: Body }) => [
    status,
    body.error?.details[0],
  ];
  const refused = [412, { reason: 'NOT_REGISTERED', field: 'items[0].attendees[0].email' }];

  test('cancels a held order, and its confirmation says why', async () => {
    const shop = await orderedOffer();
    await shop.leave(shop.a.id);
    await shop.expectNoRegistration();
    expect(refusal(await shop.confirm(shop.order.id))).toEqual(refused);
    expect(await shop.until(shop.order.id, 'cancelled')).toMatchObject({
      cancelledAt: expect.any(String),
    });
    expect(refusal(await shop.confirm(shop.order.id))).toEqual(refused);
    await shop.expectNoRegistration();
  });

  test('cancels a free order of a code, whose confirmation registers no one', async () => {
    const shop = await orderedOffer();
    const codes = `${shop.path}/redemption-codes`;
    await shop.cancel(shop.order.id);
    const discount = { type: 'percent', value: 100 };
    const body = { registrationTypeId: shop.typeId, code: 'GIFT', discount };
    await expectStatus(shop.call, ['POST', codes, body], 201);
    const order = await shop.placed({ email: shop.a.email, redemptionCode: 'GIFT' });
    expect(order.totalAmount).toBe(0);
    await shop.leave(shop.a.id);
    expect(refusal(await shop.confirm(order.id))).toEqual(refused);
    await shop.until(order.id, 'cancelled');
    const { redemptionCodes } = await expectStatus(shop.call, ['GET', codes]);
    expect(redemptionCodes).toMatchObject([{ uses: 0 }]);
    await shop.expectNoRegistration();
  });

  test('ends an open page, which takes no payment any more', async () => {
    const shop = await orderedOffer();
    const { body } = await shop.confirm(shop.order.id);
    await shop.leave(shop.a.id);
    expect(await shop.until(shop.order.id, 'cancelled')).toMatchObject({ paymentUrl: null });
    expect(await pay(body.paymentUrl)).toBeGreaterThanOrEqual(400);
    expect(refusal(await shop.confirm(shop.order.id))).toEqual(refused);
    await shop.expectNoRegistration();
  });

  test.each([
    ['before it was cancelled', 1],
    ['after it was cancelled', 2],
  ])(
    'owes a payment back that was made %s, once, however often it is reported',
    async (_, when) => {
      const shop = await orderedOffer();
      const { paymentUrl } = (await shop.confirm(shop.order.id)).body;
      if (when === 1) await pay(paymentUrl, '?notify=never');
      await shop.leave(shop.a.id);
      if (when === 2) await shop.until(shop.order.id, 'cancelled');
      const report = when === 1 ? notifyPaid : notifyLatePayment;
      for (let n = 0; n < 3; n++) expect(await report(bus, paymentUrl)).toBe(200);
      expect(await shop.until(shop.order.id, 'refund_due')).toMatchObject({
        refundDueAmount: 2500,
        registrationIds: [],
      });
      await shop.expectNoRegistration();
    },
  );
});

describe('a paid ticket type that requires approval', () => {
  test('is sold to an approved person and to no one else', async () => {
    const shop = await createSale(bus, { requiresApproval: true, priceAmount: 2500 });
    const { call, path, typeId } = shop;
    const { status, body } = await shop.place();
    expect([status, body.error.details[0]]).toEqual([
      412,
      expect.objectContaining({ reason: 'APPROVAL_REQUIRED', field: 'items[0]' }),
    ]);
    const email = randomEmail();
    const input = { email, registrationTypeId: typeId };
    const { registration } = await expectStatus(
      call,
      ['POST', `${path}/registrations`, input],
      201,
    );
    const approve = `${path}/registrations/${registration.id}/approve`;
    expect(await expectStatus(call, ['POST', approve])).toMatchObject({
      status: 'waitlisted',
      offerExpiresAt: expect.any(String),
    });
    const { id } = await shop.placed({ email });
    const confirmed = await shop.confirm(id);
    await pay(confirmed.body.paymentUrl);
    expect((await shop.until(id, 'paid')).registrationIds).toEqual([registration.id]);
  });
});

test('every invariant holds afterwards', async () => {
  await expectConsistentCheckout(bus);
});
