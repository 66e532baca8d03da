import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { apiProcessNames } from '@event-api/contracts/topology';
import { freePort } from '@event-api/local-servers/ports';
import { eventually } from '@event-api/platform/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectStatus } from './fixtures/bus.ts';
import {
  command,
  createSale,
  notify,
  notifyPaid,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { createTelemetryFixture, type TelemetryFixture } from './fixtures/telemetry.ts';

let fixture: TelemetryFixture;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
});
afterAll(() => fixture?.stop());

const samplesOf = (process: string) => fixture.samplesOf(process);
const growthOf: TelemetryFixture['growthOf'] = (...how) => fixture.growthOf(...how);
const becomes: TelemetryFixture['becomes'] = (...how) => fixture.becomes(...how);

/** Creates an order whose payment is due for a refund, visible in the metrics. */
async function createRefundDue() {
  const shop = await createSale(fixture.bus, { priceAmount: 1700 });
  const order = await shop.placed();
  const { body } = await shop.confirm(order.orderNumber);
  await pay(body.paymentUrl, '?amount=1600');
  await becomes('commerce', 'commerce_refunds_due{currency="EUR"}', (due) => expect(due).toBe(1));
  return { shop, orderId: order.id };
}

const register = ({ call, path, typeId }: SaleFixture, fields: object = {}) =>
  call('POST', `${path}/registrations`, {
    body: { email: randomEmail(), registrationTypeId: typeId, ...fields },
  });

describe('registration metrics', () => {
  test('count registrations by outcome and by reason of rejection', async () => {
    const full = await createSale(fixture.bus, { capacity: 1 });
    const waiting = await createSale(fixture.bus, { capacity: 1, allowWaitlist: true });
    await register(waiting);
    const approval = await createSale(fixture.bus, { requiresApproval: true });
    const closed = await createSale(fixture.bus);
    await expectStatus(closed.call, [
      'PATCH',
      `${closed.path}/ticket-types/${closed.typeId}`,
      { status: 'closed' },
    ]);
    const email = randomEmail();
    const grown = await growthOf('registration', async () => {
      await register(full, { email });
      await register(full, { email });
      await register(full);
      await register(waiting);
      await register(approval);
      await register(closed);
      await register(approval, { redemptionCode: 'NOBODYS-CODE' });
      await register(full, { registrationTypeId: 'tt_of_nobody' });
      await register(full, { registrationTypeId: undefined });
    });
    const counted = Object.fromEntries(
      [
        ...['confirmed', 'already_registered', 'waitlisted', 'pending', 'sold_out'],
        ...['not_on_sale', 'code_invalid', 'not_found', 'required'],
      ].map((outcome) => [
        outcome,
        grown(`registration_registrations_total{outcome="${outcome}"}`),
      ]),
    );
    expect(counted).toEqual({
      confirmed: 1,
      already_registered: 1,
      waitlisted: 1,
      pending: 1,
      sold_out: 1,
      not_on_sale: 1,
      code_invalid: 1,
      not_found: 1,
      required: 1,
    });
    expect(grown('registration_admission_batch_size_count')).toBeGreaterThanOrEqual(7);
  });
});

