import { expect, test } from 'vitest';
import { createAddressBudget } from './address-budget.ts';

test('allows each address its own number of requests per second', () => {
  let now = 0;
  const budget = createAddressBudget(2, () => now);
  const take = (ip: string, count: number) => Array.from({ length: count }, () => budget.take(ip));
  expect(take('192.0.2.1', 3)).toEqual([true, true, false]);
  expect(take('192.0.2.2', 3)).toEqual([true, true, false]);
  now = 999;
  expect(take('192.0.2.1', 1)).toEqual([false]);
  now = 1000;
  expect(take('192.0.2.1', 3)).toEqual([true, true, false]);
});

test('counts the addresses of one IPv6 network of 64 bits together', () => {
  const budget = createAddressBudget(1, () => 0);
  expect(budget.take('2001:db8::1')).toBe(true);
  expect(budget.take('2001:db8::2')).toBe(false);
  expect(budget.take('2001:db8:0:1::1')).toBe(true);
});
