import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrderQuoteLine } from '@event-api/contracts/http/order-changes';
import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { checkInvariantsWhenIdle } from '@event-api/load-tests/invariants.ts';
import { createRandom } from '@event-api/platform/testing/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import { type Body, createCheckoutFixture } from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';
import {
  cancelUntilDone,
  expectEmptyEvent,
  untilCancelled,
} from './fixtures/event-cancellation.ts';
import { createSaleWithPolicy } from './fixtures/policy-sale.ts';
import { openType } from './fixtures/type-changes.ts';
import { actOnGroup, type Group, type GroupShop, sellGroup } from './random-groups.ts';
import { untilFinished, whileKilling } from './random-kills.ts';

/** Number of orders to place. */
const orders = process.env.TEST_SIZE === 'full' ? 400 : 36;
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture({ registration: { SEAT_RESERVATION_MS: '6000' } });
});
afterAll(() => bus?.stop());

/** An event with fewer seats than the groups want, so that cancelled seats are sold again. */
async function shopOf(automatic: boolean): Promise<GroupShop> {
  const bands = [{ daysBeforeStart: 14, percent: 70, fixedFee: 37 }];
  const type = { priceAmount: 801, capacity: orders / 2 };
  const shop = await createSaleWithPolicy(bus, { bands, automatic }, 30, type);
  for (const [code, value] of Object.entries({ HALF: 50, GIFT: 100 })) {
    const discount = { type: 'percent', value };
    const body = { registrationTypeId: shop.typeId, code, maxUses: null, discount };
    await expectStatus(shop.call, ['POST', `${shop.path}/redemption-codes`, body]);
  }
  const otherTypes = [
    await openType(shop, { priceAmount: 303 }),
    await openType(shop, { priceAmount: 1207, capacity: orders / 6 }),
  ];
  return { ...shop, otherTypes };
}

/** Seats that are not sold to exactly one person, or open, at this moment. */
const seatViolations = `select 'open and assigned' as violation, s.id from registration.seat_reservation s
    join registration.registration r on r.seat_id = s.id where s.state = 'active'
  union all select 'assigned twice', seat_id from registration.registration
    where seat_id is not null group by seat_id having count(*) > 1
  union all select 'sold is not assigned plus open', l.ticket_type_id from registration.seat_ledger l
    where l.confirmed <> (select count(*) from registration.registration r
        where r.ticket_type_id = l.ticket_type_id and r.status = 'confirmed')
      or l.reserved <> (select coalesce(sum(i.quantity), 0) from registration.seat_reservation_item i
        join registration.seat_reservation s on s.id = i.reservation_id
        where i.ticket_type_id = l.ticket_type_id and s.state = 'active')
  union all select 'oversold', l.ticket_type_id from registration.seat_ledger l
    join registration.ticket_type_projection t on t.id = l.ticket_type_id where l.confirmed + l.reserved > t.capacity`;

/** Collects the violations of all samples until `isDone`, each once. */
async function watchSeats(isDone: () => boolean): Promise<string[]> {
  const seen = new Set<string>();
  while (!isDone()) {
    const rows = await bus.database.sql(seatViolations);
    for (const row of rows) seen.add(JSON.stringify(row));
    await delay(50);
  }
  return [...seen];
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0);

const countTypes = (groups: readonly Group[], isCounted: (line: OrderQuoteLine) => boolean) =>
  groups
    .flatMap(({ executed }) => [...executed.values()].flatMap(({ lines }) => lines))
    .filter((line) => line.ticketTypeId !== null && isCounted(line)).length;

