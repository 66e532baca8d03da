import { randomInt } from 'node:crypto';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { SalesRow } from '@event-api/contracts/operator/sales';
import { newId } from '@event-api/platform/core/ids';
import { createRandom } from '@event-api/platform/testing/random';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sumAccounts } from '../../src/ledger/ledger.queries.ts';
import { takesMoney } from '../../src/orders/disputed-money.rules.ts';
import { readBalances } from '../../src/recovery/recovery.queries.ts';
import { readEventSales, readSales } from '../../src/sales/sales.queries.ts';
import { totalsOf } from '../../src/sales/sales.rules.ts';
import { db, useDatabase } from '../context.ts';
import { type StoredDispute, type StoredOrder, store, totalOf } from './sales.ts';

useDatabase();

let scope: EventScope;
beforeEach(() => {
  scope = { businessUnitId: newId('unit'), eventId: newId('evt') };
});

const berlin = 'Europe/Berlin';
const march = { from: '2027-03-01', to: '2027-04-01', timezone: berlin };

const order = (fields: Partial<StoredOrder> & { paid?: string }): StoredOrder => ({
  scope,
  currency: 'EUR',
  status: 'paid',
  paidAt: new Date(fields.paid ?? '2027-03-10T12:00:00Z'),
  seats: [{ ticketTypeId: 'tt_1', amount: 1000 }],
  extraAmount: 0,
  refunds: [],
  ...fields,
});

const refund = (amount: number, doneAt = '2027-03-12T12:00:00Z', ofOrder = true) => ({
  amount,
  state: 'done' as const,
  doneAt: new Date(doneAt),
  ofOrder,
});

const summary = (by: 'day' | 'ticketType', period: Partial<typeof march> = {}) =>
  readSales(db, by, { ...scope, ...march, ...period });

