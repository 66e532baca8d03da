import { expect, test } from 'vitest';
import { createTurnQueue } from './turn-queue.ts';

function filled(...items: string[]) {
  const queue = createTurnQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
}

/** Takes all items, always of the group whose turn it is. */
function takeAll(queue: ReturnType<typeof filled>): string[] {
  const taken: string[] = [];
  for (;;) {
    const [group] = queue.groups();
    if (group === undefined) return taken;
    taken.push(queue.take(group) ?? '');
  }
}

test('groups take turns, and the items of a group keep their order', () => {
  expect(takeAll(filled('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual([
    ...['a1', 'b1', 'c1'],
    ...['a2', 'c2', 'a3'],
  ]);
});

test('a group that becomes empty loses its turn and comes back last', () => {
  const queue = filled('a1', 'b1', 'b2');
  expect(queue.take('a')).toBe('a1');
  queue.add('a', 'a2');
  expect(takeAll(queue)).toEqual(['b1', 'a2', 'b2']);
});

test('a removed item is not taken, and a group without items has no turn', () => {
  const queue = filled('a1', 'b1', 'b2');
  queue.remove('a', 'a1');
  queue.remove('b', 'b2');
  queue.remove('b', 'unknown');
  queue.remove('c', 'c1');
  expect([queue.size(), queue.sizeOf('a'), queue.sizeOf('b')]).toEqual([1, 0, 1]);
  expect([...queue.groups()]).toEqual(['b']);
  expect([queue.first('a'), queue.first('b')]).toEqual([undefined, 'b1']);
});
