import type { Progress } from '@event-api/tools/terminal/progress';
import type { Job, LoadProcess } from './load/run-load.ts';
import type { BenchTarget } from './targets.ts';

/** What one subject did in one round, or its medians. */
export interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Of the subject's own process. */
  cpuMicrosPerRequest: number;
}

export interface Measurement {
  target: BenchTarget;
  request: Pick<Job, 'head' | 'body' | 'expected' | 'repeatEvery'>;
}

/**
 * Puts the same load on each subject in turn, `rounds` times, and answers what each did in each
 * round. They take turns because a machine is faster at one minute than at the next. One round before
 * the first is not counted: it is for compilers and caches.
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

/** One line for a person. */
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

/** The median of `a ÷ b` over the rounds: what both suffered from in the same minute cancels out. */
export const ratio = (a: readonly Figures[], b: readonly Figures[], field: keyof Figures): number =>
  median(a.map((figures, round) => figures[field] / (b[round]?.[field] ?? Number.NaN)));

/** The middle one, or between the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

/** The value that `share` of all are below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
