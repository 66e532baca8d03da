import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusFixture, expectStatus } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createCheckoutFixture,
  createSale,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { stopConsistent } from './fixtures/checkout-consistency.ts';
import { untilCancelled } from './fixtures/event-cancellation.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => stopConsistent(bus));

/** A paid order of two seats for 1000 each, of which the policy pays back 70 %. */
async function sell(automatic: boolean): Promise<{ shop: SaleFixture; order: Body }> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic, bands });
  const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
  const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
  await pay((await shop.confirm(id)).body.paymentUrl);
  return { shop, order: await shop.until(id, 'paid') };
}

const cancelSeat = (shop: SaleFixture, { registrationIds: [first] }: Body) =>
  expectStatus(shop.call, ['POST', `${shop.path}/registrations/${first}/cancel`]);

/** Waits until registration has cancelled everything, and commerce has tried to refund the order. */
async function untilRefundIsTried(order: Body): Promise<void> {
  const read = async () => {
    const [row] = await bus.database.sql<{ left: number | null; at: Date }>(
      `select c.registrations_left as left, o.last_attempt_at as at
       from commerce.customer_order o join commerce.event_cancellation c on c.event_id = o.event_id where o.id = $1`,
      [order.id],
    );
    if (row?.left !== 0) throw new Error('registration has some left');
    return row.at.getTime();
  };
  const before = await eventually(read, 30_000);
  await eventually(async () => expect(await read()).toBeGreaterThan(before), 30_000);
}

const isDecided = async (order: Body): Promise<boolean> => {
  const [row] = await bus.database.sql<{ decided: boolean }>(
    'select event_cancelled_at is not null as decided from commerce.customer_order where id = $1',
    [order.id],
  );
  return row?.decided ?? false;
};

/** The end of a cancellation: the order with both of its seats decided, and the refunds. */
async function endOf(shop: SaleFixture, { id, registrationIds: [first] }: Body) {
  const { refunds } = await untilCancelled(bus, shop);
  const order = await eventually(async () => {
    const found = await shop.read(id);
    if (found.cancelledSeats.length < 2) throw new Error('undecided');
    return found;
  });
  const isFirst = ({ registrationId }: Body) => registrationId === first;
  const { refundAmount, reason } = order.cancelledSeats.find(isFirst);
  return { order, refunds, seat: { refundAmount, reason } };
}

/**
 * Cancels a seat and then its event, before commerce decides about either of them. Returns what the
 * preview has shown, and the end. `off` disables guards of commerce.
 */
async function cancelBoth(refund: string, automatic: boolean, off = '') {
  const { shop, order } = await sell(automatic);
  bus.setSwitches('commerce', `fail:order.decided,${off}`);
  await cancelSeat(shop, order);
  await eventually(async () => {
    const [row] = await bus.database.sql(
      'select decided_at from commerce.cancelled_seat where order_id = $1',
      [order.id],
    );
    expect(row).toEqual({ decided_at: null });
  });
  const preview = await command(bus, shop, previewEventCancel, { refund });
  const { expectedVersion } = preview;
  await command(bus, shop, cancelEvent, { refund, expectedVersion });
  await untilRefundIsTried(order);
  bus.setSwitches('commerce', off);
  return { shown: preview.refunds, ...(await endOf(shop, order)) };
}

/**
 * Cancels a seat and then its event without a refund, while commerce cannot store what registration
 * says about the seat until `act` ends. Returns the end.
 */
async function learnLate(act: (order: Body) => Promise<void>, off = '') {
  const { shop, order } = await sell(true);
  const refund = 'none';
  const { expectedVersion } = await command(bus, shop, previewEventCancel, { refund });
  bus.setSwitches('commerce', off);
  const session = await bus.database.of('commerce').session();
  await session.sql('begin');
  await session.sql('select from commerce.registration_projection where id = $1 for update', [
    order.registrationIds[0],
  ]);
  try {
    await cancelSeat(shop, order);
    await command(bus, shop, cancelEvent, { refund, expectedVersion });
    // The messages wait behind that of the seat. A preview fetches the event by itself.
    await command(bus, shop, previewEventCancel, { refund });
    await act(order);
  } finally {
    await session.sql('rollback');
    await session.end();
  }
  return endOf(shop, order);
}

const promised = { refundAmount: 700, reason: 'band' };
const lost = { refundAmount: 0, reason: 'settled' };

describe('a seat that was cancelled before its event', () => {
  test.each<[refund: string, automatic: boolean, paidBack: number, due: number]>([
    ['none', true, 700, 0],
    ['none', false, 0, 700],
    ['policy', true, 1400, 0],
    ['policy', false, 1400, 0],
    ['full', true, 1700, 0],
    ['full', false, 1700, 0],
  ])(
    'gets what its order promised with the refund %s (automatic: %s), as the preview shows',
    async (refund, automatic, paidBack, due) => {
      const { shown, order, refunds, seat } = await cancelBoth(refund, automatic);
      expect(seat).toEqual(promised);
      expect(order).toMatchObject({ refundedAmount: paidBack, refundDueAmount: due });
      expect(shown).toEqual(paidBack ? [{ currency: 'EUR', orders: 1, amount: paidBack }] : []);
      expect(refunds).toEqual([{ currency: 'EUR', sent: paidBack, pending: 0, due }]);
    },
    120_000,
  );

  test('gets it also if commerce learns of it after the cancellation of the event', async () => {
    const { order, seat } = await learnLate(async (sold) => {
      await untilRefundIsTried(sold);
      expect(await isDecided(sold)).toBe(false);
    });
    expect(seat).toEqual(promised);
    expect(order.refundedAmount).toBe(700);
  }, 120_000);

  test('would get nothing without what registration says about it', async () => {
    const { seat, order } = await cancelBoth('none', true, 'off:event-cancel.seats-before');
    bus.setSwitches('commerce');
    expect(seat).toEqual(lost);
    expect(order.refundedAmount).toBe(0);
  }, 120_000);

  test('would get nothing if commerce did not wait for what it is told late', async () => {
    const { seat } = await learnLate(
      (sold) => eventually(async () => expect(await isDecided(sold)).toBe(true), 30_000),
      'off:event-cancel.known-ends',
    );
    bus.setSwitches('commerce');
    expect(seat).toEqual(lost);
  }, 120_000);
});
