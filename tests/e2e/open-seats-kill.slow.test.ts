import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  createCheckoutFixture,
  createSale,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';

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

test.each<[processName: string, step: string, isAssigned: boolean]>([
  ['registration', 'admission.read', false],
  ['registration', 'admission.written', false],
  ['registration', 'outbox.committed', true],
  ['commerce', 'assign.responded', true],
])(
  'an assignment during which %s is killed at %s takes effect once, or not at all',
  async (processName, step, isAssigned) => {
    const shop = await createSale(bus, { capacity: 1 });
    const order = await sellOpenSeat(shop);
    const { cursor } = await expectStatus(shop.call, ['GET', '/v1/changes/head']);
    const path = `${shop.path}/orders/${order.id}/seats/${order.seats[0].id}/assign`;
    const body = { email: randomEmail() };
    await bus.killAt(processName, step, () => shop.call('POST', path, { body }));
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
    const { status, body: again } = await shop.call('POST', path, { body });
    expect([status, again.seats[0].status]).toEqual([200, 'assigned']);
    expect(await shop.registrations()).toMatchObject([{ email: body.email, status: 'confirmed' }]);
    await eventually(async () => {
      expect(await updatesOf(shop, cursor, order.id)).toHaveLength(1);
      expect(await bus.database.sql('select seat_id from commerce.seat_assignment')).toEqual([]);
    });
  },
  120_000,
);
