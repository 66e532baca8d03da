import { setTimeout as delay } from 'node:timers/promises';
import { refundOrder } from '@event-api/contracts/operator/refunds';
import { eventually } from '@event-api/platform/testing/eventually';
import type { HttpClient } from '@event-api/platform/testing/http-client';
import { expect } from 'vitest';
import type { BusFixture } from './fixtures/bus.ts';
import { awaiting, command, createSale, notifyPaid, pay } from './fixtures/checkout.ts';

/** So many at once; what each of them answered. */
export const atOnce = <Result>(
  count: number,
  act: (n: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(Array.from({ length: count }, (_, n) => act(n)));

/** What became of an order, or why nothing did. */
export const wordOf = ({ status, body }: Awaited<ReturnType<HttpClient>>): string =>
  status === 200 ? body.status : body.error.details[0].reason;

/** Refunds more than half of an order many times at once, and answers how many were done. */
export async function refundTwice(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const { id, url } = await awaiting(shop);
  await pay(url);
  await shop.until(id, 'paid');
  // Not as duplicates, which would be rejected for another reason.
  const input = { orderId: id, amount: 700, force: true };
  const responses = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, input)),
  );
  return responses.filter(({ status }) => status === 'fulfilled').length;
}

/** Sends eight identical refunds of a tenth of an order at once. Returns how many were paid. */
export async function refundDuplicates(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 1000 });
  const { id, url } = await awaiting(shop);
  await pay(url);
  await shop.until(id, 'paid');
  const responses = await Promise.allSettled(
    Array.from({ length: 8 }, () => command(bus, shop, refundOrder, { orderId: id, amount: 100 })),
  );
  return responses.filter(({ status }) => status === 'fulfilled').length;
}

/** Tells a hundred times of one payment, and answers how often it counted. */
export async function notifyHundredTimes(bus: BusFixture): Promise<number> {
  const shop = await createSale(bus, { priceAmount: 100 });
  const { id, url } = await awaiting(shop);
  // Not told by itself, but by a hundred copies of one notification.
  await pay(url, '?notify=never');
  const responses = await atOnce(100, (n) =>
    notifyPaid(bus, url, { eventId: `evt_${id}_${n % 2}` }),
  );
  expect(new Set(responses)).toEqual(new Set([200]));
  await shop.until(id, 'paid');
  expect(await shop.registrations()).toHaveLength(1);
  const session = await bus.sandboxSession(url);
  const [{ count } = { count: '0' }] = await bus.database.sql<{ count: string }>(
    `select count(*) from commerce.settlement where session_id = '${session.id}'`,
  );
  return Number(count);
}

/** Confirms and cancels free orders at the same time, and answers what nobody should be told or find afterwards. */
export async function confirmAgainstCancel(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds });
  const faults = await atOnce(rounds, async () => {
    const { id } = await shop.placed();
    const [confirmed, cancelled] = await Promise.all([shop.confirm(id, {}), shop.cancel(id)]);
    const won = [wordOf(confirmed), wordOf(cancelled)].join();
    const [left] = await bus.database.sql<{ status: string; intent: string | null }>(
      `select status, intent from commerce.customer_order where id = '${id}'`,
    );
    const found = [won, left?.status, left?.intent ?? 'done'].join(' ');
    const good = ['paid,ALREADY_PAID paid done', 'ORDER_CLOSED,cancelled cancelled done'];
    return good.includes(found) ? [] : [found];
  });
  return faults.flat();
}

/**
 * Notifies of payments and cancels their orders at the same time. Returns what became of orders that are neither
 * settled nor owed back.
 */
