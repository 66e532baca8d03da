import { describe, expect, test } from 'vitest';
import { apportion } from './apportion.ts';

describe('apportion', () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [200, [1, 1, 1], [67, 67, 66]],
    [1, [1, 2], [0, 1]],
    [10, [0, 3, 0], [0, 10, 0]],
    [10, [0, 0, 0], [4, 3, 3]],
    [0, [5, 5], [0, 0]],
    [7, [1], [7]],
    [5, [], []],
    [999_999_999_999, [100_000_000, 100_000_001], [499_999_997_500, 500_000_002_499]],
  ])('splits %i by %j into %j', (amount, weights, parts) => {
    expect(apportion(amount, weights)).toEqual(parts);
  });
});
