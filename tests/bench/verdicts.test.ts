import { expect, test } from 'vitest';
import { describeVerdict, intervalOfMedian, judge, judgeMedian, noiseOf } from './verdicts.ts';

const higher = { name: 'speed', atLeast: 0.5 };
const lower = { name: 'CPU', atMost: 1.3 };
const quiet = [100, 90, 80];

test.each([
  ['met in the worst round', higher, [0.6, 0.5, 0.9], quiet, 'met', 0.5],
  ['missed in one round', higher, [0.6, 0.49, 0.9], quiet, 'missed', 0.49],
  ['met below a maximum', lower, [1.1, 1.3, 1.2], quiet, 'met', 1.3],
  ['missed above a maximum', lower, [1.1, 1.31, 1.2], quiet, 'missed', 1.31],
  ['noisy, although every round is met', higher, [0.6, 0.7, 0.9], [100, 74], 'noisy', 0.6],
  ['noisy, although a round is missed', higher, [0.4, 0.7, 0.9], [100, 74], 'noisy', 0.4],
  ['a baseline that differs by a quarter is quiet', higher, [0.6], [100, 75], 'met', 0.6],
] as const)('%s', (_case, aim, ratios, baseline, outcome, worst) => {
  const verdict = judge(aim, { ratios: [...ratios], baseline: [...baseline] });
  expect(verdict).toMatchObject({ outcome, worst });
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test.each([
  [1, null],
  [5, null],
  // The tables of the sign test have the same ranks.
  [6, { low: 1, high: 6 }],
  [8, { low: 1, high: 8 }],
  [9, { low: 2, high: 8 }],
  [12, { low: 3, high: 10 }],
  [15, { low: 4, high: 12 }],
  [20, { low: 6, high: 15 }],
] as const)('the interval of the median of %i values', (count, interval) => {
  expect(intervalOfMedian(upTo(count).toReversed())).toEqual(interval);
});

test.each([
  ['met, although the worst of nine rounds is not', [0.8, 0.9, 0.9, 1, 1, 1, 1.1, 1.3, 9], 'met'],
  ['noisy if the interval contains the aim', [0.8, 0.9, 0.9, 1, 1, 1, 1.1, 1.31, 9], 'noisy'],
  ['missed if the interval is above the aim', [0.8, 1.4, 1.4, 1.5, 2, 2, 2, 2, 2], 'missed'],
  ['noisy with too few rounds', [1, 1, 1, 1, 1], 'noisy'],
] as const)('the median is %s', (_case, ratios, outcome) => {
  const baseline = ratios.map((_, round) => 1 + round);
  expect(judgeMedian(lower, { ratios: [...ratios], baseline })).toMatchObject({ outcome });
});

test('the noise is the distance of the slowest round from the fastest', () => {
  expect(noiseOf([100, 60, 80])).toBeCloseTo(0.4);
  expect(noiseOf([50])).toBe(0);
});

test('a line says that a median needs more rounds', () => {
  const verdict = judgeMedian(lower, { ratios: [1, 1, 1], baseline: [1, 1, 1] });
  expect(describeVerdict(verdict)).toMatch(/: NO VERDICT, too few rounds$/);
});

test('a line names the aim, the worst round and the noise', () => {
  const verdict = judge(higher, { ratios: [0.4, 0.6], baseline: [100, 90] });
  expect(describeVerdict(verdict)).toBe(
    'speed: 0.50, worst round 0.40 (aim ≥ 0.5, baseline ±10 %): MISSED',
  );
});
