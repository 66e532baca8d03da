import { readTrialBalance } from '@event-api/contracts/operator/ledger';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { archiveTaxRate, createTaxRate } from '@event-api/contracts/operator/tax-rates';
import type { TestResponse } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import { createCheckoutFixture, createSale, pay, randomEmail } from './fixtures/checkout.ts';
import { findCheckoutViolations } from './fixtures/checkout-consistency.ts';

let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(async () => {
  try {
    expect(await findCheckoutViolations(bus)).toEqual([]);
  } finally {
    await bus?.stop();
  }
});

/** A sale of tickets for 9.99, whose type has a tax rate of 19 %. */
async function taxedSale(mode: 'inclusive' | 'exclusive', place = {}) {
  const shop = await createSale(bus, { priceAmount: 999, capacity: 100 });
  const { unitId: businessUnitId, call, path, typeId } = shop;
  const vat = { name: 'VAT 19 %', percentage: 1900, mode };
  const { id } = await bus.operator.call(createTaxRate, { businessUnitId, ...vat });
  if ('country' in place) await expectStatus(call, ['PATCH', path, place]);
  const typePath = `${path}/ticket-types/${typeId}`;
  await expectStatus(call, ['PATCH', typePath, { taxRateId: id }]);
  return { shop, typePath, rate: { id, ...vat }, businessUnitId };
}

const reasonOf = ({ status, body }: TestResponse) => [status, body.error?.details[0].reason];

const three = () => ({
  quantity: 3,
  attendees: Array.from({ length: 3 }, () => ({ email: randomEmail() })),
});

test('a tax that is added is charged, and stays in the order when its rate is taken away', async () => {
  const { shop, typePath, rate, businessUnitId } = await taxedSale('exclusive');
  const placed = await shop.placed({ items: [shop.ofType(three())] });
  const amounts = { totalAmount: 3566, netAmount: 2997, taxAmount: 569, grossAmount: 3566 };
  const { totalAmount: _, ...ofRate } = amounts;
  const expected = {
    ...amounts,
    items: [{ ...amounts, unitAmount: 999, taxes: [{ rate, treatment: 'standard', ...ofRate }] }],
  };
  expect(placed).toMatchObject(expected);
  expect(placed.seats.map(({ amount }: { amount: number }) => amount)).toEqual([1189, 1189, 1188]);
  await bus.operator.call(archiveTaxRate, { businessUnitId, taxRateId: rate.id });
  await expectStatus(shop.call, ['PATCH', typePath, { taxRateId: null, priceAmount: 1 }]);
  await pay((await shop.confirm(placed.id)).body.paymentUrl);
  expect(await shop.until(placed.id, 'paid')).toMatchObject(expected);
  const untaxed = await shop.placed();
  expect(untaxed).toMatchObject({ netAmount: 1, taxAmount: 0, grossAmount: 1 });
  expect(untaxed.items[0].taxes).toEqual([]);
});

test('the account of tax has the tax of what is paid and not paid back', async () => {
  const { shop, businessUnitId } = await taxedSale('exclusive');
  const { id: orderId } = await shop.placed({ items: [shop.ofType(three())] });
  await pay((await shop.confirm(orderId)).body.paymentUrl);
  await shop.until(orderId, 'paid');
  const balances = async () =>
    Object.fromEntries(
      (await bus.operator.call(readTrialBalance, { businessUnitId })).accounts.map(
        ({ account, balance }) => [account, balance],
      ),
    );
  expect(await balances()).toEqual({ provider: 3566, sales: -2997, tax: -569 });
  const { eventId } = shop;
  const refund = (input: object) =>
    bus.operator.call(refundOrder, { businessUnitId, eventId, orderId, ...input } as never);
  expect((await refund({ amount: 1000 })).refunds).toMatchObject([
    { amount: 1000, taxAmount: 160 },
  ]);
  expect(await balances()).toMatchObject({ provider: 2566, sales: -2157, tax: -409 });
  expect((await refund({ all: true })).refunds).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ amount: 2566, taxAmount: 409 })]),
  );
  expect(await balances()).toEqual({ provider: 0, sales: 0, tax: 0, refunds_due: 0 });
});

