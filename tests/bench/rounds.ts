import type { Progress } from '@event-api/tools/terminal/progress';
import type { Job, LoadProcess } from './load/run-load.ts';
import { median } from './statistics.ts';
import type { BenchTarget } from './targets.ts';
import type { Comparison } from './verdicts.ts';

/**
 * The figures of one contender in one round, or their medians. Bare statements have a speed only.
 */
export interface Figures {
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU time of the process that serves the requests. */
  cpuMicrosPerRequest?: number;
}

/** Something that does the same work in every round. */
export interface Contender {
  name: string;
  /** Runs before the warm-up of each round. */
  begin?(): Promise<void>;
  run(roundMs: number): Promise<Figures>;
  /** Runs after the measurement of each round. */
  end?(): Promise<void>;
}

type Request = Pick<Job, 'head' | 'body' | 'expected' | 'repeatEvery'>;

/**
 * A server under the load of as many connections, each of which sends one request after the other.
 */
export const underLoad = (
  target: BenchTarget,
  request: Request,
  { load, connections }: { load: LoadProcess; connections: number },
): Contender => ({
  name: target.name,
  async run(durationMs) {
    const before = await target.cpuSeconds();
    const job = { url: target.url, connections, durationMs, ...request };
    const { requests, perSecond, p50Ms, p99Ms } = await load.run(job);
    const used = (await target.cpuSeconds()) - before;
    return { perSecond, p50Ms, p99Ms, cpuMicrosPerRequest: (used * 1e6) / requests };
  },
});

/**
 * The load before each measurement that is not counted: a contender is idle while the others run.
 */
export const warmUpMs = 2000;

/**
 * Runs each contender in turn, for `rounds` rounds, each time after a warm-up. Returns the figures
 * per contender and round. The contenders alternate because the speed of the machine varies over
 * time. Every second round is in reverse order, so that a contender is not always the later one of
 * a machine that becomes faster or slower. A first round is not counted; it fills caches.
 */
export async function runAlternating(
  contenders: readonly Contender[],
  options: {
    progress: Progress;
    rounds: number;
    roundMs: number;
    /** Returns what the servers have done since its previous call, for the line of a round. */
    activity?: () => Promise<string>;
  },
): Promise<Figures[][]> {
  const { progress, rounds, roundMs, activity } = options;
  const all = contenders.map((): Figures[] => []);
  for (let round = 0; round <= rounds; round++) {
    const inOrder = [...contenders.entries()];
    for (const [i, contender] of round % 2 === 0 ? inOrder : inOrder.toReversed()) {
      await contender.begin?.();
      await contender.run(Math.min(warmUpMs, roundMs));
      const figures = await contender.run(roundMs);
      await contender.end?.();
      if (round > 0) all[i]?.push(figures);
      const title = round === 0 ? 'warm-up' : `round ${round}`;
      const during = activity ? `  (${await activity()})` : '';
      progress.say(`${title} ${line(contender.name, figures)}${during}`);
    }
  }
  return all;
}

/** Formats the figures as one line. */
export const line = (name: string, figures: Figures): string =>
  [
    name.padEnd(12),
    `${figures.perSecond.toFixed(0).padStart(6)}/s`,
    ...(figures.p50Ms === undefined ? [] : [`p50 ${figures.p50Ms.toFixed(1)} ms`]),
    ...(figures.p99Ms === undefined ? [] : [`p99 ${figures.p99Ms.toFixed(1)} ms`]),
    ...(figures.cpuMicrosPerRequest === undefined
      ? []
      : [`${figures.cpuMicrosPerRequest.toFixed(0)} µs CPU/request`]),
  ].join('  ');

const fields = ['perSecond', 'p50Ms', 'p99Ms', 'cpuMicrosPerRequest'] as const;

export function medians(rounds: readonly Figures[]): Figures {
  const figures: Figures = { perSecond: 0 };
  for (const field of fields) {
    const values = rounds.flatMap((round) => round[field] ?? []);
    if (values.length > 0) figures[field] = median(values);
  }
  return figures;
}

/**
 * Compares two contenders round by round: a slow moment of the machine affects both and cancels
 * out. The second one is the baseline.
 */
export const compare = (
  own: readonly Figures[],
  baseline: readonly Figures[],
  field: keyof Figures = 'perSecond',
): Comparison => ({
  ratios: own.map(
    (figures, round) => (figures[field] ?? Number.NaN) / (baseline[round]?.[field] ?? Number.NaN),
  ),
  baseline: baseline.map((figures) => figures[field] ?? Number.NaN),
});
