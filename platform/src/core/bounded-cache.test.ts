import { expect, test } from 'vitest';
import { boundedCache } from './bounded-cache.ts';

test('drops the entry that was unused for longest', () => {
  const cache = boundedCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect([...cache.keys()].sort()).toEqual(['a', 'c']);
  cache.set('c', 4);
  expect([cache.size, cache.get('c'), cache.get('b')]).toEqual([2, 4, undefined]);
});

test('an entry expires after its time', () => {
  const cache = boundedCache<string, true>(2, { ttl: 10 });
  cache.set('a', true, { start: performance.now() - 11 });
  cache.set('b', true);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, true]);
});
