import { setTimeout as delay } from 'node:timers/promises';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { untilDecided } from '@event-api/platform/testing/until-decided';
import { expect } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import {
  type Body,
  command,
  createAwaitingPayment,
  createSale,
  expireHold,
  notifyPaid,
  paidWithoutNotification,
  pay,
  randomEmail,
  type SaleFixture,
} from './fixtures/checkout.ts';

/** Runs `act` this many times concurrently. Returns the results. */
export const concurrently = <Result>(
  count: number,
  act: (n: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(Array.from({ length: count }, (_, n) => act(n)));

/** Returns the status of the order, or the reason of a rejection. */
export const outcomeOf = ({ status, body }: Awaited<ReturnType<HttpClient>>): string =>
  status === 200 ? body.status : body.error.details[0].reason;

/** Sends eight concurrent refunds of more than half of an order. Returns how many succeeded. */
export async function refundTwice(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const { id, url } = await createAwaitingPayment(shop);
  await pay(url);
  await shop.until(id, 'paid');
  // With `force`, because the check for duplicates would reject the others.
  const input = { orderId: id, amount: 700, force: true };
  const responses = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, input)),
  );
  return responses.filter(({ status }) => status === 'fulfilled').length;
}

/** Sends eight concurrent identical refunds of a tenth of an order. Returns how many succeeded. */
export async function refundDuplicates(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const { id, url } = await createAwaitingPayment(shop);
  await pay(url);
  await shop.until(id, 'paid');
  const responses = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, { orderId: id, amount: 100 })),
  );
  return responses.filter(({ status }) => status === 'fulfilled').length;
}

/**
 * Sends eight concurrent refunds of the same registration, which cancel it. Returns how many
 * succeeded, and what was refunded.
 */
export async function refundSeatTwice(bus: BusFixture): Promise<[count: number, amount: number]> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
  const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
  await pay((await shop.confirm(id)).body.paymentUrl);
  const { registrationIds } = await shop.until(id, 'paid');
  const input = { orderId: id, registrationIds: [registrationIds[0]] };
  const responses = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, input)),
  );
  const { refundedAmount } = await shop.read(id);
  return [responses.filter(({ status }) => status === 'fulfilled').length, refundedAmount];
}

/**
 * Cancels a registration whose price the policy pays back at once, while an operator refunds it.
 * Returns what was refunded of orders of which more than the price of the registration was.
 */
export async function cancelAgainstRefund(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: 2 * rounds, priceAmount: 1000 });
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
  const refunded = await concurrently(rounds, async () => {
    const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
    const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
    await pay((await shop.confirm(id)).body.paymentUrl);
    const { registrationIds } = await shop.until(id, 'paid');
    const [first] = registrationIds;
    await shop.call('POST', `${shop.path}/registrations/${first}/cancel`);
    const input = { orderId: id, registrationIds: [first] };
    // The operator is early or late: the decision follows the cancellation within a second.
    await delay(Math.random() * 300);
    await Promise.allSettled([command(bus, shop, refundOrder, input)]);
    return eventually(async () => {
      const order = await shop.read(id);
      if (order.cancelledSeats.length === 0) throw new Error('undecided');
      const [sum] = await bus.database.sql<{ amount: string; pending: boolean }>(
        `select sum(amount)::text as amount, bool_or(state = 'pending') as pending
         from commerce.refund where order_id = $1 and state <> 'failed'`,
        [id],
      );
      if (!sum || sum.pending) throw new Error('on its way');
      return sum.amount;
    });
  });
  return refunded.filter((amount) => amount !== '1000');
}

/** A paid order of two seats for 1000 each, of which the policy pays back 70 % at once. */
async function placedByPolicy(shop: SaleFixture): Promise<Body> {
  const attendees = [{ email: randomEmail() }, { email: randomEmail() }];
  const { id } = await shop.placed({ items: [shop.ofType({ quantity: 2, attendees })] });
  await pay((await shop.confirm(id)).body.paymentUrl);
  return shop.until(id, 'paid');
}

/** A quote of the cancellation of the first seat of an order. Returns its id. */
async function quoteFirst(shop: SaleFixture, { id, seats }: Body): Promise<string> {
  const body = { dryRun: true, cancelSeats: [seats[0].id] };
  const quoted = await shop.call('POST', `${shop.path}/orders/${id}/changes`, { body });
  return quoted.body.quote.id;
}

const execute = (shop: SaleFixture, { id }: Body, quoteId: string) =>
  untilDecided(() => shop.call('POST', `${shop.path}/orders/${id}/changes`, { body: { quoteId } }));

