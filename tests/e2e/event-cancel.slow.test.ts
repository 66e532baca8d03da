import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createCheckoutFixture,
  createSale,
  notifyPaid,
  paidWithoutNotification,
  pay,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { expectConsistentCheckout } from './fixtures/checkout-consistency.ts';
import {
  cancelOnce,
  cancelUntilDone,
  expectEmptyEvent,
  untilCancelled,
} from './fixtures/event-cancellation.ts';

let bus: BusFixture;

beforeAll(async () => {
  bus = await createCheckoutFixture();
});
afterAll(() => bus?.stop());

/** An event with paid, open and free orders, of which one is paid without a notification. */
async function soldEvent(): Promise<{ shop: SaleFixture; paid: string[]; unnoticed: Body }> {
  const shop = await createSale(bus, { priceAmount: 1000, capacity: 20, allowWaitlist: true });
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
  const paid: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { id, url } = await createAwaitingPayment(shop);
    await pay(url);
    await shop.until(id, 'paid');
    paid.push(id);
  }
  await createAwaitingPayment(shop);
  await shop.placed();
  return { shop, paid, unnoticed: await paidWithoutNotification(shop) };
}

/** Each order that was paid has its money back, once. */
async function expectRefunded(shop: SaleFixture, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    expect(await shop.until(id, 'refunded')).toMatchObject({
      ...{ refundedAmount: 1000, refundDueAmount: 0 },
    });
  }
  const rows = await bus.database.sql(
    `select order_id, state, amount::int from commerce.refund where event_id = $1 order by order_id`,
    [shop.eventId],
  );
  const once = ids.map((order_id) => ({ order_id, state: 'done', amount: 1000 }));
  expect(rows).toEqual(once.toSorted((a, b) => (a.order_id < b.order_id ? -1 : 1)));
}

const points: [processName: string, point: string][] = [
  ['catalog', 'event.cancelled'],
  ['catalog', 'outbox.committed'],
  ['registration', 'event.admission_closed'],
  ['registration', 'admission.written'],
  ['registration', 'event.emptied'],
  ['commerce', 'cancellation.registrations_cancelled'],
  ['commerce', 'payment.expired'],
  ['commerce', 'cancel.expired'],
  ['commerce', 'cancellation.orders_ended'],
  ['commerce', 'order.decided'],
  ['commerce', 'cancellation.order_decided'],
  ['commerce', 'refund.responded'],
  ['commerce', 'refund.written'],
  ['commerce', 'due_refund.started'],
  ['commerce', 'cancellation.attempted'],
];

describe('a cancellation', () => {
  test.each(points)(
    'that is interrupted by a kill of %s at %s refunds each order once',
    async (processName, point) => {
      const { shop, paid, unnoticed } = await soldEvent();
      await bus.killAt(processName, point, () => cancelOnce(bus, shop));
      await cancelUntilDone(bus, shop);
      await untilCancelled(bus, shop);
      await expectEmptyEvent(bus, shop);
      await expectRefunded(shop, [...paid, unnoticed.id]);
    },
    180_000,
  );

  test('that races with payments, confirmations, refunds, cancellations and scans keeps nothing', async () => {
    const { shop, paid, unnoticed } = await soldEvent();
    const [first = '', second = '', third = ''] = paid;
    const { registrationIds } = await shop.read(first);
    const late = await Promise.all(Array.from({ length: 4 }, () => paidWithoutNotification(shop)));
    const buy = async () => {
      const { body, status } = await shop.place();
      if (status !== 201) return;
      const { body: confirmed } = await shop.confirm(body.id);
      if (confirmed.paymentUrl) await pay(confirmed.paymentUrl);
    };
    const scan = { registrationId: registrationIds[0], subjectType: 'event' };
    await Promise.allSettled([
      ...late.map(({ url }) => notifyPaid(bus, url)),
      notifyPaid(bus, unnoticed.url),
      ...Array.from({ length: 6 }, buy),
      shop.call('POST', `${shop.path}/checkins`, { body: scan }),
      shop.call('POST', `${shop.path}/registrations/${registrationIds[0]}/cancel`),
      command(bus, shop, refundOrder, { orderId: second, all: true }),
      command(bus, shop, refundOrder, { orderId: third, amount: 300 }),
      cancelUntilDone(bus, shop),
      ...Array.from({ length: 6 }, buy),
    ]);
    await cancelUntilDone(bus, shop);
    await untilCancelled(bus, shop);
    await expectEmptyEvent(bus, shop);
    const rows = await bus.database.sql<{ id: string; received: number; refunded: number }>(
      `select o.id, (select coalesce(sum(s.amount), 0)::int from commerce.settlement s where s.order_id = o.id) as received,
         (select coalesce(sum(r.amount), 0)::int from commerce.refund r where r.order_id = o.id and r.state = 'done') as refunded
       from commerce.customer_order o where o.event_id = $1`,
      [shop.eventId],
    );
    // The policy keeps its part of the seat that was cancelled by itself, if that came first.
    for (const { id, received, refunded } of rows.filter((row) => row.id !== first)) {
      expect([id, refunded]).toEqual([id, received]);
    }
    expect([700, 1000]).toContain(rows.find(({ id }) => id === first)?.refunded);
  }, 180_000);
});

test('nothing contradicts anything after the kills', () => expectConsistentCheckout(bus));
