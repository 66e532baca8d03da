import { median } from './statistics.ts';

/** The bound of one ratio. Every round must keep it. */
export type Aim = { name: string; atLeast: number } | { name: string; atMost: number };

/** One ratio per round, and the figure of the baseline in the same round. */
export interface Comparison {
  ratios: number[];
  baseline: number[];
}

/**
 * What the rounds say about an aim. `noisy`: the rounds differ too much, so the machine was not
 * quiet, and neither success nor failure means anything.
 */
export type Verdict = {
  aim: Aim;
  median: number;
  worst: number;
  noise: number;
  /**
   * The confidence interval of the median, of a verdict by `judgeMedian`. Null with too few rounds
   * for one.
   */
  interval?: Interval | null;
} & ({ outcome: 'met' } | { outcome: 'missed' } | { outcome: 'noisy' });

export interface Interval {
  low: number;
  high: number;
}

export const maxNoise = 0.25;

/** How far the slowest round is below the fastest one, as a share of the fastest. */
export const noiseOf = (rounds: readonly number[]): number =>
  1 - Math.min(...rounds) / Math.max(...rounds);

/**
 * Judges the worst round. It is `noisy` if the baseline itself differed between the rounds by more
 * than `maxNoise`.
 */
export function judge(aim: Aim, { ratios, baseline }: Comparison): Verdict {
  const isMinimum = 'atLeast' in aim;
  const worst = isMinimum ? Math.min(...ratios) : Math.max(...ratios);
  const noise = noiseOf(baseline);
  const isMet = isMinimum ? worst >= aim.atLeast : worst <= aim.atMost;
  const outcome = noise > maxNoise ? 'noisy' : isMet ? 'met' : 'missed';
  return { aim, median: median(ratios), worst, noise, outcome };
}

/**
 * Judges the median of all rounds by its confidence interval of 95 %: `met` if all of it keeps the
 * aim, `missed` if none of it does, otherwise `noisy`. It is for figures that vary by more than the
 * aim allows even on a quiet machine, such as a 99th percentile, of which the worst of many rounds
 * says nothing. More rounds make the interval narrower.
 */
export function judgeMedian(aim: Aim, comparison: Comparison): Verdict {
  const figures = judge(aim, comparison);
  const interval = intervalOfMedian(comparison.ratios);
  if (!interval) return { ...figures, interval, outcome: 'noisy' };
  const keeps = (value: number) => ('atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost);
  const isMet = keeps(interval.low) && keeps(interval.high);
  const isMissed = !keeps(interval.low) && !keeps(interval.high);
  return { ...figures, interval, outcome: isMet ? 'met' : isMissed ? 'missed' : 'noisy' };
}

/**
 * The interval that contains the median of the distribution of these values with a probability of
 * at least 95 %, whatever the distribution is: each value is below the median with a probability of
 * one half. Null for too few values.
 */
export function intervalOfMedian(values: readonly number[]): Interval | null {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  // The probability that at most `below` values are below the median.
  let probability = 0.5 ** count;
  let term = probability;
  let skipped = 0;
  for (let below = 0; probability <= 0.025; below++) {
    skipped += 1;
    term *= (count - below) / (below + 1);
    probability += term;
  }
  const low = sorted[skipped - 1];
  const high = sorted[count - skipped];
  return low === undefined || high === undefined ? null : { low, high };
}

/** Formats a verdict as one line. */
export function describeVerdict(verdict: Verdict): string {
  const { aim, median, worst, noise, outcome, interval } = verdict;
  const bound = 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  const intervalText = interval
    ? `, 95 % interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
    : '';
  const noiseText = `baseline ±${(noise * 100).toFixed(0)} %`;
  const text =
    outcome === 'noisy'
      ? `NO VERDICT, ${interval === null ? 'too few rounds' : 'the machine was not quiet'}`
      : outcome === 'met'
        ? 'met'
        : 'MISSED';
  return `${aim.name}: ${median.toFixed(2)}${intervalText}, worst round ${worst.toFixed(2)} (aim ${bound}, ${noiseText}): ${text}`;
}