describe('by day', () => {
  test('a refund counts on its own day, seats and gross on the day of the payment', async () => {
    await store([order({ refunds: [refund(300), refund(200)] }), order({ extraAmount: 50 })]);
    expect(await summary('day')).toEqual([
      row({ day: '2027-03-10', seats: 2, grossAmount: 2050 }),
      row({ day: '2027-03-12', refundedAmount: 500 }),
    ]);
  });

  test('a free order counts its seats, an order of nothing has no row', async () => {
    const free = { seats: [{ ticketTypeId: 'tt_1', amount: 0 }] };
    await store([order(free), order({ seats: [], paid: '2027-03-11T12:00:00Z' })]);
    expect(await summary('day')).toEqual([row({ day: '2027-03-10', seats: 1 })]);
  });

  test('an order that was cancelled or refunded later has no seats, and its money counts', async () => {
    const free = { seats: [{ ticketTypeId: 'tt_1', amount: 0 }] };
    await store([
      order({ ...free, status: 'cancelled' }),
      order({ status: 'refunded', refunds: [refund(1000)] }),
    ]);
    const [paid, refunded] = [{ grossAmount: 1000 }, { refundedAmount: 1000 }];
    expect(await summary('day')).toEqual([
      row({ day: '2027-03-10', ...paid }),
      row({ day: '2027-03-12', ...refunded }),
    ]);
    expect(await summary('ticketType')).toEqual([
      row({ ticketTypeId: 'tt_1', name: null, ...paid, ...refunded }),
    ]);
    expect(await readEventSales(db, scope)).toEqual([row({ netAmount: 0, ...paid, ...refunded })]);
  });

  test('a seat that was cancelled or rejected does not count, and its money does', async () => {
    const seats = ['tt_1', 'tt_2', 'tt_2', 'tt_1', 'tt_3'].map((ticketTypeId) => ({
      ticketTypeId,
      amount: 100,
    }));
    const statuses = ['confirmed', 'cancelled', 'pending', 'rejected', 'cancelled'] as const;
    await store([
      order({ seats, statuses: [...statuses] }),
      order({ seats, statuses: [...statuses], status: 'cancelled' }),
    ]);
    expect(await summary('day')).toEqual([row({ day: '2027-03-10', seats: 2, grossAmount: 1000 })]);
    expect(await summary('ticketType')).toEqual([
      row({ ticketTypeId: 'tt_1', name: null, seats: 1, grossAmount: 400 }),
      row({ ticketTypeId: 'tt_2', name: null, seats: 1, grossAmount: 400 }),
      row({ ticketTypeId: 'tt_3', name: null, seats: 0, grossAmount: 200 }),
    ]);
    expect(await readEventSales(db, scope)).toMatchObject([{ seats: 2, grossAmount: 1000 }]);
    expect(await summary('day', { from: '2027-03-11' })).toEqual([]);
  });

  test('money that paid for no order counts neither as gross nor as refunded', async () => {
    await store([
      order({ status: 'refund_due', paidAt: null, refunds: [refund(1000, undefined, false)] }),
      order({ refunds: [refund(1000, undefined, false)] }),
    ]);
    expect(await summary('day')).toEqual([row({ day: '2027-03-10', seats: 1, grossAmount: 1000 })]);
  });

  test('a refund that is due or pending does not count', async () => {
    await store([order({ refunds: [{ ...refund(300), state: 'due', doneAt: null }] })]);
    expect(await summary('day')).toEqual([row({ day: '2027-03-10', seats: 1, grossAmount: 1000 })]);
  });

  test('a lost dispute lowers the net amount on its day, an open one is part of it', async () => {
    const dispute = (status: StoredDispute['status'], amount: number) => ({
      ...{ status, amount },
      createdAt: new Date('2027-03-12T12:00:00Z'),
    });
    await store([
      order({ disputes: [dispute('lost', 400)] }),
      order({ disputes: [dispute('needs_response', 300)], refunds: [refund(100)] }),
      order({ disputes: [dispute('under_review', 20), dispute('inquiry', 7), dispute('won', 9)] }),
    ]);
    const [sold, taken] = [
      { seats: 3, grossAmount: 3000 },
      { refundedAmount: 100, lostAmount: 400, disputedAmount: 320 },
    ];
    expect(await summary('day')).toEqual([
      row({ day: '2027-03-10', ...sold }),
      row({ day: '2027-03-12', ...taken }),
    ]);
    const all = { ...sold, ...taken, netAmount: 2500 };
    expect(await summary('ticketType')).toEqual([
      row({ ticketTypeId: 'tt_1', name: null, ...all }),
    ]);
    expect(await readEventSales(db, scope)).toEqual([row(all)]);
  });

  test.each([
    ['the day of 23 hours', '2027-03-28', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z'],
    ['the day of 25 hours', '2027-10-31', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'],
    ['a day of 24 hours', '2027-06-01', '2027-05-31T22:00:00Z', '2027-06-01T22:00:00Z'],
  ])('%s in Berlin begins and ends at midnight there', async (_name, day, start, end) => {
    const before = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
    await store([before(start), start, before(end), end].map((paid) => order({ paid })));
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    expect(await summary('day', { from: day, to: next })).toEqual([
      row({ day, seats: 2, grossAmount: 2000 }),
    ]);
  });

  test('the orders of other events and other business units do not count', async () => {
    await store([
      order({ scope: { ...scope, eventId: newId('evt') } }),
      order({ scope: { businessUnitId: newId('unit'), eventId: scope.eventId } }),
    ]);
    expect(await summary('day')).toEqual([]);
    const rows = await readSales(db, 'day', { ...march, businessUnitId: scope.businessUnitId });
    expect(rows).toEqual([row({ day: '2027-03-10', seats: 1, grossAmount: 1000 })]);
  });
});

describe('by ticket type', () => {
  test('add-ons have the row of null, and a refund is divided in proportion to the amounts', async () => {
    const seats = [
      { ticketTypeId: 'tt_1', amount: 1000 },
      { ticketTypeId: 'tt_1', amount: 1000 },
      { ticketTypeId: 'tt_2', amount: 500 },
    ];
    await store([order({ seats, extraAmount: 1500, refunds: [refund(400)] })]);
    expect(await summary('ticketType')).toEqual([
      row({ ticketTypeId: 'tt_1', name: null, seats: 2, grossAmount: 2000, refundedAmount: 200 }),
      row({ ticketTypeId: 'tt_2', name: null, seats: 1, grossAmount: 500, refundedAmount: 50 }),
      row({ ticketTypeId: null, name: null, grossAmount: 1500, refundedAmount: 150 }),
    ]);
  });

  test('a refund of the whole order returns the amount of each ticket type', async () => {
    const seats = ['tt_1', 'tt_2', 'tt_3'].map((ticketTypeId) => ({ ticketTypeId, amount: 333 }));
    await store([order({ status: 'refunded', seats, extraAmount: 1, refunds: [refund(1000)] })]);
    const rows = await summary('ticketType');
    expect(rows).toHaveLength(4);
    for (const { netAmount } of rows) expect(netAmount).toBe(0);
  });
});

/** A row with the sums that are not named as 0, and the net amount that follows. */
const row = (sums: Partial<SalesRow>): SalesRow => ({
  currency: 'EUR',
  seats: 0,
  grossAmount: 0,
  refundedAmount: 0,
  lostAmount: 0,
  disputedAmount: 0,
  netAmount: (sums.grossAmount ?? 0) - (sums.refundedAmount ?? 0) - (sums.lostAmount ?? 0),
  ...sums,
});

const localDay = new Intl.DateTimeFormat('en-CA', { timeZone: berlin, dateStyle: 'short' });

/**
 * An order of an event in euro or of one in dollar, paid and refunded on days around both changes
 * of the clocks in Berlin. An order with late money was never paid.
 */
function randomOrder(random: (below: number) => number, businessUnitId: string): StoredOrder {
  const listOf = <Item>(most: number, item: () => Item) =>
    Array.from({ length: random(most + 1) }, item);
  const instant = () => {
    const start = random(2) === 0 ? Date.UTC(2027, 2, 27) : Date.UTC(2027, 9, 30);
    return new Date(start + random(72 * 4) * 900_000);
  };
  const isLate = random(4) === 0;
  const event = random(2);
  const stored: StoredOrder = {
    scope: { businessUnitId, eventId: `evt_${event}` },
    currency: event === 0 ? 'EUR' : 'USD',
    status: isLate ? 'refund_due' : 'paid',
    paidAt: isLate ? null : instant(),
    seats: listOf(4, () => ({ ticketTypeId: `tt_${random(3)}`, amount: random(3) * random(500) })),
    extraAmount: random(2) * random(700),
    statuses: [],
    refunds: [],
  };
  stored.statuses = stored.seats.map(() => (random(3) === 0 ? 'cancelled' : 'confirmed'));
  const half = Math.floor(totalOf(stored) / 2);
  if (half === 0) return stored;
  stored.refunds = listOf(2, () => ({
    amount: 1 + random(half),
    ...(random(3) === 0
      ? { state: 'due' as const, doneAt: null }
      : { state: 'done' as const, doneAt: instant() }),
    ofOrder: !isLate && random(4) > 0,
  }));
  if (!isLate) {
    const statuses = ['inquiry', 'needs_response', 'under_review', 'won', 'lost'] as const;
    stored.disputes = listOf(1, () => ({
      amount: 1 + random(half),
      status: statuses[random(statuses.length)] ?? 'lost',
      createdAt: instant(),
    }));
  }
  return stored;
}

/** The rows of a summary by day of both events, in time zone Berlin. */
function expectedDays(stored: readonly StoredOrder[], from: string, to: string): SalesRow[] {
  const rows = new Map<string, SalesRow>();
  const add = (at: Date, currency: string, sums: Partial<SalesRow>) => {
    const day = localDay.format(at);
    if (day < from || day >= to) return;
    const key = `${day} ${currency}`;
    const sum = rows.get(key) ?? row({ day, currency });
    sum.seats += sums.seats ?? 0;
    sum.grossAmount += sums.grossAmount ?? 0;
    sum.refundedAmount += sums.refundedAmount ?? 0;
    sum.lostAmount += sums.lostAmount ?? 0;
    sum.disputedAmount += sums.disputedAmount ?? 0;
    sum.netAmount = sum.grossAmount - sum.refundedAmount - sum.lostAmount;
    rows.set(key, sum);
  };
  for (const each of stored) {
    if (each.paidAt === null) continue;
    const seats = each.seats.filter((_, n) => each.statuses?.[n] !== 'cancelled').length;
    add(each.paidAt, each.currency, { seats, grossAmount: totalOf(each) });
    for (const { doneAt, amount, ofOrder } of each.refunds) {
      if (doneAt && ofOrder) add(doneAt, each.currency, { refundedAmount: amount });
    }
    for (const { status, amount, createdAt } of each.disputes ?? []) {
      if (!takesMoney(status)) continue;
      const sum = status === 'lost' ? 'lostAmount' : 'disputedAmount';
      add(createdAt, each.currency, { [sum]: amount });
    }
  }
  return [...rows.entries()]
    .filter(
      ([, { seats, grossAmount, refundedAmount, lostAmount, disputedAmount }]) =>
        seats + grossAmount + refundedAmount + lostAmount + disputedAmount > 0,
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, sum]) => sum);
}

