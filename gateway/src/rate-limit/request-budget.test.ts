import { expect, test } from 'vitest';
import { createRequestBudget } from './request-budget.ts';

test('allows five requests in every span of one second', () => {
  let now = 10_000;
  const budget = createRequestBudget(5, () => now);
  const takeAt = (ms: number) => {
    now = ms;
    return budget.take();
  };
  expect([0, 0, 300, 600, 900, 900, 999].map((ms) => takeAt(10_000 + ms))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([1000, 1000, 1000, 1299, 1300].map((ms) => takeAt(10_000 + ms))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});
