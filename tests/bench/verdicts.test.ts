import { expect, test } from 'vitest';
import { describeVerdict, judge, noiseOf } from './verdicts.ts';

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

test('the noise is the distance of the slowest round from the fastest', () => {
  expect(noiseOf([100, 60, 80])).toBeCloseTo(0.4);
  expect(noiseOf([50])).toBe(0);
});

test('a line names the aim, the worst round and the noise', () => {
  const verdict = judge(higher, { ratios: [0.4, 0.6], baseline: [100, 90] });
  expect(describeVerdict(verdict)).toBe(
    'speed: 0.50, worst round 0.40 (aim ≥ 0.5, baseline ±10 %): MISSED',
  );
});
