import { listAudit } from '@event-api/contracts/operator/audit';
import {
  getRefundDelay,
  listRefunds,
  refundOrder,
  setRefundDelay,
} from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder } from './fixtures/policy-sale.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

const priced = () => createSale(bus, { priceAmount: 1000, capacity: 100 });

const setDelay = ({ unitId }: SaleFixture, refundAfterHours: number | null) =>
  bus.operator.call(setRefundDelay, { businessUnitId: unitId, refundAfterHours });

/** An order that was paid after it was cancelled. Returns its id. */
async function owed(shop: SaleFixture, prepare = async (_: string) => {}): Promise<string> {
  const { id, url } = await createAwaitingPayment(shop);
  await shop.cancel(id);
  await prepare(id);
  await pay(url, '?late=1');
  await eventually(async () => {
    const { status } = await shop.read(id);
    if (status !== 'refund_due' && status !== 'refunded') throw new Error(status);
  });
  return id;
}

const refundOf = async (shop: SaleFixture, orderId: string): Promise<Body> =>
  (await command(bus, shop, listRefunds, {})).refunds.find(
    (refund: Body) => refund.orderId === orderId,
  );

/** The entries of the audit log about refunds of an order, newest first. */
const auditOf = async ({ unitId: businessUnitId }: SaleFixture, record: string): Promise<Body[]> =>
  (
    await bus.operator.call(listAudit('commerce'), {
      ...{ service: 'commerce', businessUnitId, record, operation: 'order.refund' },
    })
  ).entries;

const sendNow = (orderId: string) =>
  bus.database.sql('update commerce.refund set send_at = now() where order_id = $1', [orderId]);

/** Returns when the sweep has sent another refund of the unit, which became due later. */
async function untilSwept(shop: SaleFixture): Promise<void> {
  const id = await owed(shop);
  await sendNow(id);
  await shop.until(id, 'refunded');
}

