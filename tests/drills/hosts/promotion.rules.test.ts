import { expect, test } from 'vitest';
import { decidePromotion, type StandbyState } from './promotion.rules.ts';

const at = (name: string, receivedTo: number | null): StandbyState => ({
  name,
  receivedTo: receivedTo === null ? null : BigInt(receivedTo),
});

test.each<[what: string, standbys: StandbyState[], confirmations: number, chosen: string | null]>([
  ['the furthest of two', [at('b', 10), at('c', 12)], 1, 'c'],
  ['the furthest, whatever the order', [at('b', 12), at('c', 10)], 1, 'b'],
  ['one of two that are equal', [at('b', 10), at('c', 10)], 1, 'b'],
  ['none if the other one may confirm commits', [at('b', 10), at('c', null)], 1, null],
  ['none if nobody responds', [at('b', null), at('c', null)], 1, null],
  ['one of two if each commit is on both', [at('b', 10), at('c', null)], 2, 'b'],
  ['the only standby', [at('b', 10)], 1, 'b'],
  [
    'the only one of three that are asked, if a commit is on all',
    [at('b', 7), at('c', null), at('d', null)],
    3,
    'b',
  ],
])('a lost primary is replaced by %s', (_, standbys, confirmations, chosen) => {
  const decision = decidePromotion(standbys, confirmations);
  expect(decision.outcome === 'promote' ? decision.name : null).toBe(chosen);
});