describe('the billing of an order', () => {
  const address = { line1: 'Graben 1', postalCode: '1010', city: 'Wien', country: 'AT' };
  const business = { company: 'Analytical Engines', address, vatId: 'atu 12345678' };

  test.each([
    ['inclusive', 2518],
    ['exclusive', 2997],
  ] as const)('of a company abroad ends the %s tax of an online event', async (mode, charged) => {
    const { shop } = await taxedSale(mode, { attendanceMode: 'online', country: 'DE' });
    const items = [shop.ofType(three())];
    const placed = await shop.placed({ items, billing: business });
    const amounts = {
      totalAmount: charged,
      netAmount: charged,
      taxAmount: 0,
      grossAmount: charged,
    };
    expect(placed).toMatchObject({
      ...amounts,
      billing: { ...business, name: null, vatId: 'ATU12345678' },
      items: [{ ...amounts, taxes: [{ treatment: 'reverse_charge', taxAmount: 0 }] }],
    });
    const path = `${shop.path}/orders/${placed.id}/billing`;
    const person = { billing: { name: 'Ada', address } };
    const refused = await shop.call('PUT', path, { body: person });
    expect(reasonOf(refused)).toEqual([412, 'TAX_WOULD_CHANGE']);
    const renamed = { billing: { ...business, company: 'Engines' } };
    const body = await expectStatus(shop.call, ['PUT', path, renamed]);
    expect(body).toMatchObject({ ...amounts, billing: { company: 'Engines' } });
    await pay((await shop.confirm(placed.id)).body.paymentUrl);
    await shop.until(placed.id, 'paid');
    const late = await shop.call('PUT', path, { body: { billing: business } });
    expect(reasonOf(late)).toEqual([412, 'ORDER_CLOSED']);
    await expectStatus(shop.call, ['PUT', path, renamed]);
  });

  test('never ends the tax of admission in person', async () => {
    const { shop } = await taxedSale('exclusive', { attendanceMode: 'in_person', country: 'DE' });
    const placed = await shop.placed({ billing: business });
    expect(placed).toMatchObject({
      taxAmount: 190,
      items: [{ taxes: [{ treatment: 'standard' }] }],
    });
  });

  test('has a VAT id of its country', async () => {
    const { shop } = await taxedSale('inclusive');
    const billing = { ...business, vatId: 'DE123456789' };
    const { status, body } = await shop.place({ billing });
    expect([status, body.error.details]).toMatchObject([400, [{ field: 'billing.vatId' }]]);
  });
});

test('orders that are placed while a rate is taken away have its tax or none, and keep it', async () => {
  const { shop, typePath, rate, businessUnitId } = await taxedSale('exclusive');
  const take = async () => {
    await bus.operator.call(archiveTaxRate, { businessUnitId, taxRateId: rate.id });
    await expectStatus(shop.call, ['PATCH', typePath, { taxRateId: null, priceAmount: 500 }]);
  };
  const place = () => Promise.all(Array.from({ length: 6 }, () => shop.placed()));
  const [first, , second] = await Promise.all([place(), take(), place()]);
  const orders = [...first, ...second, ...(await place())];
  const amountsOf = (order: { totalAmount: number; taxAmount: number; items: unknown }) => {
    const [line] = order.items as { taxAmount: number; taxes: { rate: object }[] }[];
    return [order.totalAmount, order.taxAmount, line?.taxAmount, line?.taxes[0]?.rate ?? null];
  };
  const possible = [
    [1189, 190, 190, rate],
    [500, 0, 0, null],
  ];
  for (const order of orders) expect(possible).toContainEqual(amountsOf(order as never));
  expect(amountsOf(orders.at(-1) as never)).toEqual(possible[1]);
  const again = await expectStatus(shop.call, ['GET', `${shop.path}/orders/${first[0]?.id}`]);
  expect(amountsOf(again)).toEqual(amountsOf(first[0] as never));
});

test('a tax that prices include changes nothing that is charged', async () => {
  const { shop } = await taxedSale('inclusive');
  const order = await shop.placed({ items: [shop.ofType(three())] });
  expect(order).toMatchObject({
    ...{ totalAmount: 2997, netAmount: 2518, taxAmount: 479, grossAmount: 2997 },
    items: [{ totalAmount: 2997, taxAmount: 479 }],
  });
});
