import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient, type TestResponse } from '@event-api/platform/testing/http-client';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createSale,
  notifyPaid,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';
import { untilCancelled } from './fixtures/event-cancellation.ts';
import { concurrently } from './order-races.ts';

/** A sale of seats for 1000, of which the policy pays back 70 % at once. */
async function sale(bus: BusFixture, capacity: number): Promise<SaleFixture> {
  const shop = await createSale(bus, { capacity, priceAmount: 1000 });
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
  return shop;
}

/** A paid order of two seats, with the page that was paid; or of seats without attendees. */
async function sold(shop: SaleFixture, isOpen = false): Promise<Body> {
  const attendees = isOpen ? [] : [{ email: randomEmail() }, { email: randomEmail() }];
  const items = [shop.ofType({ quantity: 2, attendees })];
  const { id } = await shop.placed({ items, assignLater: isOpen });
  const url = (await shop.confirm(id)).body.paymentUrl;
  await pay(url);
  return { ...(await shop.until(id, 'paid')), url };
}

const change = (shop: SaleFixture, { id }: Body, body: object): Promise<TestResponse> =>
  untilDecided(() => shop.call('POST', `${shop.path}/orders/${id}/changes`, { body }));

const quoteFirst = async (shop: SaleFixture, order: Body): Promise<string> =>
  (await change(shop, order, { dryRun: true, cancelSeats: [order.seats[0].id] })).body.quote.id;

interface Refund {
  amount: number;
  cause: string;
  isOwn: boolean;
}

/** The refunds of an order, once each of its cancelled seats is decided and no refund is on its way. */
const settledRefunds = ({ database }: BusFixture, { id }: Body): Promise<Refund[]> =>
  eventually(async () => {
    const [left] = await database.sql(
      `select from commerce.cancelled_seat where order_id = $1 and decided_at is null
       union all select from commerce.refund where order_id = $1 and state = 'pending'`,
      [id],
    );
    if (left) throw new Error('unfinished');
    return database.sql<Refund>(
      `select r.amount::int as amount, r.cause, r.settlement_id = o.settlement_id as "isOwn"
       from commerce.refund r join commerce.customer_order o on o.id = r.order_id
       where r.order_id = $1 and r.state <> 'failed' order by r.created_at`,
      [id],
    );
  }, 30_000);

const sumOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Executes quotes while a second payment of their orders arrives. Returns what is wrong: the change
 * is refused or pays another amount, or the second payment is not due once.
 */
export async function changeAgainstSecondPayment(
  bus: BusFixture,
  rounds: number,
): Promise<string[]> {
  const shop = await sale(bus, 2 * rounds);
  const faults = await concurrently(rounds, async () => {
    const order = await sold(shop);
    const quoteId = await quoteFirst(shop, order);
    const ids = { eventId: `evt_2_${order.id}`, paymentId: `pi_2_${order.id}` };
    const [changed] = await Promise.all([
      change(shop, order, { quoteId }),
      untilDecided(async () => ({ status: await notifyPaid(bus, order.url, ids) })),
    ]);
    return eventually(async () => {
      const refunds = await settledRefunds(bus, order);
      const own = sumOf(refunds.filter(({ isOwn }) => isOwn));
      const second = sumOf(refunds.filter(({ isOwn }) => !isOwn));
      if (second === 0) throw new Error('the second payment is not known');
      const found = [changed.status, own, second].join(' ');
      return found === '200 700 2000' ? [] : [found];
    });
  });
  return faults.flat();
}

/** How many transactions of commerce are held, and how many attempts wait for the lock of an order. */
const inTransaction = async ({
  database,
}: BusFixture): Promise<{ held: number; waits: number }> => {
  const [row] = await database.of('commerce').sql<{ held: number; waits: number }>(
    `select count(*) filter (where state = 'idle in transaction')::int as held,
       count(*) filter (where wait_event_type = 'Lock' and query like '%set last_attempt_at%')::int as waits
     from pg_stat_activity where datname = current_database() and usename like '%commerce%'`,
  );
  return row ?? { held: 0, waits: 0 };
};

/**
 * Executes a quote and cancels its event with full refunds while the decision about the quote is
 * held before it is written. Returns what is wrong: another sum than the quote and the price of the
 * other seat. `off` disables guards of commerce.
 */