describe('order metrics', () => {
  test('count orders from placement to their final status, and measure the settlement lag', async () => {
    const shop = await createSale(fixture.bus, { priceAmount: 1500, capacity: 4 });
    const before = (await samplesOf('registration')).get('registration_seats_reserved') ?? 0;
    const grown = await growthOf('commerce', async () => {
      const cancelled = await shop.placed();
      await becomes('registration', 'registration_seats_reserved', (held) =>
        expect(held).toBe(before + 1),
      );
      await shop.cancel(cancelled.id);
      const paid = await shop.placed();
      await shop.confirm(paid.orderNumber, {});
      const { body } = await shop.confirm(paid.orderNumber);
      await pay(body.paymentUrl);
      await shop.until(paid.id, 'paid');
      await shop.confirm(cancelled.orderNumber);
      await shop.place({ items: [shop.ofType({ itemId: 'tt_of_nobody' })] });
      await shop.place({ redemptionCode: 'NOBODYS-CODE' });
    });
    const placed = (outcome: string) => grown(`commerce_placements_total{outcome="${outcome}"}`);
    expect(['placed', 'not_found', 'code_invalid'].map(placed)).toEqual([2, 1, 1]);
    const confirmed = (outcome: string) =>
      grown(`commerce_confirmations_total{outcome="${outcome}"}`);
    expect(['awaiting_payment', 'order_closed', 'required'].map(confirmed)).toEqual([1, 1, 1]);
    const closed = (status: string) =>
      grown(`commerce_order_transitions_total{status="${status}"}`);
    expect(['paid', 'cancelled', 'expired', 'refund_due'].map(closed)).toEqual([1, 1, 0, 0]);
    expect(grown('commerce_settlements_processed_total{outcome="accepted"}')).toBe(1);
    expect(grown('commerce_settlement_lag_seconds_count')).toBe(1);
    expect(grown('commerce_settlement_lag_seconds_sum')).toBeGreaterThan(0);
    expect(grown('commerce_settlement_lag_seconds_sum')).toBeLessThan(30);
  });

  test('count an order that becomes paid with the registration of a refunded order', async () => {
    const shop = await createSale(fixture.bus, { priceAmount: 1800 });
    const email = randomEmail();
    const orders = [await shop.placed({ email }), await shop.placed({ email })];
    const pages: string[] = [];
    for (const { id } of orders) pages.push((await shop.confirm(id)).body.paymentUrl);
    const [first = '', second = ''] = pages;
    const grown = await growthOf('commerce', async () => {
      // At once: an order whose person is registered by another one is soon cancelled.
      await Promise.all([pay(first), pay(second)]);
      const byStatus = await eventually(async () => {
        const read = await Promise.all(orders.map(({ id }) => shop.read(id)));
        const found = new Map<string, string>(read.map(({ id, status }) => [status, id]));
        if (!found.has('paid') || !found.has('refund_due'))
          throw new Error([...found.keys()].join());
        return found;
      });
      const waiting = byStatus.get('refund_due') ?? '';
      await command(fixture.bus, shop, refundOrder, { orderId: byStatus.get('paid'), all: true });
      await shop.until(waiting, 'paid');
      await command(fixture.bus, shop, refundOrder, { orderId: waiting, all: true });
    });
    const closed = (status: string) =>
      grown(`commerce_order_transitions_total{status="${status}"}`);
    expect(['paid', 'refund_due', 'refunded'].map(closed)).toEqual([2, 1, 2]);
  });

  test('report refunds due after a payment of a wrong amount until an operator refunds it', async () => {
    let owed: Awaited<ReturnType<typeof createRefundDue>> | undefined;
    const grown = await growthOf('commerce', async () => {
      owed = await createRefundDue();
    });
    expect(grown('commerce_settlements_processed_total{outcome="mismatch"}')).toBe(1);
    const seen = await samplesOf('commerce');
    expect(seen.get('commerce_refunds_due_amount{currency="EUR"}')).toBe(1600);
    // It is sent by itself later, and waits since then.
    expect(seen.get('commerce_refunds_idle_age_seconds')).toBe(0);
    await fixture.bus.database.sql(
      `update commerce.refund set send_at = null, last_attempt_at = last_attempt_at - interval '2 hours'
       where state = 'due'`,
    );
    await becomes('commerce', 'commerce_refunds_idle_age_seconds', (value) =>
      expect(value).toBeGreaterThan(7200),
    );
    if (owed)
      await command(fixture.bus, owed.shop, refundOrder, { orderId: owed.orderId, all: true });
    await becomes('commerce', 'commerce_refunds_idle_age_seconds', (value) =>
      expect(value).toBe(0),
    );
    expect((await samplesOf('commerce')).has('commerce_refunds_due{currency="EUR"}')).toBe(false);
  });

  test('report settlements that wait while registration is unavailable', async () => {
    const shop = await createSale(fixture.bus, { priceAmount: 1900 });
    const order = await shop.placed();
    const { body } = await shop.confirm(order.orderNumber);
    await fixture.bus.processes.stop('registration');
    try {
      await pay(body.paymentUrl);
      await becomes('commerce', 'commerce_settlements_pending', (count) => expect(count).toBe(1));
      await becomes('commerce', 'commerce_settlements_pending_age_seconds', (age) =>
        expect(age).toBeGreaterThan(0),
      );
    } finally {
      await fixture.bus.processes.restart('registration');
    }
    await shop.until(order.id, 'paid');
    await becomes('commerce', 'commerce_settlements_pending', (count) => expect(count).toBe(0));
  });

  test('report reservations that have expired without being released', async () => {
    const overdue = 'registration_reservations_overdue_age_seconds';
    await becomes('registration', overdue, (age) => expect(age).toBe(0));
    // The event does not exist in any projection, so the expiry job does not find it.
    await fixture.bus.database.sql(
      `insert into registration.seat_reservation (id, business_unit_id, event_id, state, expires_at)
       values ('ord_stuck', 'unit_nobody', 'evt_nobody', 'active', now() - interval '2 minutes')`,
    );
    await becomes('registration', overdue, (age) => expect(age).toBeGreaterThan(120));
    await fixture.bus.database.sql(
      "delete from registration.seat_reservation where id = 'ord_stuck'",
    );
    await becomes('registration', overdue, (age) => expect(age).toBe(0));
  });
});