export async function cancelAgainstPayment(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds, priceAmount: 500 });
  const settled = ['ALREADY_PAID paid done false accepted'];
  const owed = ['cancelled', 'refund_due'].flatMap((response) =>
    ['late', 'accepted'].map((state) => `${response} refund_due done true ${state}`),
  );
  const faults = await atOnce(rounds, async (n) => {
    const { id, url } = await awaiting(shop);
    const cancelling = shop.cancel(id);
    // Each notification meets another step of its cancellation.
    await delay((n / rounds) * 800);
    await notifyPaid(bus, url);
    const cancelled = await cancelling;
    const outcome = async () => {
      const { status, intent, cancelled: isCancelled, settlement } = await stateOf(bus, id);
      return [wordOf(cancelled), status, intent ?? 'done', isCancelled, settlement].join(' ');
    };
    const isGood = async () => expect([...settled, ...owed]).toContain(await outcome());
    return eventually(isGood, 30_000).then(
      () => [],
      async () => [await outcome()],
    );
  });
  return faults.flat();
}

/** Cancels orders twice while their holds end. Returns responses that differ from what the order has become. */
export async function cancelAgainstExpiry(bus: BusFixture, rounds: number): Promise<string[]> {
  const shop = await createSale(bus, { capacity: rounds, priceAmount: 500 });
  const faults = await atOnce(rounds, async () => {
    const { id, url } = await awaiting(shop);
    const endHold = bus.database.sql(`
      update registration.seat_claim set expires_at = clock_timestamp() where id = '${id}';
      update commerce.customer_order set hold_expires_at = clock_timestamp() where id = '${id}'`);
    const [one, other] = await Promise.all([shop.cancel(id), shop.cancel(id), endHold]);
    const { status, intent } = await stateOf(bus, id);
    const session = (await bus.sandboxSession(url)).state;
    const found = [wordOf(one), wordOf(other), status, intent ?? 'done', session].join(' ');
    const good = ['cancelled', 'expired'].map((word) => `${word} ${word} ${word} done expired`);
    return good.includes(found) ? [] : [found];
  });
  const { held } = await shop.availability();
  return held === 0 ? faults.flat() : [...faults.flat(), `${held} places are held`];
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

/** Any number that nobody else locks. */
const gate = 4711;

/** From now on every move of an order is written down, and one that is not to `paid` waits before it while the gate is shut. */
const watchMoves = (bus: BusFixture) =>
  bus.database.sql(`
    create table if not exists public.move (order_id text, before text, after text);
    create or replace function public.note_move() returns trigger language plpgsql security definer as
      $$ begin insert into public.move values (new.id, old.status, new.status); return new; end $$;
    create or replace trigger note_move after update on commerce.customer_order
      for each row when (old.status <> new.status) execute function public.note_move();
    create or replace function public.wait_at_gate() returns trigger language plpgsql as $$ begin
      if current_query() like '%set status = $2%' then perform pg_advisory_xact_lock_shared(${gate}); end if;
      return null; end $$;
    create or replace trigger wait_at_gate before update on commerce.customer_order
      for each statement execute function public.wait_at_gate()`);

/**
 * Money comes when somebody is about to write that the hold of its order has ended. Answers the moves from `paid` to
 * something else, of which there should be none.
 */
export async function moneyAgainstExpiry(bus: BusFixture): Promise<string[]> {
  await watchMoves(bus);
  const shop = await createSale(bus, { priceAmount: 300 });
  const { id, url } = await awaiting(shop);
  const session = await bus.database.session();
  await session.sql('select pg_advisory_lock($1)', [gate]);
  await bus.database.sql(`
    update registration.seat_claim set expires_at = clock_timestamp() where id = '${id}';
    update commerce.customer_order set hold_expires_at = clock_timestamp() where id = '${id}'`);
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${gate} and not granted`;
  await eventually(async () => expect(await bus.database.sql(waiting)).not.toEqual([]));
  expect(await notifyPaid(bus, url)).toBe(200);
  // Whoever waits at the gate gives up after two seconds. With the lock the order is not paid before.
  await shop.until(id, 'paid', 1000).catch(() => {});
  await session.sql('select pg_advisory_unlock($1)', [gate]);
  // Once it can be had again, everybody is through.
  await session.sql('select pg_advisory_lock($1)', [gate]);
  await session.end();
  await shop.until(id, 'paid');
  const moves = await bus.database.sql<{ after: string }>(
    `select after from public.move where order_id = '${id}' and before = 'paid'`,
  );
  return moves.map(({ after }) => `paid to ${after}`);
}
