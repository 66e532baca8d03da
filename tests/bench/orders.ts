import { newId } from '@event-api/platform/core/ids';
import { openDatabase } from '@event-api/platform/db/database';
import { ormOptions } from '@event-api/platform/db/migrations';
import { statement } from '@event-api/platform/db/statement';
import type { BenchEnvironment } from './environment.ts';
import { buyers, expectSold, order, runFor, type SendRequest, sale, startBuyers } from './sale.ts';

/**
 * Figures of free orders. Each buyer places and confirms one order after the other, all for one
 * ticket type with a capacity.
 */
export interface OrderFigures {
  ordersPerSecond: number;
  placeP50Ms: number;
  placeP99Ms: number;
  confirmP50Ms: number;
  confirmP99Ms: number;
  /**
   * Two bare transactions with the same rows, with the same number of buyers and commerce's pool
   * size.
   */
  bareOrdersPerSecond: number;
  overBare: number;
  /** Orders requested in a rush for the last thousand seats, and the number sold. */
  rush: { capacity: number; requested: number; sold: number };
}

/** Errors: an order that is placed and not paid; more orders sold than the capacity. */
export async function benchOrders(
  environment: BenchEnvironment,
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<OrderFigures> {
  const { platform, progress, onEnd } = environment;
  const send = await startBuyers(environment);
  const hot = await sale(send, 1_000_000);
  await runFor(roundMs / 2, () => order(send, hot));
  const own: Round[] = [];
  const bare: number[] = [];
  const plain = await bareOrders(platform.specs.commerce?.env.DATABASE_URL ?? '');
  onEnd(plain.close);
  for (let n = 1; n <= rounds; n++) {
    const round = await measured(roundMs, () => order(send, hot));
    own.push(round);
    bare.push((await runFor(roundMs / 2, plain.order)) / (roundMs / 2000));
    progress.say(
      `round ${n} ${round.perSecond.toFixed(0)} orders/s, bare ${bare.at(-1)?.toFixed(0)}/s`,
    );
  }
  await expectSold(send, hot);
  const rush = await rushFor(send, 1000);
  const perSecond = median(own.map((round) => round.perSecond));
  const bareOrdersPerSecond = median(bare);
  const all = (pick: (round: Round) => number[]) => own.flatMap(pick).toSorted((a, b) => a - b);
  const [place, confirm] = [all(({ place }) => place), all(({ confirm }) => confirm)];
  return {
    ordersPerSecond: perSecond,
    placeP50Ms: at(place, 0.5),
    placeP99Ms: at(place, 0.99),
    confirmP50Ms: at(confirm, 0.5),
    confirmP99Ms: at(confirm, 0.99),
    bareOrdersPerSecond,
    overBare: perSecond / bareOrdersPerSecond,
    rush,
  };
}

export const describeOrders = (f: OrderFigures): string =>
  [
    `${f.ordersPerSecond.toFixed(0)} free orders/s placed and confirmed by ${buyers} buyers on one ticket type`,
    `place p50 ${f.placeP50Ms.toFixed(1)} ms, p99 ${f.placeP99Ms.toFixed(1)} ms; confirm p50 ${f.confirmP50Ms.toFixed(1)} ms, p99 ${f.confirmP99Ms.toFixed(1)} ms`,
    `two bare transactions of the same rows: ${f.bareOrdersPerSecond.toFixed(0)}/s; orders ÷ bare: ${f.overBare.toFixed(2)}`,
    `${f.rush.requested} orders for ${f.rush.capacity} seats: ${f.rush.sold} sold`,
  ].join('\n');

interface Round {
  perSecond: number;
  place: number[];
  confirm: number[];
}

async function measured(
  ms: number,
  work: () => Promise<{ place: number; confirm: number } | null>,
): Promise<Round> {
  const times: { place: number; confirm: number }[] = [];
  const done = await runFor(ms, async () => {
    const took = await work();
    if (took) times.push(took);
  });
  return {
    perSecond: done / (ms / 1000),
    place: times.map(({ place }) => place),
    confirm: times.map(({ confirm }) => confirm),
  };
}

/** Requests more orders than the capacity. Exactly the capacity is sold. */
async function rushFor(send: SendRequest, capacity: number): Promise<OrderFigures['rush']> {
  const hot = await sale(send, capacity);
  const requested = capacity + 500;
  let left = requested;
  const buyer = async () => {
    while (left-- > 0) await order(send, hot);
  };
  await Promise.all(Array.from({ length: buyers }, buyer));
  await expectSold(send, hot);
  if (hot.sold !== capacity) throw new Error(`${hot.sold} of ${capacity} seats were sold`);
  return { capacity, requested, sold: hot.sold };
}

const insertOrder = statement(
  'bench_order_insert',
  `with o as (
     insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at)
     values ($1, 'unit_bench', 'evt_bench', $1, 'a@example.com', 'held', 'EUR', 0, '[]', '{}', now() + interval '1 hour', now(), now())
     returning id)
   insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
     discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
   select id, 0, 'registration_type', 'tt', 'Hot', 1, 0, 0, 0, '[]', 0, 1, '{}' from o`,
);

const payOrder = statement(
  'bench_order_pay',
  `with l as (update commerce.order_line set registration_ids = '{x}' where order_id = $1)
   update commerce.customer_order set status = 'paid', paid_at = now() where id = $1`,
);

/** Writes only the rows of an order, which is the minimum for any implementation. */
async function bareOrders(databaseUrl: string) {
  const db = await openDatabase(
    ormOptions({
      url: databaseUrl,
      schema: 'commerce',
      entities: [],
      migrations: new URL('./migrations', import.meta.url),
    }),
    10,
  );
  return {
    async order() {
      const id = newId('ord');
      await db.transaction((tx) => tx.query(insertOrder, [id]));
      await db.transaction((tx) => tx.query(payOrder, [id]));
    },
    close: () => void db.close(),
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
