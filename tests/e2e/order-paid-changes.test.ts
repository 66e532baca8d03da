import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { readTrialBalance } from '@event-api/contracts/operator/ledger';
import { reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { summarizeSales } from '@event-api/contracts/operator/sales';
import { eventually } from '@event-api/platform/testing/eventually';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  notify,
  notifyPaid,
  pay,
  type SaleFixture,
  urls,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';
import { changeOrder, openType, quoteTypes } from './fixtures/type-changes.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const reasonOf = ({ status, body }: TestResponse) => [status, body.error?.details[0].reason];

/** A paid order of seats for 9000, a type for 12 000 and a quote that gives it to one of them. */
async function prepare({ policy = {}, capacity = 1, seats = 2 } = {}) {
  const shop = await createSaleWithPolicy(bus, policy);
  const gold = await openType(shop, { priceAmount: 12_000, capacity });
  const order = await paidOrder(shop, seats);
  const quote = await quoteTypes(shop, order, gold.id, 0);
  return { shop, gold, order, quote };
}

const execute = (shop: SaleFixture, { id }: Body, quote: Body) =>
  changeOrder(shop, id, { quoteId: quote.id, ...urls });

/** Opens the payment page of the change. */
async function awaiting(options: Parameters<typeof prepare>[0] = {}) {
  const prepared = await prepare(options);
  const { status, body } = await execute(prepared.shop, prepared.order, prepared.quote);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...prepared, opened: body, url: body.paymentUrl as string };
}

type Awaiting = Awaited<ReturnType<typeof awaiting>>;

const seatsOf = ({ seats }: Body) => seats.map(({ amount }: Body) => amount);

const untilChanged = ({ shop, order }: Pick<Awaiting, 'shop' | 'order'>) =>
  eventually(async () => {
    const present = await shop.read(order.id);
    expect(seatsOf(present)).toEqual([12_000, 9000]);
    return present;
  });

/** Nothing has happened, and the money of the change is due. */
const untilDue = ({ shop, order }: Pick<Awaiting, 'shop' | 'order'>, amount = 3000) =>
  eventually(async () => {
    const present = await shop.read(order.id);
    expect(present).toMatchObject({ refundDueAmount: amount });
    expect(seatsOf(present)).toEqual([9000, 9000]);
    return present;
  });

/** The hold of the change ends, and with it its page. */
async function expireChange({ id }: Body): Promise<void> {
  const now = 'clock_timestamp()';
  await bus.database.sql(
    `update registration.seat_reservation set expires_at = ${now} where id = $1`,
    [id],
  );
  await bus.database.sql(
    `update commerce.order_change set expires_at = ${now}, last_attempt_at = '-infinity' where id = $1`,
    [id],
  );
}

const stateOf = async ({ id }: Body): Promise<string> => {
  const [row] = await bus.database.sql<{ state: string }>(
    'select state from commerce.order_change where id = $1',
    [id],
  );
  return row?.state ?? '';
};

