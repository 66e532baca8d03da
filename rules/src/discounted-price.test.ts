import { describe, expect, test } from 'vitest';
import { discountedPrice } from './discounted-price.ts';

const percent = (value: number) => ({ type: 'percent', value }) as const;
const amount = (value: number) => ({ type: 'amount', value }) as const;

describe('the price after a discount', () => {
  test.each([
    [0, percent(1), 0],
    [0, percent(100), 0],
    [1, percent(1), 1],
    [1, percent(49), 1],
    [1, percent(50), 0],
    [1, percent(51), 0],
    [3, percent(50), 1],
    [5, percent(10), 4],
    [10, percent(5), 9],
    [15, percent(10), 13],
    [25, percent(10), 22],
    [49, percent(1), 49],
    [50, percent(1), 49],
    [149, percent(1), 148],
    [150, percent(1), 148],
    [999, percent(33), 669],
    [1000, percent(33), 670],
    [9900, percent(15), 8415],
    [99_999_999, percent(1), 98_999_999],
    [99_999_999, percent(99), 1_000_000],
    [100_000_000, percent(1), 99_000_000],
    [100_000_000, percent(100), 0],
  ])('of %i less %j is %i: the discount is rounded half up', (price, discount, expected) => {
    expect(discountedPrice(price, discount)).toBe(expected);
  });

  test.each([
    [0, 1, 0],
    [1, 1, 0],
    [1, 2, 0],
    [1000, 1, 999],
    [1000, 1000, 0],
    [1000, 1001, 0],
    [100_000_000, 99_999_999, 1],
  ])('of %i less the amount %i is %i, never below 0', (price, less, expected) => {
    expect(discountedPrice(price, amount(less))).toBe(expected);
  });

  test('without a discount is the price', () => {
    expect([0, 1, 100_000_000].map((price) => discountedPrice(price, null))).toEqual([
      0, 1, 100_000_000,
    ]);
  });
});
