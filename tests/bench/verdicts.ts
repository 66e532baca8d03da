import { median } from './statistics.ts';

/** The bound of one ratio. Every round must keep it. */
export type Aim = { name: string; atLeast: number } | { name: string; atMost: number };

/** One ratio per round, and the figure of the baseline in the same round. */
export interface Comparison {
  ratios: number[];
  baseline: number[];
}

/**
 * What the rounds say about an aim. `noisy`: the baseline itself differed between the rounds by more than `maxNoise`, so
 * the machine was not quiet, and neither success nor failure means anything.
 */
export type Verdict = { aim: Aim; median: number; worst: number; noise: number } & (
  | { outcome: 'met' }
  | { outcome: 'missed' }
  | { outcome: 'noisy' }
);

export const maxNoise = 0.25;

/** How far the slowest round is below the fastest one, as a share of the fastest. */
export const noiseOf = (rounds: readonly number[]): number =>
  1 - Math.min(...rounds) / Math.max(...rounds);

/** Judges the worst round. */
export function judge(aim: Aim, { ratios, baseline }: Comparison): Verdict {
  const isMinimum = 'atLeast' in aim;
  const worst = isMinimum ? Math.min(...ratios) : Math.max(...ratios);
  const noise = noiseOf(baseline);
  const isMet = isMinimum ? worst >= aim.atLeast : worst <= aim.atMost;
  const outcome = noise > maxNoise ? 'noisy' : isMet ? 'met' : 'missed';
  return { aim, median: median(ratios), worst, noise, outcome };
}

/** Formats a verdict as one line. */
export function describeVerdict({ aim, median, worst, noise, outcome }: Verdict): string {
  const bound = 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  const noiseText = `baseline ±${(noise * 100).toFixed(0)} %`;
  const text =
    outcome === 'noisy'
      ? 'NO VERDICT, the machine was not quiet'
      : outcome === 'met'
        ? 'met'
        : 'MISSED';
  return `${aim.name}: ${median.toFixed(2)}, worst round ${worst.toFixed(2)} (aim ${bound}, ${noiseText}): ${text}`;
}
