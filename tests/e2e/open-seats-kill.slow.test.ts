import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { createSaleWithPolicy, paidOrder, readRefunds } from './fixtures/policy-sale.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

/** Sells a free order of one open seat. */
async function sellOpenSeat(shop: SaleFixture): Promise<Body> {
  const { id } = await shop.placed({ items: [shop.ofType()], assignLater: true });
  await shop.confirm(id, {});
  return shop.until(id, 'paid');
}

const updatesOf = async ({ call }: SaleFixture, cursor: string, orderId: string) => {
  const { changes } = await expectStatus(call, ['GET', `/v1/changes?after=${cursor}`]);
  return changes.filter(
    ({ type, object }: Body) => type === 'order.updated' && object.id === orderId,
  );
};

/** Who assigns a seat of an order: the shop with its key, or a person with a claim link. */
const callers = {
  'the shop': async (shop: SaleFixture, { id, seats: [seat] }: Body) => {
    const path = `${shop.path}/orders/${id}/seats/${seat.id}/assign`;
    return async (body: object) => {
      const { status, body: order } = await shop.call('POST', path, { body });
      return [status, order.seats?.[0].status];
    };
  },
  'a person': async (shop: SaleFixture, { id, seats: [seat] }: Body) => {
    const links = ['POST', `${shop.path}/orders/${id}/claim-links`, {}] as const;
    const { claimToken } = await expectStatus(shop.call, links);
    const person = httpClient(bus.gatewayUrl, { authorization: `Bearer ${claimToken}` });
    return async (body: object) => {
      const claimed = await person('POST', `/v1/claims/${seat.id}/assign`, { body });
      return [claimed.status, claimed.body.status];
    };
  },
};

test.each<[caller: keyof typeof callers, processName: string, step: string, isAssigned: boolean]>([
  ['the shop', 'registration', 'admission.read', false],
  ['the shop', 'registration', 'admission.written', false],
  ['the shop', 'registration', 'outbox.committed', true],
  ['the shop', 'commerce', 'assign.responded', true],
  ['a person', 'registration', 'outbox.committed', true],
  ['a person', 'commerce', 'assign.responded', true],
])(
  'an assignment by %s during which %s is killed at %s takes effect once, or not at all',
  async (caller, processName, step, isAssigned) => {
    const shop = await createSale(bus, { capacity: 1 });
    const order = await sellOpenSeat(shop);
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const assign = await callers[caller](shop, order);
    const body = { email: randomEmail() };
    await bus.killAt(processName, step, () => assign(body));
    // Nobody repeats the request: the order shows what has happened.
    await eventually(async () => {
      const [seat] = (await shop.read(order.id)).seats;
      expect(seat.status).toBe(isAssigned ? 'assigned' : 'open');
      const { held, confirmed, remaining } = await shop.availability();
      expect([held, confirmed, remaining]).toEqual(isAssigned ? [0, 1, 0] : [1, 0, 0]);
    });
    if (isAssigned) {
      await eventually(async () => {
        expect(await updatesOf(shop, cursor, order.id)).toHaveLength(1);
      });
    }
    expect(await assign(body)).toEqual([200, 'assigned']);
    expect(await shop.registrations()).toMatchObject([{ email: body.email, status: 'confirmed' }]);
    await eventually(async () => {
      expect(await updatesOf(shop, cursor, order.id)).toHaveLength(1);
      expect(await bus.database.sql('select seat_id from commerce.seat_assignment')).toEqual([]);
    });
  },
  120_000,
);

test('an open seat that is assigned after its refund was stored is paid back once', async () => {
  const shop = await createSaleWithPolicy(bus, { automatic: true });
  const items = [shop.ofType({ quantity: 2 })];
  const order = await paidOrder(shop, 2, { items, assignLater: true });
  const [seat] = order.seats;
  const sendAfter = (delay: string) =>
    bus.database.sql(
      `update commerce.refund set last_attempt_at = clock_timestamp() + interval '${delay}' where order_id = $1`,
      [order.id],
    );
  await bus.killAt('commerce', 'refund.started', async () => {
    const refund = { orderId: order.id, registrationIds: [seat.id] };
    await command(bus, shop, refundOrder, refund).catch(() => {});
    // The seat is assigned before the sweep sends the refund.
    await sendAfter('1 hour');
  });
  const path = `${shop.path}/orders/${order.id}/seats/${seat.id}/assign`;
  const assigned = await shop.call('POST', path, { body: { email: randomEmail() } });
  expect(assigned.status).toBe(200);
  await sendAfter('-1 hour');
  const { registrationId } = assigned.body.seats[0];
  await eventually(async () => {
    const decided = await bus.database.sql(
      'select reason from commerce.cancelled_seat where registration_id = $1 and decided_at is not null',
      [registrationId],
    );
    expect(decided).toEqual([{ reason: 'settled' }]);
    expect(await readRefunds(bus, shop, order.id)).toEqual([
      { amount: 9000, state: 'done', cause: 'operator', registrationIds: [registrationId] },
    ]);
  });
  const again = { orderId: order.id, registrationIds: [registrationId] };
  await expect(command(bus, shop, refundOrder, again)).rejects.toThrow('Nothing is left');
  expect(await shop.read(order.id)).toMatchObject({
    ...{ status: 'paid', refundedAmount: 9000, refundDueAmount: 0 },
    seats: [{ status: 'cancelled' }, { status: 'open' }],
  });
}, 120_000);