/** What may compete with the execution of a quote for the money of its seat. */
export const competitors = {
  'another quote of the seat': (_bus, shop, order, other) => execute(shop, order, other),
  'the cancellation of its registration': (_bus, shop, { registrationIds: [first] }) =>
    shop.call('POST', `${shop.path}/registrations/${first}/cancel`),
  'a refund by an operator': (bus, shop, { id: orderId, registrationIds: [first] }) =>
    command(bus, shop, refundOrder, { orderId, registrationIds: [first] }),
} satisfies Record<
  string,
  (bus: BusFixture, shop: SaleFixture, order: Body, otherQuote: string) => Promise<unknown>
>;

/**
 * Executes a quote while something else pays back the seat. Returns what is wrong with the money of
 * each order: a seat that gets more than its price or a policy that pays twice, and a cancelled seat
 * whose stored amount is not what its policy has paid back.
 */
export async function changeAgainst(
  bus: BusFixture,
  competitor: keyof typeof competitors,
  rounds: number,
): Promise<string[]> {
  const shop = await createSale(bus, { capacity: 2 * rounds, priceAmount: 1000 });
  const bands = [{ until: '2900-01-01T00:00:00Z', percent: 70 }];
  await command(bus, shop, setRefundPolicy, { text: 'Most', automatic: true, bands });
  const faults = await concurrently(rounds, async () => {
    const order = await placedByPolicy(shop);
    const [quote, other] = [await quoteFirst(shop, order), await quoteFirst(shop, order)];
    await Promise.allSettled([
      execute(shop, order, quote),
      competitors[competitor](bus, shop, order, other),
    ]);
    return eventually(async () => {
      const { cancelledSeats } = await shop.read(order.id);
      if (cancelledSeats.length === 0) throw new Error('undecided');
      const refunds = await bus.database.sql<{ amount: string; cause: string; state: string }>(
        `select amount::text, cause, state from commerce.refund where order_id = $1 and state <> 'failed'`,
        [order.id],
      );
      if (refunds.some(({ state }) => state === 'pending')) throw new Error('on its way');
      const sumOf = (some: typeof refunds) =>
        some.reduce((sum, { amount }) => sum + Number(amount), 0);
      const byPolicy = sumOf(refunds.filter(({ cause }) => cause === 'refund_policy'));
      const stored = cancelledSeats[0].refundAmount;
      const isRight = sumOf(refunds) <= 1000 && byPolicy <= 700 && byPolicy === stored;
      return isRight ? [] : [`${sumOf(refunds)} by policy ${byPolicy} stored ${stored}`];
    });
  });
  return faults.flat();
}

/** Notifies a payment a hundred times concurrently. Returns the number of settlements. */
export async function notifyHundredTimes(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 100 });
  const { id, url } = await paidWithoutNotification(shop);
  const responses = await concurrently(100, (n) =>
    untilDecided(async () => ({
      status: await notifyPaid(bus, url, { eventId: `evt_${id}_${n % 2}` }),
    })),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  await shop.until(id, 'paid');
  expect(await shop.registrations()).toHaveLength(1);
  const session = await bus.sandboxSession(url);
  const [{ count } = { count: '0' }] = await bus.database.sql<{ count: string }>(
    `select count(*) from commerce.settlement where session_id = '${session.id}'`,
  );
  return Number(count);
}

/** Confirms and cancels free orders concurrently. Returns inconsistent outcomes. */
export async function confirmAgainstCancel(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds });
  const faults = await concurrently(rounds, async () => {
    const { id } = await shop.placed();
    const [confirmed, cancelled] = await Promise.all([
      untilDecided(() => shop.confirm(id, {})),
      untilDecided(() => shop.cancel(id)),
    ]);
    const won = [outcomeOf(confirmed), outcomeOf(cancelled)].join();
    const [left] = await bus.database.sql<{ status: string; intent: string | null }>(
      `select status, intent from commerce.customer_order where id = '${id}'`,
    );
    const found = [won, left?.status, left?.intent ?? 'done'].join(' ');
    const good = ['paid', 'ORDER_CLOSED'].map((word) => `${word},cancelled cancelled done`);
    return good.includes(found) ? [] : [found];
  });
  return faults.flat();
}

/**
 * Notifies payments and cancels their orders concurrently. Returns the outcomes of orders that are
 * neither paid nor due for a refund.
 */
