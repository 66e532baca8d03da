import { reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { createSaleWithPolicy, readRefunds } from './fixtures/policy-sale.ts';
import { backUp, compareOf, takeLastSeat } from './fixtures/restores.ts';
import { openType } from './fixtures/type-changes.ts';

let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

async function purchase(shop: SaleFixture): Promise<Body> {
  const { id, totalAmount } = await shop.placed();
  const { body } = await shop.confirm(id);
  if (totalAmount > 0) await pay(body.paymentUrl);
  return shop.until(id, 'paid');
}

const compare = (input?: object) => compareOf(bus)(input);

test('after a restore of registration, paid orders get their seats again or are owed their money', async () => {
  const priced = { priceAmount: 400 };
  const [roomy, full, refunded] = [
    await createSale(bus, priced),
    await createSale(bus, { ...priced, capacity: 1 }),
    await createSale(bus, priced),
  ];
  const fullAndFree = await createSale(bus, { capacity: 1 });
  const refundedOrder = await purchase(refunded);
  const cancelled = await createSale(bus);
  const cancelledOrder = await purchase(cancelled);
  const putBack = await backUp(bus, 'registration');
  await command(bus, refunded, refundOrder, { orderId: refundedOrder.id, all: true });
  expect((await cancelled.cancel(cancelledOrder.id)).body.status).toBe('cancelled');
  const lost: Body[] = [];
  for (const shop of [roomy, full, fullAndFree]) lost.push(await purchase(shop));
  expect((await compare()).differences).toEqual([]);

  await putBack();
  await takeLastSeat(full);
  await takeLastSeat(fullAndFree);
  const differences = [
    ...lost.map(({ id, registrationIds }) => ({
      difference: 'paid_without_seats',
      orderId: id,
      status: 'paid',
      registrationIds,
      repair: 'fulfil',
    })),
    ...[refundedOrder, cancelledOrder].map(({ id, registrationIds }) => ({
      difference: 'seats_of_refunded_order',
      orderId: id,
      status: id === refundedOrder.id ? 'refunded' : 'cancelled',
      registrationIds,
      repair: 'revoke',
    })),
  ];
  const byOrder = (report: Body) =>
    report.differences.toSorted((a: Body, b: Body) => (a.orderId < b.orderId ? -1 : 1));
  const expected = byOrder({ differences });
  expect(byOrder(await compare())).toMatchObject(expected);
  const ofUnit = await compare({ businessUnitId: full.unitId });
  expect(ofUnit.differences).toMatchObject([{ orderId: lost[1].id }]);

  // The sweep repairs, and may kill the process before the command has responded.
  await bus.killAt('commerce', 'restore.responded', () =>
    compare({ repair: true }).catch(() => {}),
  );
  await bus.operator.callUnchecked(reconcileCommerce, {});
  await expect.poll(async () => (await compare()).differences).toEqual([]);
  const [again, owed, lostFree] = await Promise.all(
    [roomy, full, fullAndFree].map((shop, n) => shop.read(lost[n].id)),
  );
  expect(again).toMatchObject({ status: 'paid', refundDueAmount: 0, paidAt: lost[0].paidAt });
  const registration = await expectStatus(roomy.call, [
    'GET',
    `${roomy.path}/registrations/${again.registrationIds[0]}`,
  ]);
  expect(registration).toMatchObject({ status: 'confirmed', orderId: again.id });
  expect(owed).toMatchObject({ status: 'refund_due', refundDueAmount: 400, registrationIds: [] });
  expect(lostFree).toMatchObject({ status: 'cancelled', registrationIds: [] });
  for (const shop of [refunded, cancelled]) {
    expect(await shop.availability()).toMatchObject({ confirmed: 0 });
  }
  expect((await cancelled.read(cancelledOrder.id)).status).toBe('cancelled');
  const { broken } = await checkInvariantsWhenIdle(bus.database.urls, { withinMs: 60_000 });
  expect(broken).toEqual({});
});

test('what changes have done to a paid order stays, and is paid back once, after a restore of registration', async () => {
  const shop = await createSaleWithPolicy(bus, {});
  const addons = `${shop.path}/addons`;
  const fields = { name: 'Tour', priceAmount: 1000, capacity: 6 };
  const tour = await expectStatus(shop.call, ['POST', addons, fields]);
  await expectStatus(shop.call, ['PATCH', `${addons}/${tour.id}`, { status: 'open' }]);
  const day = await openType(shop, { priceAmount: 4000, capacity: 5 });
  const change = async ({ id }: Body, body: object) => {
    const request = (sent: object): Promise<Body> =>
      expectStatus(shop.call, ['POST', `${shop.path}/orders/${id}/changes`, sent]);
    const { quote } = await request({ dryRun: true, ...body });
    await request({ quoteId: quote.id });
  };
  const putBack = await backUp(bus, 'registration');
  const email = randomEmail();
  const attendees = [{ email }, { email: randomEmail() }, { email: randomEmail() }];
  const bought = async (input: object) => {
    const { id } = await shop.placed(input);
    await pay((await shop.confirm(id)).body.paymentUrl);
    return shop.until(id, 'paid');
  };
  const named = await bought({
    email,
    items: [
      shop.ofType({ quantity: 3, attendees }),
      { itemType: 'addon', itemId: tour.id, quantity: 4 },
    ],
  });
  const open = await bought({
    items: [shop.ofType({ quantity: 2 })],
    assignLater: true,
  });
  await change(named, { cancelSeats: [named.seats[1].id] });
  await change(named, { cancelAddons: [{ itemIndex: 1, quantity: 3 }] });
  await change(open, { cancelSeats: [open.seats[0].id] });
  const changed = [named.seats[0], open.seats[1]];
  const toDay = ({ id: seatId }: Body) => ({ seatId, ticketTypeId: day.id });
  await change(named, { changeTypes: changed.slice(0, 1).map(toDay) });
  await change(open, { changeTypes: changed.slice(1).map(toDay) });
  const own = await shop.call(
    'POST',
    `${shop.path}/registrations/${named.seats[2].registrationId}/cancel`,
  );
  expect(own.status).toBe(200);
  const left = async () => ({
    ...(await shop.availability()),
    days: (await day.availability()).remaining,
    tours: (await expectStatus(shop.call, ['GET', `${addons}/${tour.id}`])).availability.remaining,
  });
  const refundsOf = async () =>
    (await Promise.all([named, open].map(({ id }) => readRefunds(bus, shop, id))))
      .flat()
      .map(({ amount }) => amount)
      .toSorted();
  await expect.poll(refundsOf).toHaveLength(6);
  const before = { left: await left(), refunds: await refundsOf() };
  const seatsOf = async ({ id }: Body) =>
    (await shop.read(id)).seats.map(({ status }: Body) => status);
  expect(before.left).toMatchObject({ remaining: 20, days: 3, tours: 5 });

  await putBack();
  await bus.killAt('commerce', 'restore.cancelled_again', () =>
    compare({ businessUnitId: shop.unitId, repair: true }).catch(() => {}),
  );
  await bus.operator.callUnchecked(reconcileCommerce, {});
  await expect
    .poll(async () => (await compare({ businessUnitId: shop.unitId })).differences)
    .toEqual([]);
  await expect.poll(left).toEqual(before.left);
  expect(await seatsOf(named)).toEqual(['assigned', 'cancelled', 'cancelled']);
  expect(await seatsOf(open)).toEqual(['cancelled', 'open']);
  const { broken } = await checkInvariantsWhenIdle(bus.database.urls, { withinMs: 60_000 });
  expect(broken).toEqual({});
  expect(await refundsOf()).toEqual(before.refunds);
});

test('changes of an order that the backup has are applied again after a restore of registration', async () => {
  const shop = await createSaleWithPolicy(bus, {});
  const addons = `${shop.path}/addons`;
  const tour = await expectStatus(shop.call, [
    'POST',
    addons,
    { name: 'Tour', priceAmount: 1000, capacity: 6 },
  ]);
  await expectStatus(shop.call, ['PATCH', `${addons}/${tour.id}`, { status: 'open' }]);
  const email = randomEmail();
  const bought = async (input: object) => {
    const { id } = await shop.placed({ email, ...input });
    await pay((await shop.confirm(id)).body.paymentUrl);
    return shop.until(id, 'paid');
  };
  const attendees = [{ email }, { email: randomEmail() }];
  const named = await bought({
    items: [
      shop.ofType({ quantity: 2, attendees }),
      { itemType: 'addon', itemId: tour.id, quantity: 4 },
    ],
  });
  const open = await bought({ items: [shop.ofType({ quantity: 4 })], assignLater: true });
  const single = await bought({
    email: randomEmail(),
    items: [shop.ofType({ quantity: 1 }), { itemType: 'addon', itemId: tour.id }],
    assignLater: true,
  });
  const of = ({ id }: Body) => `${shop.path}/orders/${id}`;
  const assign = (seat: Body, order = open): Promise<Body> =>
    expectStatus(shop.call, [
      'POST',
      `${of(order)}/seats/${seat.id}/assign`,
      { email: randomEmail() },
    ]);
  await assign(open.seats[0]);
  const putBack = await backUp(bus, 'registration');
  const change = async (order: Body, body: object) => {
    const { quote } = await expectStatus(shop.call, [
      'POST',
      `${of(order)}/changes`,
      { dryRun: true, ...body },
    ]);
    await expectStatus(shop.call, ['POST', `${of(order)}/changes`, { quoteId: quote.id }]);
  };
  await change(named, { cancelSeats: [named.seats[1].id] });
  await change(named, { cancelAddons: [{ itemIndex: 1, quantity: 3 }] });
  await change(open, { cancelSeats: [open.seats[1].id] });
  await assign(open.seats[2]);
  await assign(open.seats[3]);
  await change(open, { cancelSeats: [open.seats[3].id] });
  const { seats } = await assign(single.seats[0], single);
  await expectStatus(shop.call, [
    'POST',
    `${shop.path}/registrations/${seats[0].registrationId}/cancel`,
    {},
  ]);
  const [before, cancelledOpen] = [await shop.read(open.id), [1, 3].map((n) => open.seats[n].id)];
  const statuses = async ({ id }: Body) =>
    (await shop.read(id)).seats.map(({ status }: Body) => status);
  const counts = async () => ({
    ...(await shop.availability()),
    tours: (await expectStatus(shop.call, ['GET', `${addons}/${tour.id}`])).availability.remaining,
  });
  await expect.poll(async () => (await counts()).tours).toBe(5);
  const refundsOf = async () =>
    (await Promise.all([named, open, single].map(({ id }) => readRefunds(bus, shop, id))))
      .flat()
      .map(({ amount }) => amount)
      .toSorted();
  await expect.poll(refundsOf).toHaveLength(5);
  const refunds = await refundsOf();

  await putBack();
  const ofUnit = { businessUnitId: shop.unitId };
  const reported = async () =>
    (await compare(ofUnit)).differences
      .map(({ difference, repair, registrationIds }: Body) => [
        difference,
        repair,
        registrationIds.toSorted(),
      ])
      .toSorted();
  expect(await reported()).toEqual(
    [
      ['assignments_lost', 'reopen', [open.seats[2].id, open.seats[3].id]],
      ['assignments_lost', 'reopen', [single.seats[0].id]],
      ['seats_of_refunded_order', 'revoke_seats', [open.seats[1].id]],
      ['seats_of_refunded_order', 'revoke_seats', [named.seats[1].registrationId]],
      ['units_of_changed_order', 'return_units', [named.seats[0].registrationId]],
    ].toSorted(),
  );
  await bus.killAt('commerce', 'repair.reopened', () =>
    compare({ ...ofUnit, repair: true }).catch(() => {}),
  );
  await compare({ ...ofUnit, repair: true });
  await expect.poll(reported).toEqual([]);
  expect(await statuses(named)).toEqual(['assigned', 'cancelled']);
  expect(await statuses(single)).toEqual(['cancelled']);
  expect(await statuses(open)).toEqual(['assigned', 'cancelled', 'open', 'cancelled']);
  expect((await shop.read(open.id)).seats[0]).toEqual(before.seats[0]);
  await expect.poll(counts).toMatchObject({ confirmed: 2, held: 1, tours: 5 });
  expect((await assign(open.seats[2])).seats[2].status).toBe('assigned');
  for (const id of cancelledOpen) {
    const seat = await shop.call('POST', `${of(open)}/seats/${id}/assign`, {
      body: { email: randomEmail() },
    });
    expect(seat.status).toBe(412);
    expect(seat.body.error.details).toMatchObject([{ reason: 'SEAT_NOT_OPEN' }]);
  }
  const { broken } = await checkInvariantsWhenIdle(bus.database.urls, { withinMs: 60_000 });
  expect(broken).toEqual({});
  expect(await refundsOf()).toEqual(refunds);
});

test('after a restore of commerce, the seats of lost orders are listed and stay', async () => {
  const shop = await createSale(bus);
  const open = await shop.placed();
  const putBack = await backUp(bus, 'commerce');
  await shop.confirm(open.id);
  const { id: orderId, registrationIds } = await purchase(shop);
  await putBack();
  expect((await compare({ businessUnitId: shop.unitId, repair: true })).differences).toEqual([
    {
      difference: 'seats_without_order',
      businessUnitId: shop.unitId,
      eventId: shop.eventId,
      orderId,
      status: null,
      registrationIds,
      repair: null,
    },
  ]);
  // The order that the backup contains as open gets the seat that it has at registration.
  await expect.poll(async () => (await shop.confirm(open.id)).body.status).toBe('paid');
  expect(await shop.availability()).toMatchObject({ confirmed: 2, held: 0 });
});
