import { bareOrders } from './baseline-orders.ts';
import { type Costs, costsOf, describeCosts } from './costs.ts';
import type { BenchEnvironment } from './environment.ts';
import { readFeedLag, shareInTime } from './feed-lag.ts';
import { warmUpMs } from './rounds.ts';
import {
  buyers,
  expectSold,
  order,
  runFor,
  type Sale,
  type SendRequest,
  sale,
  startBuyers,
} from './sale.ts';
import { median, quantile } from './statistics.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

/** Figures of free orders for one ticket type with a capacity. */
export interface OrderFigures {
  loads: OrderLoad[];
  /** Orders requested in a rush for the last thousand seats, and the number sold. */
  rush: { capacity: number; requested: number; sold: number };
}

/**
 * The figures with a number of clients, each of which places and confirms one order after the
 * other.
 */
interface OrderLoad {
  clients: number;
  ordersPerSecond: number;
  placeP50Ms: number;
  placeP99Ms: number;
  confirmP50Ms: number;
  confirmP99Ms: number;
  /**
   * Two bare transactions with the same rows, with the same number of clients and commerce's pool
   * size.
   */
  bareOrdersPerSecond: number;
  overBare: Verdict;
  /** The share of the changes that were in the feed within 250 ms. */
  feedInTime: Verdict;
  /** Per order. */
  costs: Costs;
}

/**
 * At one client nothing shares a batch, and every order waits for the disk alone, as the bare one
 * does.
 */
const loads = [
  { clients: buyers, atLeast: 0.18 },
  { clients: 1, atLeast: 0.18 },
];

type Environment = Pick<BenchEnvironment, 'platform' | 'pids' | 'progress'>;

/** Errors: an order that is placed and not paid; more orders sold than the capacity. */
export async function benchOrders(
  environment: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<OrderFigures> {
  const { platform, onEnd } = environment;
  const send = await startBuyers(environment);
  const hot = await sale(send, 1_000_000);
  const bare = await bareOrders(platform.specs.commerce?.env.DATABASE_URL ?? '');
  onEnd(bare.close);
  await runFor(options.roundMs / 2, () => order(send, hot));
  const figures: OrderLoad[] = [];
  for (const load of loads) {
    figures.push(await measure(environment, { ...options, ...load, send, hot, bare }));
  }
  await expectSold(send, hot);
  return { loads: figures, rush: await rushFor(send, 1000) };
}

async function measure(
  environment: Environment,
  options: {
    clients: number;
    atLeast: number;
    rounds: number;
    roundMs: number;
    send: SendRequest;
    hot: Sale;
    bare: { order(): Promise<void> };
  },
): Promise<OrderLoad> {
  const { clients, rounds, roundMs, send, hot, bare } = options;
  const { progress } = environment;
  const times: { place: number; confirm: number }[] = [];
  const perSecond: number[] = [];
  const baseline: number[] = [];
  const inTime: number[] = [];
  const feedUrl = environment.platform.internalUrls.changes ?? '';
  const oneOrder = async () => {
    const took = await order(send, hot);
    if (took) times.push(took);
  };
  for (let n = 1; n <= rounds; n++) {
    await runFor(warmUpMs, () => order(send, hot), clients);
    const before = await readFeedLag(feedUrl);
    perSecond.push((await runFor(roundMs, oneOrder, clients)) / (roundMs / 1000));
    inTime.push(shareInTime(before, await readFeedLag(feedUrl)));
    baseline.push((await runFor(roundMs / 2, bare.order, clients)) / (roundMs / 2000));
    progress.say(
      `${clients} clients, round ${n}: ${perSecond.at(-1)?.toFixed(0)} orders/s, bare ${baseline.at(-1)?.toFixed(0)}/s`,
    );
  }
  progress.say(`${clients} clients: counting commits and CPU time`);
  const costs = await costsOf(environment, (ms) => runFor(ms, oneOrder, clients), roundMs);
  const ratios = perSecond.map((own, round) => own / (baseline[round] ?? Number.NaN));
  const aim = {
    name: `orders ÷ two bare transactions, ${clients} clients`,
    atLeast: options.atLeast,
  };
  const [place, confirm] = [times.map((each) => each.place), times.map((each) => each.confirm)];
  return {
    clients,
    ordersPerSecond: median(perSecond),
    placeP50Ms: quantile(place, 0.5),
    placeP99Ms: quantile(place, 0.99),
    confirmP50Ms: quantile(confirm, 0.5),
    confirmP99Ms: quantile(confirm, 0.99),
    bareOrdersPerSecond: median(baseline),
    overBare: judge(aim, { ratios, baseline }),
    feedInTime: judge(
      { name: `changes in the feed within 250 ms, ${clients} clients`, atLeast: 0.99 },
      { ratios: inTime, baseline },
    ),
    costs,
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

/** Formats the figures as text. */
export const describeOrders = ({ loads, rush }: OrderFigures): string =>
  [
    ...loads.flatMap((f) => [
      `${f.clients} clients: ${f.ordersPerSecond.toFixed(0)} free orders/s placed and confirmed on one ticket type; two bare transactions of the same rows: ${f.bareOrdersPerSecond.toFixed(0)}/s`,
      `  place p50 ${f.placeP50Ms.toFixed(1)} ms, p99 ${f.placeP99Ms.toFixed(1)} ms; confirm p50 ${f.confirmP50Ms.toFixed(1)} ms, p99 ${f.confirmP99Ms.toFixed(1)} ms`,
      `  per order: ${describeCosts(f.costs)}`,
      `  ${describeVerdict(f.overBare)}`,
      `  ${describeVerdict(f.feedInTime)}`,
    ]),
    `${rush.requested} orders for ${rush.capacity} seats: ${rush.sold} sold`,
  ].join('\n');
