import { expect, test } from 'vitest';
import { addToBatch, countsOf, createCountBatch, splitReply } from './batch.ts';

test('a batch counts the requests of each subject and loads each token once', () => {
  const batch = createCountBatch();
  addToBatch(batch, 'key_1', ['unit', 'event']);
  addToBatch(batch, 'key_2', ['unit']);
  addToBatch(batch, 'key_1', ['unit', 'other']);
  expect([...batch.requestsOf]).toEqual([
    ['key_1', 2],
    ['key_2', 1],
  ]);
  expect([...batch.tokenKeys]).toEqual(['unit', 'event', 'other']);
});

test('each request gets the count and the tokens that a call of its own would return', () => {
  const batch = createCountBatch();
  const places = [
    addToBatch(batch, 'key_1', ['unit', 'event']),
    addToBatch(batch, 'key_2', []),
    addToBatch(batch, 'key_1', ['other', 'unit']),
    addToBatch(batch, 'key_1', []),
  ];
  const [unit, event, other] = [['a', '1'], [], ['b', '2']];
  const reply: Parameters<typeof splitReply>[1] = [500, [43, 1], [unit, event, other]];
  expect(places.map(splitReply(batch, reply))).toEqual([
    { count: 41, leftMs: 500, tokens: [unit, event] },
    { count: 1, leftMs: 500, tokens: [] },
    { count: 42, leftMs: 500, tokens: [other, unit] },
    { count: 43, leftMs: 500, tokens: [] },
  ]);
  expect([...countsOf(batch, reply)]).toEqual([
    ['key_1', 43],
    ['key_2', 1],
  ]);
});
