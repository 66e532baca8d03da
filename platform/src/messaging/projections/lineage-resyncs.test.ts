import { expect, test } from 'vitest';
import { decideLineageResync } from './lineage-resyncs.ts';

const minute = 60_000;

test.each([
  ['the first', null, 0],
  ['the second, at once', { count: 1, lastAt: 0 }, 0],
  ['the third, at once', { count: 2, lastAt: 0 }, 0],
  ['the fourth', { count: 3, lastAt: 0 }, 5000],
  ['the fifth', { count: 4, lastAt: 0 }, 10_000],
  ['the eighth', { count: 7, lastAt: 0 }, minute],
  ['the thousandth', { count: 999, lastAt: 0 }, minute],
] as const)('%s rebuild waits as long after the one before it', (_case, previous, waitMs) => {
  if (waitMs > 0) expect(decideLineageResync(previous, 0)).toEqual({ outcome: 'wait', waitMs });
  expect(decideLineageResync(previous, waitMs)).toEqual({
    outcome: 'start',
    next: { count: (previous?.count ?? 0) + 1, lastAt: waitMs },
  });
});

test('after a quiet time rebuilds start at once again', () => {
  expect(decideLineageResync({ count: 9, lastAt: 0 }, 10 * minute + 1)).toEqual({
    outcome: 'start',
    next: { count: 1, lastAt: 10 * minute + 1 },
  });
});