const periods = [
  { from: '2027-03-01', to: '2027-11-30', timezone: berlin },
  { from: '2027-03-28', to: '2027-03-29', timezone: berlin },
  { from: '2027-03-29', to: '2027-10-31', timezone: berlin },
  { from: '2027-10-31', to: '2027-11-01', timezone: berlin },
] as const;

const rounds = process.env.TEST_SIZE === 'full' ? 200 : 25;
const seed = Number(process.env.SEED ?? randomInt(2 ** 31));

describe(`for random orders (SEED=${seed})`, () => {
  const random = createRandom(seed).below;
  const drawn: { businessUnitId: string; stored: StoredOrder[] }[] = [];
  beforeAll(async () => {
    for (let round = 0; round < rounds; round++) {
      const businessUnitId = newId('unit');
      const stored = Array.from({ length: random(20) }, () => randomOrder(random, businessUnitId));
      drawn.push({ businessUnitId, stored });
    }
    await store(drawn.flatMap(({ stored }) => stored));
  });

  test('each day has the seats, the money and the refunds of that day', async () => {
    for (const { businessUnitId, stored } of drawn) {
      for (const period of periods) {
        const rows = await readSales(db, 'day', { businessUnitId, ...period });
        expect(rows).toEqual(expectedDays(stored, period.from, period.to));
      }
    }
  });

  test('days, ticket types, events and the totals of events add up to the same sums', async () => {
    for (const { businessUnitId } of drawn) {
      for (const period of periods) {
        const unit = { businessUnitId, ...period };
        const totals = totalsOf(await readSales(db, 'day', unit));
        const ofTypes = await readSales(db, 'ticketType', unit);
        expect(totalsOf(ofTypes)).toEqual(totals);
        for (const { grossAmount, refundedAmount } of ofTypes) {
          expect(Math.min(grossAmount, refundedAmount)).toBeGreaterThanOrEqual(0);
        }
        const events = [{ eventId: 'evt_0' }, { eventId: 'evt_1' }];
        const ofEvents = await Promise.all(
          events.map((event) => readSales(db, 'ticketType', { ...unit, ...event })),
        );
        expect(totalsOf(ofEvents.flat())).toEqual(totals);
      }
      for (const eventId of ['evt_0', 'evt_1']) {
        const event = { businessUnitId, eventId };
        const ofAllDays = totalsOf(await readSales(db, 'day', { ...event, ...periods[0] }));
        const ofEvent = await readEventSales(db, event);
        // An order of nothing has no day.
        expect(ofEvent.filter(({ seats, grossAmount }) => seats + grossAmount > 0)).toEqual(
          ofAllDays,
        );
      }
    }
  });

  test('the totals are the money of commerce.reconcile, less the money that paid for no order', async () => {
    for (const { businessUnitId, stored } of drawn) {
      const totals = totalsOf(await readSales(db, 'day', { businessUnitId, ...periods[0] }));
      const balances = await readBalances(db, businessUnitId);
      expect(totals.length).toBeLessThanOrEqual(2);
      for (const { currency, received, kept, refunded } of balances) {
        const mine = stored.filter((each) => each.currency === currency);
        const others = mine.flatMap(({ refunds }) => refunds.filter(({ ofOrder }) => !ofOrder));
        const due = mine
          .flatMap(({ refunds }) => refunds)
          .filter(({ ofOrder, state }) => ofOrder && state === 'due');
        const total = totals.find((each) => each.currency === currency) ?? row({ currency });
        expect(total.grossAmount).toBe(received - sumOf(others));
        expect(total.refundedAmount).toBe(
          refunded - sumOf(others.filter(({ state }) => state === 'done')),
        );
        expect(total.netAmount + total.lostAmount).toBe(kept + sumOf(due));
      }
    }
  });

  test('the totals are the money of the journal, less the money that paid for no order', async () => {
    for (const { businessUnitId, stored } of drawn) {
      const totals = totalsOf(await readSales(db, 'day', { businessUnitId, ...periods[0] }));
      const accounts = await sumAccounts(db, { businessUnitId });
      for (const { currency, ...total } of totals) {
        const balanceOf = (name: string) =>
          accounts.find((each) => each.account === name && each.currency === currency)?.balance ??
          0;
        const others = stored
          .filter((each) => each.currency === currency)
          .flatMap(({ refunds }) => refunds.filter(({ ofOrder }) => !ofOrder));
        const atProvider = sumOf(others.filter(({ state }) => state === 'due'));
        expect(total.lostAmount + total.disputedAmount).toBe(balanceOf('dispute'));
        expect(total.netAmount - total.disputedAmount).toBe(balanceOf('provider') - atProvider);
      }
    }
  });
});

const sumOf = (refunds: readonly { amount: number }[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);