/** The seats of an order and its money are those of the acknowledged changes and assignments. */
async function expectAcknowledged(group: Group, isEnded: boolean): Promise<Body> {
  const { shop, orderId, holders, executed, altered } = group;
  const order = await shop.read(orderId);
  const lines = [...executed.values()].flatMap((quote) => quote.lines);
  const changed = lines.filter(({ ticketTypeId }) => ticketTypeId !== null);
  const cancelled = lines.filter((line) => !changed.includes(line)).map(({ seatId }) => seatId);
  expect(altered, orderId).toEqual([]);
  expect(new Set(cancelled).size, `${orderId} cancels each seat once`).toBe(cancelled.length);
  for (const { id, status, registrationId, ticketTypeId, amount } of order.seats) {
    const ofSeat = changed.filter(({ seatId }) => seatId === id);
    const has = ({ ticketTypeId: type, price }: (typeof changed)[number]) =>
      type === ticketTypeId && price === amount;
    expect(ofSeat.length === 0 ? ticketTypeId === shop.typeId : ofSeat.some(has), id).toBe(true);
    if (isEnded || cancelled.includes(id)) expect(status, id).toBe('cancelled');
    else expect(['assigned', holders.has(id) ? 'assigned' : 'open'], id).toContain(status);
    const [holder, ...others] = holders.get(id) ?? [];
    expect(others, `${id} has one holder`).toEqual([]);
    if (holder === undefined) continue;
    const path = `${shop.path}/registrations/${registrationId}`;
    expect((await shop.call('GET', path)).body, id).toMatchObject({ email: holder });
  }
  const paidBack = order.refundedAmount + order.refundDueAmount;
  const kept = sumOf(lines.map(({ paid, price, refund }) => paid - (price ?? 0) - refund));
  const refunds = sumOf(lines.map(({ refund }) => refund));
  expect(paidBack, `money of ${orderId}`).toBe(isEnded ? order.totalAmount - kept : refunds);
  return order;
}

test(`each seat is sold to one person or open, and changes pay back what they quoted, in ${orders} orders with faults (SEED=${seed})`, {
  timeout: 900_000,
}, async () => {
  const [due, automatic, ended] = [await shopOf(false), await shopOf(true), await shopOf(true)];
  const shops = [due, automatic, ended];
  const random = createRandom(seed);
  const groups: Group[] = [];
  let placed = 0;
  const buyer = async (number: number) => {
    const own = random.branch(`buyer ${number}`);
    while (placed < orders) {
      placed += 1;
      const group = await sellGroup(own.pick(shops), own);
      if (!group) continue;
      groups.push(group);
      await actOnGroup(group, own);
    }
  };
  const endOne = async () => {
    await expect.poll(() => placed, { timeout: 300_000 }).toBeGreaterThan(orders / 2);
    await cancelUntilDone(bus, ended);
  };
  let isDone = false;
  const samples = watchSeats(() => isDone);
  const work = () => Promise.all([...Array.from({ length: 6 }, (_, n) => buyer(n)), endOne()]);
  await whileKilling(bus, random.branch('kills').next, work).finally(() => {
    isDone = true;
  });
  expect(await samples).toEqual([]);
  await untilCancelled(bus, ended);
  await untilFinished(bus);
  for (const shop of shops) {
    const own = groups.filter((group) => group.shop === shop);
    const read = [];
    for (const group of own) read.push(await expectAcknowledged(group, shop === ended));
    const seats = read.flatMap((order) => order.seats);
    const left = seats.filter(({ status }: Body) => status !== 'cancelled').length;
    // The counts of catalog follow those of registration.
    const sold = async () => {
      const counts = [shop, ...shop.otherTypes].map((type) => type.availability());
      return sumOf((await Promise.all(counts)).map(({ confirmed, held }) => confirmed + held));
    };
    await expect.poll(sold, { timeout: 60_000, message: 'sold seats' }).toBe(left);
  }
  await expectEmptyEvent(bus, ended);
  await expectConsistentCheckout(bus);
  expect((await checkInvariantsWhenIdle(bus.database.urls)).broken).toEqual({});
  expect(await bus.operator.callUnchecked(reconcileCommerce, {})).toMatchObject({
    ...{ unbalanced: [], failed: [] },
  });
  const counts = {
    groups: groups.length,
    holders: sumOf(groups.map(({ holders }) => holders.size)),
    executed: sumOf(groups.map(({ executed }) => executed.size)),
    refused: sumOf(groups.map(({ refused }) => refused.length)),
    changedTypes: countTypes(groups, () => true),
    dearerTypes: countTypes(groups, ({ paid, price }) => price !== null && price > paid),
  };
  console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
  // Proves that the run was effective.
  expect(counts.groups).toBeGreaterThan(orders / 6);
  expect(Math.min(counts.holders, counts.executed)).toBeGreaterThan(orders / 12);
  expect(Math.min(counts.refused, counts.changedTypes)).toBeGreaterThan(0);
});
