import { readTrialBalance } from '@event-api/contracts/operator/ledger';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { archiveTaxRate, createTaxRate } from '@event-api/contracts/operator/tax-rates';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
async function taxedSale(mode: 'inclusive' | 'exclusive') {
  const shop = await createSale(bus, { priceAmount: 999 });
  const { unitId: businessUnitId, call, path, typeId } = shop;
  const vat = { name: 'VAT 19 %', percentage: 1900, mode };
  const { id } = await bus.operator.call(createTaxRate, { businessUnitId, ...vat });
  const typePath = `${path}/ticket-types/${typeId}`;
  await expectStatus(call, ['PATCH', typePath, { taxRateId: id }]);
  return { shop, typePath, rate: { id, ...vat }, businessUnitId };
}

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
    items: [{ ...amounts, unitAmount: 999, taxes: [{ rate, ...ofRate }] }],
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

test('a tax that prices include changes nothing that is charged', async () => {
  const { shop } = await taxedSale('inclusive');
  const order = await shop.placed({ items: [shop.ofType(three())] });
  expect(order).toMatchObject({
    ...{ totalAmount: 2997, netAmount: 2518, taxAmount: 479, grossAmount: 2997 },
    items: [{ totalAmount: 2997, taxAmount: 479 }],
  });
});