export async function cancelAgainstPayment(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds, priceAmount: 500 });
  const settled = ['ALREADY_PAID paid done false accepted'];
  const owed = ['cancelled', 'refund_due'].flatMap((response) =>
    ['late', 'accepted'].map((state) => `${response} refund_due done true ${state}`),
  );
  const faults = await concurrently(rounds, async (n) => {
    const { id, url } = await createAwaitingPayment(shop);
    const cancelling = untilDecided(() => shop.cancel(id));
    // The delays spread the notifications over the steps of the cancellations.
    await delay((n / rounds) * 800);
    await untilDecided(async () => ({ status: await notifyPaid(bus, url) }));
    const cancelled = await cancelling;
    const outcome = async () => {
      const { status, intent, cancelled: isCancelled, settlement } = await stateOf(bus, id);
      return [outcomeOf(cancelled), status, intent ?? 'done', isCancelled, settlement].join(' ');
    };
    const isGood = async () => expect([...settled, ...owed]).toContain(await outcome());
    return eventually(isGood, 30_000).then(
      () => [],
      async () => [await outcome()],
    );
  });
  return faults.flat();
}

/**
 * Cancels each order twice while its hold expires. Returns responses that differ from the final
 * state of the order.
 */
export async function cancelAgainstExpiry(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds, priceAmount: 500 });
  const faults = await concurrently(rounds, async () => {
    const { id, url } = await createAwaitingPayment(shop);
    const expiring = expireHold(bus, id);
    const [one, other] = await Promise.all([
      untilDecided(() => shop.cancel(id)),
      untilDecided(() => shop.cancel(id)),
      expiring,
    ]);
    const { status, intent } = await stateOf(bus, id);
    const session = (await bus.sandboxSession(url)).state;
    const found = [outcomeOf(one), outcomeOf(other), status, intent ?? 'done', session].join(' ');
    const good = ['cancelled', 'expired'].map((word) => `${word} ${word} ${word} done expired`);
    return good.includes(found) ? [] : [found];
  });
  const { held } = await shop.availability();
  return held === 0 ? faults.flat() : [...faults.flat(), `${held} seats are held`];
}

async function stateOf(bus: BusFixture, id: string) {
  const [row] = await bus.database.sql<{
    status: string;
    intent: string | null;
    cancelled: boolean;
    settlement: string | null;
  }>(
    `select status, intent, cancelled_at is not null as cancelled, (
       select s.state from commerce.settlement s join commerce.payment p on p.session_id = s.session_id
       where p.order_id = o.id) as settlement
     from commerce.customer_order o where id = '${id}'`,
  );
  if (!row) throw new Error('the order does not exist');
  return row;
}

/** An advisory lock that no other code uses. */
const transitionLock = 4711;

/**
 * Records every transition of an order. Transitions to another status than `paid` wait while the
 * advisory lock is held.
 */
const recordTransitions = (bus: BusFixture) =>
  bus.database.sql(`
    create table if not exists public.transition (order_id text, before text, after text);
    create or replace function public.record_transition() returns trigger language plpgsql security definer as
      $$ begin insert into public.transition values (new.id, old.status, new.status); return new; end $$;
    create or replace trigger record_transition after update on commerce.customer_order
      for each row when (old.status <> new.status) execute function public.record_transition();
    create or replace function public.wait_for_lock() returns trigger language plpgsql as $$ begin
      if current_query() like '%set status = $2%' then perform pg_advisory_xact_lock_shared(${transitionLock}); end if;
      return null; end $$;
    create or replace trigger wait_for_lock before update on commerce.customer_order
      for each statement execute function public.wait_for_lock()`);

/**
 * A payment arrives while another process is about to expire its order. Returns the transitions
 * from `paid` to another status. There must be none.
 */
export async function paymentAgainstExpiry(bus: BusFixture): Promise<string[]> {
  await recordTransitions(bus);
  const shop = await createSale(bus, { priceAmount: 300 });
  const { id, url } = await createAwaitingPayment(shop);
  const database = bus.database.of('commerce');
  const session = await database.session();
  await session.sql('select pg_advisory_lock($1)', [transitionLock]);
  await expireHold(bus, id);
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${transitionLock} and not granted`;
  await eventually(async () => expect(await database.sql(waiting)).not.toEqual([]));
  expect(await notifyPaid(bus, url)).toBe(200);
  // A transition that waits for the advisory lock fails after two seconds. With the order lock, the
  // order is not paid earlier.
  await shop.until(id, 'paid', 1000).catch(() => {});
  await session.sql('select pg_advisory_unlock($1)', [transitionLock]);
  // When the lock can be acquired again, all waiting transitions have ended.
  await session.sql('select pg_advisory_lock($1)', [transitionLock]);
  await session.end();
  await shop.until(id, 'paid');
  const transitions = await database.sql<{ after: string }>(
    `select after from public.transition where order_id = '${id}' and before = 'paid'`,
  );
  return transitions.map(({ after }) => `paid to ${after}`);
}
