import { expect, test } from 'vitest';
import { inOrder, moveTo, nextPlace, orderWrites, splitArchived } from './order.rules.ts';

const items = [
  { id: 'a', status: 'open', sortOrder: 0 },
  { id: 'b', status: 'archived', sortOrder: 0 },
  { id: 'c', status: 'draft', sortOrder: 7 },
];

test.each([
  ['c', 0, ['c', 'a', 'b']],
  ['a', 1, ['b', 'a', 'c']],
  ['a', 9, ['b', 'c', 'a']],
  ['c', -1, ['c', 'a', 'b']],
])('%s moved to place %i makes %j', (id, place, ids) => {
  expect(moveTo(['a', 'b', 'c'], id, place)).toEqual(ids);
});

test('archived items cannot be moved, and a new one is the last', () => {
  expect(splitArchived(items).live.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(nextPlace(items)).toBe(8);
  expect(nextPlace([])).toBe(0);
});

test('items that an order does not name come last', () => {
  expect(inOrder(items, ['c', 'a']).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

test('an order writes only the places that differ', () => {
  const places = new Map(items.map(({ id, sortOrder }) => [id, sortOrder]));
  expect(orderWrites(['a', 'c'], places, 'folder')).toEqual([
    { method: 'PATCH', path: 'folder/c', body: { sortOrder: 1 } },
  ]);
});
