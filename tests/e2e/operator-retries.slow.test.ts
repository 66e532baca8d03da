import { randomUUID } from 'node:crypto';
import { createPerk, listPerks } from '@event-api/contracts/operator/perks';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { OperatorError } from '@event-api/tools/admin/operator-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

/** Creates a paid order and a function that refunds it partially with an Idempotency-Key. */
async function paidOrder() {
  const shop = await createSale(bus, { priceAmount: 2500 });
  const { id } = await shop.placed();
  await pay((await shop.confirm(id)).body.paymentUrl);
  await shop.until(id, 'paid');
  const refund = (key: string, input: object = {}): Promise<Body> =>
    bus.operator.callUnchecked(
      refundOrder,
      { businessUnitId: shop.unitId, eventId: shop.eventId, orderId: id, amount: 100, ...input },
      { key },
    );
  return { shop, id, refund, refunded: async () => (await shop.read(id)).refundedAmount };
}

const rejection = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no rejection',
    (error) => {
      if (!(error instanceof OperatorError)) throw error;
      return [error.status, (error.envelope as Body).error];
    },
  );

/** Expires the lease of a request whose process was killed. */
const endLease = (schema: string, key: string) =>
  bus.database.sql(
    `update ${schema}.idempotency_key set lease_until = clock_timestamp() - interval '1 second' where key = '${key}'`,
  );

describe('a refund command retried with its Idempotency-Key', () => {
  test('refunds once and returns the first response', async () => {
    const { refund, refunded } = await paidOrder();
    const key = randomUUID();
    const first = await refund(key);
    expect(await refund(key)).toEqual(first);
    expect(first.refunds).toMatchObject([{ amount: 100 }]);
    expect(await refunded()).toBe(100);
  });

  test('is rejected with 400 for another body', async () => {
    const { refund, refunded } = await paidOrder();
    const key = randomUUID();
    await refund(key);
    const other = await rejection(refund(key, { amount: 200 }));
    expect(other).toMatchObject([400, { details: [{ field: 'Idempotency-Key' }] }]);
    expect(await refunded()).toBe(100);
  });

  test('refunds once when ten are sent concurrently', async () => {
    const { refund, refunded } = await paidOrder();
    const key = randomUUID();
    const results = await Promise.all(
      Array.from({ length: 10 }, () =>
        refund(key).then(
          () => 'refunded',
          (error) => error,
        ),
      ),
    );
    for (const result of results.filter((each) => each !== 'refunded')) {
      expect(result).toMatchObject({ status: 409, envelope: { error: { status: 'ABORTED' } } });
    }
    expect(results).toContain('refunded');
    expect(await refunded()).toBe(100);
  });

  test('refunds once after the process was killed before it called the provider', async () => {
    const { refund, refunded } = await paidOrder();
    const key = randomUUID();
    await bus.killAt('commerce', 'refund.started', () => refund(key));
    await endLease('commerce', key);
    expect((await refund(key)).refunds).toMatchObject([{ amount: 100 }]);
    expect(await refunded()).toBe(100);
  });
});

test('perk.create returns the perk of a process that was killed after its effect', async () => {
  const shop: SaleFixture = await createSale(bus);
  const key = randomUUID();
  const scope = { businessUnitId: shop.unitId, eventId: shop.eventId };
  const create = (): Promise<Body> =>
    bus.operator.callUnchecked(createPerk, { ...scope, name: 'Lounge' }, { key }) as Promise<Body>;
  await bus.killAt('catalog', 'idempotency.effect', create);
  await endLease('catalog', key);
  const { id } = await create();
  const { perks } = await command(bus, shop, listPerks);
  expect(perks.map((perk: Body) => perk.id)).toEqual([id]);
});