export async function changeAgainstEvent(bus: BusFixture, off = ''): Promise<string[]> {
  const shop = await sale(bus, 2);
  const order = await sold(shop);
  const quoteId = await quoteFirst(shop, order);
  const refund = 'full';
  const { expectedVersion } = await command(bus, shop, previewEventCancel, { refund });
  bus.setSwitches('commerce', `hold:order.decided,${off}`);
  const until = (isReached: (at: { held: number; waits: number }) => boolean) =>
    eventually(async () => {
      if (!isReached(await inTransaction(bus))) throw new Error('not there yet');
    });
  const executing = change(shop, order, { quoteId });
  try {
    await until(({ held }) => held > 0);
    await command(bus, shop, cancelEvent, { refund, expectedVersion });
    await until(({ held, waits }) => held > 1 || waits > 0);
  } finally {
    bus.setSwitches('commerce', off);
  }
  const { status } = await executing;
  await untilCancelled(bus, shop);
  const found = [status, sumOf(await settledRefunds(bus, order))].join(' ');
  return ['200 1700', '412 2000'].includes(found) ? [] : [found];
}

/**
 * Assigns open seats while an operator refunds them, and refunds them again under their present id.
 * Returns what is wrong: another sum than the price of the seat, or somebody who has a seat that is
 * paid back.
 */
export async function refundAgainstAssignment(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await sale(bus, 2 * rounds);
  const faults = await concurrently(rounds, async () => {
    const order = await sold(shop, true);
    const { id: orderId } = order;
    const [{ id: seatId }] = order.seats;
    const path = `${shop.path}/orders/${orderId}/seats/${seatId}/assign`;
    const refund = (id: string) =>
      command(bus, shop, refundOrder, { orderId, registrationIds: [id] });
    await Promise.allSettled([
      shop.call('POST', path, { body: { email: randomEmail() } }),
      refund(seatId),
    ]);
    await settledRefunds(bus, order);
    const [{ registrationId }] = (await shop.read(orderId)).seats;
    await refund(registrationId ?? seatId).catch(() => {});
    const sum = sumOf(await settledRefunds(bus, order));
    return eventually(async () => {
      const active = await bus.database.sql(
        'select from registration.registration where order_id = $1 and active_email is not null',
        [orderId],
      );
      const [{ status }] = (await shop.read(orderId)).seats;
      if (status === 'assigned') throw new Error('not cancelled yet');
      const found = [sum, active.length, status].join(' ');
      return found === '1000 0 cancelled' ? [] : [found];
    });
  });
  return faults.flat();
}

const linksOf = (shop: SaleFixture, { id }: Body): string =>
  `${shop.path}/orders/${id}/claim-links`;

const withToken = ({ gatewayUrl }: BusFixture, token: string) =>
  httpClient(gatewayUrl, { authorization: `Bearer ${token}` });

/** Creates links of one order at once. Returns how many of their tokens are valid. */
export async function createLinksAtOnce(bus: BusFixture): Promise<number> {
  const shop = await sale(bus, 2);
  const order = await sold(shop, true);
  const made = await concurrently(6, () =>
    untilDecided(() => shop.call('POST', linksOf(shop, order), { body: {} })),
  );
  const reads = await Promise.all(
    made
      .filter(({ status }) => status === 200)
      .map(({ body }) => withToken(bus, body.claimToken)('GET', '/v1/claims')),
  );
  return reads.filter(({ status }) => status === 200).length;
}

/**
 * Revokes a link while two persons claim the seats of its order, and claims again. Returns what is
 * wrong: a response that the order does not show, or a claim after the revocation.
 */
export async function revokeAgainstClaims(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await sale(bus, 2 * rounds);
  const faults = await concurrently(rounds, async () => {
    const order = await sold(shop, true);
    const made = (await shop.call('POST', linksOf(shop, order), { body: {} })).body;
    const person = withToken(bus, made.claimToken);
    const claim = (seat: Body) =>
      untilDecided(() =>
        person('POST', `/v1/claims/${seat.id}/assign`, { body: { email: randomEmail() } }),
      );
    const [first, second] = await Promise.all([
      ...order.seats.map(claim),
      untilDecided(() => shop.call('POST', `${linksOf(shop, order)}/${made.id}/revoke`)),
    ]);
    const late = [await person('GET', '/v1/claims'), await claim(order.seats[0])];
    const { seats } = await shop.read(order.id);
    const found = [first, second].map(({ status }, n) => `${status} ${seats[n].status}`);
    const isRight =
      found.every((each) => ['200 assigned', '401 open'].includes(each)) &&
      late.every(({ status }) => status === 401);
    return isRight ? [] : [[...found, ...late.map(({ status }) => status)].join()];
  });
  return faults.flat();
}