describe('money that pays for nothing', () => {
  test('is sent after 24 hours by default', async () => {
    const shop = await priced();
    const { unitId: businessUnitId } = shop;
    const read = () => bus.operator.call(getRefundDelay, { businessUnitId });
    expect(await read()).toEqual({ businessUnitId, refundAfterHours: 24 });
    const id = await owed(shop);
    const { createdAt, sendsAt, state } = await refundOf(shop, id);
    expect(state).toBe('due');
    expect(Date.parse(sendsAt) - Date.parse(createdAt)).toBe(24 * 3_600_000);
    await untilSwept(shop);
    expect(await refundOf(shop, id)).toMatchObject({ state: 'due', sendsAt });
  });

  test('is sent at once with 0, with an entry in the audit log and a change in the feed', async () => {
    const shop = await priced();
    expect(await setDelay(shop, 0)).toEqual({ businessUnitId: shop.unitId, refundAfterHours: 0 });
    const id = await owed(shop);
    expect(await shop.until(id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
    const refund = await refundOf(shop, id);
    expect(refund).toMatchObject({ state: 'done', cause: 'late', sendsAt: null });
    expect(await auditOf(shop, refund.id)).toMatchObject([
      {
        ...{ actor: { type: 'system', id: 'sweep-unfinished' }, result: 'done' },
        ...{ records: [id, refund.id], eventId: shop.eventId },
      },
    ]);
    const changes = async (): Promise<Body[]> =>
      (await shop.call('GET', '/v1/changes?limit=1000')).body.changes.filter(
        ({ object }: Body) => object.id === id,
      );
    // The provider's notification of the refund can be applied before the sweep has its response:
    // the one that stores the refund reports it, the other one nothing.
    const job = expect.stringMatching(/^(sweep-unfinished|apply-refund)$/);
    await expect
      .poll(async () => (await changes()).at(-1))
      .toMatchObject({ type: 'order.refunded', actor: { type: 'system', id: job } });
    const types = (await changes()).map(({ type }) => type);
    expect(types.filter((type) => type === 'order.refunded')).toHaveLength(1);
  });

  test('is sent by hand with null, also after the delay is set again', async () => {
    const shop = await priced();
    await setDelay(shop, null);
    const id = await owed(shop);
    expect(await refundOf(shop, id)).toMatchObject({ state: 'due', sendsAt: null });
    await setDelay(shop, 0);
    await untilSwept(shop);
    expect(await refundOf(shop, id)).toMatchObject({ state: 'due', sendsAt: null });
    await command(bus, shop, refundOrder, { orderId: id, onlyDue: true });
    await shop.until(id, 'refunded');
  });

  test('waits while the delay is null', async () => {
    const [shop, other] = [await priced(), await priced()];
    const id = await owed(shop);
    await setDelay(shop, null);
    await sendNow(id);
    await untilSwept(other);
    expect(await refundOf(shop, id)).toMatchObject({ state: 'due', sendsAt: null });
    await setDelay(shop, 24);
    await shop.until(id, 'refunded');
  });

  test('of a release before the delay waits for an operator', async () => {
    const shop = await priced();
    const id = await owed(shop);
    await bus.database.sql('update commerce.refund set send_at = null where order_id = $1', [id]);
    await setDelay(shop, 0);
    await untilSwept(shop);
    expect(await refundOf(shop, id)).toMatchObject({ state: 'due', sendsAt: null });
  });

  test('that the provider refuses is sent once, and waits for an operator', async () => {
    const shop = await priced();
    const id = await owed(shop);
    await bus.database.sql(
      "update commerce.settlement set provider_payment_id = provider_payment_id || '-x' where order_id = $1",
      [id],
    );
    await sendNow(id);
    await expect.poll(async () => (await refundOf(shop, id)).failure).not.toBeNull();
    await untilSwept(shop);
    const refund = await refundOf(shop, id);
    expect(refund).toMatchObject({ state: 'due', sendsAt: null });
    expect(await auditOf(shop, refund.id)).toHaveLength(1);
  });

  test('that the provider has refused is accepted when an operator sends it again', async () => {
    const shop = await priced();
    const id = await owed(shop);
    const setPayment = (payment: string) =>
      bus.database.sql(
        `update commerce.settlement set provider_payment_id = ${payment} where order_id = $1`,
        [id],
      );
    await setPayment("provider_payment_id || '-x'");
    await sendNow(id);
    await expect.poll(async () => (await refundOf(shop, id)).failure).not.toBeNull();
    await setPayment("replace(provider_payment_id, '-x', '')");
    await command(bus, shop, refundOrder, { orderId: id, onlyDue: true });
    expect(await refundOf(shop, id)).toMatchObject({ state: 'done', failure: null });
  });
});

test('what a refund policy says is not sent by the delay', async () => {
  const shop = await createSaleWithPolicy(bus, {});
  await setDelay(shop, 0);
  const { id, registrationIds } = await paidOrder(shop);
  await shop.call('POST', `${shop.path}/registrations/${registrationIds[0]}/cancel`);
  await expect.poll(async () => (await shop.read(id)).refundDueAmount).toBe(6700);
  await untilSwept(shop);
  expect(await refundOf(shop, id)).toMatchObject({
    ...{ state: 'due', cause: 'refund_policy', sendsAt: null },
  });
});

test('the platform and an operator return a payment once', async () => {
  const shop = await priced();
  const ids = await Promise.all(Array.from({ length: 8 }, () => owed(shop)));
  const refund = (orderId: string) =>
    command(bus, shop, refundOrder, { orderId, onlyDue: true }).catch(() => null);
  await Promise.all(ids.flatMap((id) => [sendNow(id), refund(id), refund(id)]));
  for (const id of ids) {
    expect(await shop.until(id, 'refunded')).toMatchObject({ refundedAmount: 1000 });
    const { id: refundId } = await refundOf(shop, id);
    const entries = await auditOf(shop, refundId);
    expect(entries.filter(({ result }) => result === 'done')).toHaveLength(1);
  }
});