test('check-in metrics count scans by outcome and subject type', async () => {
  const shop = await createSale(fixture.bus);
  const jury = await createSale(fixture.bus, { requiresApproval: true });
  const { checkinCode } = (await register(shop)).body.registration;
  const { id: pending } = (await register(jury)).body.registration;
  const scan = ({ call, path }: SaleFixture, body: object) =>
    call('POST', `${path}/checkins`, { body });
  const grown = await growthOf('onsite', async () => {
    await scan(shop, { checkinCode, subjectType: 'event' });
    await scan(shop, { checkinCode, subjectType: 'event' });
    await scan(shop, { checkinCode, subjectType: 'session', subjectId: 'ses_of_nobody' });
    await scan(jury, { registrationId: pending, subjectType: 'event' });
  });
  const counted = (outcome: string, type: string) =>
    grown(`onsite_checkins_total{outcome="${outcome}",subject_type="${type}"}`);
  expect(counted('first', 'event')).toBe(1);
  expect(counted('repeat', 'event')).toBe(1);
  expect(counted('not_found', 'session')).toBe(1);
  expect(counted('not_confirmed', 'event')).toBe(1);
  expect(grown('onsite_checkins_batch_size_sum')).toBe(2);
});

describe('payment notification metrics', () => {
  test('count invalid signatures, which do not delay valid notifications', async () => {
    const shop = await createSale(fixture.bus, { priceAmount: 1700 });
    const order = await shop.placed();
    const { body } = await shop.confirm(order.orderNumber);
    const grown = await growthOf('gateway', async () => {
      expect(await notify(fixture.bus, {}, { secret: 'wrong' })).toBe(400);
      expect(await notify(fixture.bus, {}, { secret: 'wrong' })).toBe(400);
      expect(await notifyPaid(fixture.bus, body.paymentUrl)).toBe(200);
    });
    expect(grown('gateway_notifications_refused_total{reason="signature"}')).toBe(2);
    expect(grown('gateway_notifications_refused_total{reason="rate_limit"}')).toBe(0);
  });
});

describe('dashboards and alert rules', () => {
  const folder = join(import.meta.dirname, '../../deploy/observability');
  const texts = [
    readFileSync(join(folder, 'rules.yaml'), 'utf8'),
    ...readdirSync(join(folder, 'dashboards')).map((name) =>
      readFileSync(join(folder, 'dashboards', name), 'utf8'),
    ),
  ];
  const shared = 'http_server|db_client|nodejs|process|v8js|telemetry|outbox|projection';
  const prefixes = [shared, ...apiProcessNames].join('|');

  test('query only metrics that the running platform exports', async () => {
    // This series exists only after an error of its kind.
    await fixture.bus.processes.stop('onsite');
    const { call, path } = await createSale(fixture.bus);
    expect((await call('GET', `${path}/checkins`)).status).toBe(503);
    await fixture.bus.processes.restart('onsite');
    const shop = await createSale(fixture.bus);
    const { checkinCode } = (await register(shop)).body.registration;
    await expectStatus(shop.call, [
      'POST',
      `${shop.path}/checkins`,
      { checkinCode, subjectType: 'event' },
    ]);
    await createRefundDue();
    // Nothing listens there: the ping of the endpoint fails.
    const url = `http://127.0.0.1:${await freePort()}/`;
    await expectStatus(shop.call, ['POST', '/v1/webhook-endpoints', { url }]);
    let series = new Set<string>();
    await eventually(async () => {
      const texts = Object.values(await fixture.metrics());
      const lines = texts.flatMap((text) => text.split('\n'));
      series = new Set(lines.flatMap((line) => /^[a-z]\w*/.exec(line) ?? []));
      expect(series).toContain('changes_webhooks_delivery_duration_seconds_bucket');
    });
    const queried = texts.flatMap(
      (text) => text.match(new RegExp(`\\b(?:${prefixes})_[a-z0-9_]+\\b`, 'g')) ?? [],
    );
    expect(new Set(queried).size).toBeGreaterThan(35);
    const isLabel = (name: string) =>
      texts.some((text) => new RegExp(`by \\([^)]*\\b${name}\\b|\\b${name}\\\\?[=!]`).test(text));
    expect([...new Set(queried)].filter((name) => !series.has(name) && !isLabel(name))).toEqual([]);
  });

  test('use metrics without ids, addresses or secrets in labels', async () => {
    const labels = Object.values(await fixture.metrics()).flatMap((text) =>
      [...text.matchAll(/[a-z_]+="([^"]*)"/g)].map(([, value = '']) => value),
    );
    expect(labels.length).toBeGreaterThan(500);
    const ids =
      /^(?!tt_of|ses_of)(evt|tt|reg|ord|unit|key|chk|rfd|stl|att|pay|ses|req)_|@|sk_live|CHK-|ORD-/;
    expect(labels.filter((value) => ids.test(value))).toEqual([]);
  });
});
