import { expect, test } from 'vitest';
import { delayOf } from './delay.ts';

const positions = Array.from({ length: 300 }, (_, position) => position);

test('the first watcher of an event gets its messages at once, and every other one soon', () => {
  expect(delayOf(0)).toBe(0);
  expect(Math.max(...positions.map(delayOf))).toBeLessThanOrEqual(500);
});

test('no two of fifty watchers get a message at once, and of 300 only a few', () => {
  const delays = positions.map(delayOf);
  expect(new Set(delays.slice(0, 50)).size).toBe(50);
  const countOf = (delay: number) => delays.filter((each) => each === delay).length;
  expect(Math.max(...delays.map(countOf))).toBeLessThanOrEqual(5);
});