describe('a change that costs something', () => {
  test('happens when its page is paid, for exactly what was quoted', async () => {
    const { shop, gold, order, quote } = await prepare();
    expect(quote).toMatchObject({
      ...{ amountToPay: 3000, refund: 0 },
      lines: [{ ticketTypeId: gold.id, price: 12_000, paid: 9000, amountToPay: 3000 }],
    });
    const { body } = await execute(shop, order, quote);
    expect(body).toMatchObject({
      ...{ status: 'awaiting_payment', paymentUrl: expect.stringContaining('http') },
      order: { status: 'paid', paymentUrl: null },
    });
    expect(seatsOf(body.order)).toEqual([9000, 9000]);
    expect(await gold.availability()).toMatchObject({ held: 1, confirmed: 0, remaining: 0 });
    expect(await shop.availability()).toMatchObject({ confirmed: 2 });
    // The same again returns the same page.
    expect((await execute(shop, order, quote)).body).toMatchObject({
      ...{ status: 'awaiting_payment', paymentUrl: body.paymentUrl },
    });
    await pay(body.paymentUrl);
    const changed = await untilChanged({ shop, order });
    expect(changed).toMatchObject({ status: 'paid', totalAmount: 18_000, refundDueAmount: 0 });
    const path = `${shop.path}/registrations/${order.seats[0].registrationId}`;
    expect(await expectStatus(shop.call, ['GET', path])).toMatchObject({
      ...{ status: 'confirmed', registrationTypeId: gold.id },
    });
    expect(await gold.availability()).toMatchObject({ held: 0, confirmed: 1, remaining: 0 });
    expect(await shop.availability()).toMatchObject({ confirmed: 1 });
    expect((await execute(shop, order, quote)).body).toMatchObject({
      ...{ status: 'done', paymentUrl: null },
    });
    const days = { from: dayFromToday(-1), to: dayFromToday(2) };
    const { totals, eventTotals, rows } = await command(bus, shop, summarizeSales, {
      ...{ ...days, by: 'ticketType' },
    });
    const sums = { seats: 2, grossAmount: 21_000, refundedAmount: 0, netAmount: 21_000 };
    expect([totals, eventTotals]).toMatchObject([[sums], [sums]]);
    expect(rows).toContainEqual(
      expect.objectContaining({ ticketTypeId: gold.id, grossAmount: 3000 }),
    );
    const { unitId: businessUnitId } = shop;
    const { accounts } = await bus.operator.call(readTrialBalance, { businessUnitId });
    expect(accounts).toContainEqual(
      expect.objectContaining({ account: 'sales', balance: -21_000 }),
    );
    const report = await bus.operator.callUnchecked(reconcileCommerce, { businessUnitId });
    expect(report).toMatchObject({
      ...{ received: { EUR: 21_000 }, kept: { EUR: 21_000 }, unbalanced: [] },
    });
  });

  test('is paid back with its order, each payment as far as it goes', async () => {
    const paid = await awaiting();
    const { shop, order } = paid;
    await pay(paid.url);
    await untilChanged(paid);
    await command(bus, shop, refundOrder, { orderId: order.id, amount: 4000 });
    const amounts = async () =>
      (await readRefunds(bus, shop, order.id)).map(({ amount }) => amount).toSorted();
    await eventually(async () => expect(await amounts()).toEqual([1000, 3000]));
    await command(bus, shop, refundOrder, { orderId: order.id, all: true });
    expect(await shop.until(order.id, 'refunded')).toMatchObject({ refundedAmount: 21_000 });
    expect(await amounts()).toEqual([1000, 17_000, 3000]);
  });

  test('is paid back by the policy with its seat', async () => {
    const policy = { automatic: true, bands: [{ daysBeforeStart: 0, percent: 100 }] };
    const paid = await awaiting({ policy });
    const { shop, order } = paid;
    await pay(paid.url);
    await untilChanged(paid);
    const body = { dryRun: true, cancelSeats: [order.seats[0].id] };
    const { quote } = (await changeOrder(shop, order.id, body)).body;
    expect(quote).toMatchObject({ refund: 12_000 });
    await changeOrder(shop, order.id, { quoteId: quote.id });
    await eventually(async () =>
      expect(await shop.read(order.id)).toMatchObject({ refundedAmount: 12_000 }),
    );
    const refunds = await readRefunds(bus, shop, order.id);
    expect(refunds.map(({ amount }) => amount).toSorted()).toEqual([3000, 9000]);
  });

  test('is paid back in full with its event', async () => {
    const paid = await awaiting();
    const { shop, order } = paid;
    await pay(paid.url);
    await untilChanged(paid);
    const { expectedVersion, refunds } = await command(bus, shop, previewEventCancel, {
      refund: 'full',
    });
    expect(refunds).toMatchObject([{ amount: 21_000 }]);
    await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    await eventually(async () =>
      expect(await shop.read(order.id)).toMatchObject({ refundedAmount: 21_000 }),
    );
  });

  test('needs the addresses of its page', async () => {
    const { shop, order, quote } = await prepare();
    const { status, body } = await changeOrder(shop, order.id, { quoteId: quote.id });
    expect(status).toBe(400);
    expect(body.error.details.map(({ field }: Body) => field)).toEqual(['successUrl', 'cancelUrl']);
    expect(await stateOf(quote)).toBe('quoted');
  });

  test('is refused if its type is sold out, and nothing has happened', async () => {
    const { shop, gold, order, quote } = await prepare();
    const other = await paidOrder(shop, 1);
    await execute(shop, other, await quoteTypes(shop, other, gold.id, 0));
    expect(reasonOf(await execute(shop, order, quote))).toEqual([412, 'SOLD_OUT']);
    expect(await stateOf(quote)).toBe('quoted');
    expect(reasonOf(await execute(shop, order, quote))).toEqual([412, 'QUOTE_EXPIRED']);
  });

  test('ends with the time of its seats, and nothing has happened', async () => {
    const { shop, gold, order, quote, url } = await awaiting();
    await expireChange(quote);
    await eventually(async () => expect(await stateOf(quote)).toBe('quoted'));
    await eventually(async () =>
      expect(await gold.availability()).toMatchObject({ held: 0, remaining: 1 }),
    );
    expect(seatsOf(await shop.read(order.id))).toEqual([9000, 9000]);
    expect(await pay(url)).not.toBe(200);
    expect(reasonOf(await execute(shop, order, quote))).toEqual([412, 'QUOTE_EXPIRED']);
  });

  test('is given up by another quote that is executed', async () => {
    const paid = await awaiting({ capacity: 2 });
    const { shop, order, gold } = paid;
    const next = await quoteTypes(shop, order, gold.id, 1);
    const { body } = await execute(shop, order, next);
    expect(body).toMatchObject({ status: 'awaiting_payment' });
    expect(await stateOf(paid.quote)).toBe('quoted');
    expect(await gold.availability()).toMatchObject({ held: 1 });
    expect(await pay(paid.url)).not.toBe(200);
    await pay(body.paymentUrl);
    await eventually(async () =>
      expect(seatsOf(await shop.read(order.id))).toEqual([9000, 12_000]),
    );
  });
});

