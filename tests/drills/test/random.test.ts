import { describe, expect, test } from 'vitest';
import { hasOversold, type SeatSample } from '../environment/seats.ts';
import { allFaults, scheduleFaults } from '../faults/schedule.ts';
import { createRandom } from '../history/random.ts';
import { actionAt } from '../workload/run.ts';

const some = (seed: number, name: string) => {
  const random = createRandom(seed).branch(name);
  return Array.from({ length: 20 }, () => random.below(1000));
};

describe('choices', () => {
  test('are the same for the same seed and name, and others for another', () => {
    expect(some(7, 'a')).toEqual(some(7, 'a'));
    expect(some(7, 'a')).not.toEqual(some(8, 'a'));
    expect(some(7, 'a')).not.toEqual(some(7, 'b'));
  });

  test('fall on everything there is, and on nothing else', () => {
    const random = createRandom(1);
    const picked = Array.from({ length: 200 }, () => random.pick(['a', undefined, 'c']));
    expect(new Set(picked)).toEqual(new Set(['a', undefined, 'c']));
    expect(random.shuffled([1, 2, 3, 4]).toSorted()).toEqual([1, 2, 3, 4]);
    expect(() => random.pick([])).toThrow('nothing');
  });

  test('give every action its turn', () => {
    const shares = Array.from({ length: 100 }, (_, n) => actionAt(n / 100));
    expect(new Set(shares).size).toBe(12);
  });
});

describe('faults', () => {
  const dealt = (seed: number, hands: number) => {
    const dealer = scheduleFaults(createRandom(seed));
    return Array.from({ length: hands }, () => dealer.next().value as typeof allFaults);
  };
  const names = (hands: (typeof allFaults)[]) => hands.flat().map(({ name }) => name);

  test('each comes once before any comes again, in an order of the seed', () => {
    const first = names(dealt(3, allFaults.length)).slice(0, allFaults.length);
    expect(new Set(first)).toEqual(new Set(allFaults.map(({ name }) => name)));
    expect(names(dealt(3, 9))).toEqual(names(dealt(3, 9)));
    expect(names(dealt(3, 9))).not.toEqual(names(dealt(4, 9)));
  });

  test('come one or two at a time, and two hurt different things', () => {
    const hands = dealt(5, 60);
    expect(new Set(hands.map(({ length }) => length))).toEqual(new Set([1, 2]));
    for (const hand of hands)
      expect(new Set(hand.map(({ target }) => target)).size).toBe(hand.length);
  });
});

describe('seats', () => {
  const sample = (capacity: number | null, taken: number): SeatSample => ({
    id: 'tt',
    capacity,
    taken,
  });

  test.each<[what: string, before: SeatSample | undefined, now: SeatSample, oversold: boolean]>([
    ['full', sample(5, 4), sample(5, 5), false],
    ['one too many', sample(5, 5), sample(5, 6), true],
    ['one too many at the first look', undefined, sample(5, 6), true],
    ['without limit', sample(null, 5), sample(null, 600), false],
    ['limited since', sample(null, 50), sample(5, 50), false],
    ['lowered below what is taken', sample(9, 9), sample(5, 9), false],
    ['lowered, after the last seats were taken', sample(9, 7), sample(5, 9), false],
    ['lowered before, and growing', sample(5, 8), sample(5, 9), true],
    ['lowered before, and shrinking', sample(5, 9), sample(5, 8), false],
  ])('%s: oversold or not', (_, before, now, oversold) => {
    expect(hasOversold(before, now)).toBe(oversold);
  });
});
