import { reconcileCommerce, refundOrder } from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
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

let bus: BusFixture;
beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

/**
 * Copies the tables of a service. Returns a function that puts them back while the service is
 * stopped.
 */
async function backUp(service: 'registration' | 'commerce'): Promise<() => Promise<void>> {
  const { sql } = bus.database.of(service);
  const tables = await sql<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ') as columns
     from information_schema.columns join information_schema.tables t using (table_schema, table_name)
     where table_schema = $1 and t.table_type = 'BASE TABLE' and is_generated = 'NEVER' group by 1`,
    [service],
  );
  await sql(`drop schema if exists backup cascade; create schema backup;
    ${tables.map(({ name }) => `create table backup.${name} as table ${service}.${name};`).join('\n')}`);
  return async () => {
    await bus.processes.stop(service);
    const steps = tables.map(
      ({ name, columns }) => `delete from ${service}.${name};
        insert into ${service}.${name} (${columns}) overriding system value select ${columns} from backup.${name};`,
    );
    // Without triggers, as a restored database has the rows that it had.
    await sql(`begin; set local session_replication_role = replica; ${steps.join('\n')} commit`);
    await bus.processes.restart(service);
  };
}

async function purchase(shop: SaleFixture): Promise<Body> {
  const { id, totalAmount } = await shop.placed();
  const { body } = await shop.confirm(id);
  if (totalAmount > 0) await pay(body.paymentUrl);
  return shop.until(id, 'paid');
}

const compare = (input: object = {}): Promise<Body> =>
  bus.operator.callUnchecked(compareRestored, input);

const takeLastSeat = ({ call, path, typeId }: SaleFixture) =>
  expect
    .poll(async () => {
      const body = { email: randomEmail(), registrationTypeId: typeId };
      return (await call('POST', `${path}/registrations`, { body })).status;
    })
    .toBe(201);

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
  const putBack = await backUp('registration');
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

test('after a restore of commerce, the seats of lost orders are listed and stay', async () => {
  const shop = await createSale(bus);
  const open = await shop.placed();
  const putBack = await backUp('commerce');
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
