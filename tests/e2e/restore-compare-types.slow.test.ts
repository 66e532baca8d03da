import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { expectStatus } from './fixtures/bus.ts';
import { type Body, createCheckoutFixture, pay, randomEmail } from './fixtures/checkout.ts';
import { createSaleWithPolicy } from './fixtures/policy-sale.ts';
import { backUp, compareOf, takeLastSeat } from './fixtures/restores.ts';
import { changeOrder, openType, quoteTypes } from './fixtures/type-changes.ts';

// A platform of its own: readers wait longer with each restore of one service.
let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

const compare = (input?: object) => compareOf(bus)(input);

test('seats keep the types of changes after restores of registration to each moment of their orders', async () => {
  const shop = await createSaleWithPolicy(bus, {});
  const day = await openType(shop, { priceAmount: 4000, capacity: 7 });
  const sold = (quantity: number, ofDay = 0) => ({
    items: [
      shop.ofType({ quantity }),
      ...(ofDay ? [shop.ofType({ itemId: day.id, quantity: ofDay })] : []),
    ],
    assignLater: true,
  });
  const paid = async ({ id }: Body) => {
    await pay((await shop.confirm(id)).body.paymentUrl);
    return shop.until(id, 'paid');
  };
  const change = async (order: Body, ...indexes: number[]) => {
    const quote = await quoteTypes(shop, order, day.id, ...indexes);
    expect((await changeOrder(shop, order.id, { quoteId: quote.id })).status).toBe(200);
  };
  const named = (count: number) => ({
    items: [
      shop.ofType({
        quantity: count,
        attendees: Array.from({ length: count }, () => ({ email: randomEmail() })),
      }),
    ],
  });
  const kept = await paid(await shop.placed(named(1)));
  await change(kept, 0);
  const fulfilled = await paid(await shop.placed(named(2)));
  const assigned = await paid(await shop.placed(sold(1)));
  const live = await shop.placed(sold(1, 1));
  const lapsed = await shop.placed(named(1));
  const putBack = await backUp(bus, 'registration');
  await bus.database
    .of('registration')
    .sql(
      `update backup.seat_reservation set expires_at = now() - interval '1 hour' where id = $1`,
      [lapsed.id],
    );
  const orders = [kept, fulfilled, assigned];
  await change(fulfilled, 1);
  await change(assigned, 0);
  await expectStatus(shop.call, [
    'POST',
    `${shop.path}/orders/${assigned.id}/seats/${assigned.seats[0].id}/assign`,
    { email: randomEmail() },
  ]);
  for (const placed of [live, lapsed, await shop.placed(named(1))]) {
    const order = await paid(placed);
    await change(order, 0);
    orders.push(order);
  }
  const seatsOf = async () =>
    Promise.all(
      orders.map(async ({ id }) =>
        (await shop.read(id)).seats.map(({ ticketTypeId, status }: Body) => [ticketTypeId, status]),
      ),
    );
  const counts = async () =>
    [await shop.availability(), await day.availability()].map(({ confirmed, held }) => [
      ...[confirmed, held],
    ]);
  const [seats, before] = [await seatsOf(), await counts()];
  expect(before).toEqual([
    [1, 0],
    [5, 2],
  ]);

  await putBack();
  const ofUnit = { businessUnitId: shop.unitId };
  const reported = async () =>
    (await compare(ofUnit)).differences
      .map(({ difference, repair, orderId }: Body) => [difference, repair, orderId])
      .toSorted();
  expect(await reported()).toEqual(
    [
      ['assignments_lost', 'reopen', assigned.id],
      ...orders.slice(3).map(({ id }) => ['paid_without_seats', 'fulfil', id]),
      ...[fulfilled, assigned].map(({ id }) => ['types_of_changed_order', 'change_types', id]),
    ].toSorted(),
  );
  await compare({ ...ofUnit, repair: true });
  await bus.operator.callUnchecked(reconcileCommerce, {});
  await expect.poll(reported).toEqual([]);
  // The assignment is lost, its seat is open.
  seats[2] = [[day.id, 'open']];
  await expect.poll(seatsOf).toEqual(seats);
  await expect.poll(counts).toEqual([
    [1, 0],
    [4, 3],
  ]);
  const { broken } = await checkInvariantsWhenIdle(bus.database.urls, { withinMs: 60_000 });
  expect(broken).toEqual({});
});

test('a seat whose type is sold out after a restore keeps its former type until there is one', async () => {
  const shop = await createSaleWithPolicy(bus, {});
  const day = await openType(shop, { priceAmount: 4000, capacity: 2 });
  const items = [shop.ofType({}), shop.ofType({ itemId: day.id })];
  const { id } = await shop.placed({ items, assignLater: true });
  const putBack = await backUp(bus, 'registration');
  await pay((await shop.confirm(id)).body.paymentUrl);
  const quote = await quoteTypes(shop, await shop.until(id, 'paid'), day.id, 0);
  expect((await changeOrder(shop, id, { quoteId: quote.id })).status).toBe(200);

  await putBack();
  await takeLastSeat({ ...shop, typeId: day.id });
  const ofUnit = { businessUnitId: shop.unitId };
  const repaired = async () => {
    await compare({ ...ofUnit, repair: true });
    await bus.operator.callUnchecked(reconcileCommerce, {});
    return (await compare(ofUnit)).differences.map(({ difference }: Body) => difference);
  };
  await expect.poll(repaired).toEqual(['types_of_changed_order']);
  expect(await shop.availability()).toMatchObject({ held: 1 });
  expect(await day.availability()).toMatchObject({ confirmed: 1, held: 1 });
  await day.set({ capacity: 3 });
  await expect.poll(repaired).toEqual([]);
  expect(await shop.availability()).toMatchObject({ held: 0 });
  expect(await day.availability()).toMatchObject({ confirmed: 1, held: 2 });
});