describe('the money of a change', () => {
  test('is due if it arrives after its end', async () => {
    const paid = await awaiting();
    await expireChange(paid.quote);
    await eventually(async () => expect(await stateOf(paid.quote)).toBe('quoted'));
    await notifyPaid(bus, paid.url);
    const { status } = await untilDue(paid);
    expect(status).toBe('paid');
  });

  test('is due if it is another amount, and the change ends', async () => {
    const paid = await awaiting();
    const { id, attemptId, orderId, currency } = await bus.sandboxSession(paid.url);
    const session = { id, attemptId, orderId, currency, amount: 3001, paymentId: `pi_${id}` };
    await notify(bus, { id: `evt_${id}`, type: 'session.paid', session });
    await untilDue(paid, 3001);
    expect(await stateOf(paid.quote)).toBe('quoted');
  });

  test('is due if its seat is cancelled meanwhile', async () => {
    const paid = await awaiting();
    const { shop, order } = paid;
    const path = `${shop.path}/registrations/${order.seats[0].registrationId}/cancel`;
    await expectStatus(shop.call, ['POST', path]);
    await pay(paid.url);
    await eventually(async () => {
      const refunds = await readRefunds(bus, shop, order.id);
      expect(refunds.filter(({ cause }) => cause === 'late')).toMatchObject([{ amount: 3000 }]);
    });
    expect(seatsOf(await shop.read(order.id))).toEqual([9000, 9000]);
    await eventually(async () =>
      expect(await paid.gold.availability()).toMatchObject({ held: 0, confirmed: 0 }),
    );
  });

  test('is due or sent back if its event is cancelled meanwhile', async () => {
    const paid = await awaiting();
    const { shop, order } = paid;
    const { expectedVersion } = await command(bus, shop, previewEventCancel, { refund: 'full' });
    await command(bus, shop, cancelEvent, { refund: 'full', expectedVersion });
    await notifyPaid(bus, paid.url);
    await eventually(async () => {
      const { refundedAmount, refundDueAmount } = await shop.read(order.id);
      expect(refundedAmount + refundDueAmount).toBe(21_000);
    });
  });

  test('is taken once, however often it is notified', async () => {
    const paid = await awaiting();
    await Promise.all(Array.from({ length: 5 }, () => notifyPaid(bus, paid.url)));
    const { refundDueAmount } = await untilChanged(paid);
    expect(refundDueAmount).toBe(0);
  });
});
