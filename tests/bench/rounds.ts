import type { Progress } from '@event-api/tools/terminal/progress';
import type { Job, LoadProcess } from './load/run-load.ts';
import type { BenchTarget } from './targets.ts';

/** The figures of one target in one round, or their medians. */
export interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the target's process. */
  cpuMicrosPerRequest: number;
}

export interface Measurement {
  target: BenchTarget;
  request: Pick<Job, 'head' | 'body' | 'expected' | 'repeatEvery'>;
}

/**
 * Applies the same load to each target in turn, for `rounds` rounds. Returns the figures per target
 * and round. The targets alternate because the speed of the machine varies over time. A first round
 * is not counted; it warms up compilers and caches.
 */
export async function runAlternating(
  measured: readonly Measurement[],
  options: {
    load: LoadProcess;
    progress: Progress;
    connections: number;
    rounds: number;
    roundMs: number;
  },
): Promise<Figures[][]> {
  const { load, progress, connections, rounds, roundMs } = options;
  const all = measured.map((): Figures[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { target, request }] of measured.entries()) {
      const before = await target.cpuSeconds();
      const job = { url: target.url, connections, durationMs: roundMs, ...request };
      const { requests, perSecond, p50Ms, p99Ms } = await load.run(job);
      const used = (await target.cpuSeconds()) - before;
      const figures = { perSecond, p50Ms, p99Ms, cpuMicrosPerRequest: (used * 1e6) / requests };
      if (round > 0) all[i]?.push(figures);
      progress.say(`${round === 0 ? 'warm-up' : `round ${round}`} ${line(target.name, figures)}`);
    }
  }
  return all;
}

/** Formats the figures as one line. */
export const line = (name: string, figures: Figures): string =>
  [
    name.padEnd(10),
    `${figures.perSecond.toFixed(0).padStart(6)} req/s`,
    `p50 ${figures.p50Ms.toFixed(1)} ms`,
    `p99 ${figures.p99Ms.toFixed(1)} ms`,
    `${figures.cpuMicrosPerRequest.toFixed(0)} µs CPU/request`,
  ].join('  ');

export function medians(rounds: readonly Figures[]): Figures {
  const of = (field: keyof Figures) => median(rounds.map((figures) => figures[field]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicrosPerRequest: of('cpuMicrosPerRequest'),
  };
}

/**
 * Returns the median of `a ÷ b` over the rounds. A slow moment of the machine affects both and
 * cancels out.
 */
export const ratio = (a: readonly Figures[], b: readonly Figures[], field: keyof Figures): number =>
  median(a.map((figures, round) => figures[field] / (b[round]?.[field] ?? Number.NaN)));

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** Returns the value at quantile `share` (0 to 1). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
