import { createRandom } from '@event-api/platform/testing/random';
import { describe, expect, test } from 'vitest';
import { hasOversold, type SeatSample } from '../environment/seats.ts';
import { allFaults, scheduleFaults } from '../faults/schedule.ts';
import { actionAt } from '../workload/run.ts';

const some = (seed: number, name: string) => {
  const random = createRandom(seed).branch(name);
  return Array.from({ length: 20 }, () => random.below(1000));
};

describe('createRandom', () => {
  test('returns the same numbers for the same seed and name, and others otherwise', () => {
    expect(some(7, 'a')).toEqual(some(7, 'a'));
    expect(some(7, 'a')).not.toEqual(some(8, 'a'));
    expect(some(7, 'a')).not.toEqual(some(7, 'b'));
  });

  test('picks every element and only those', () => {
    const random = createRandom(1);
    const picked = Array.from({ length: 200 }, () => random.pick(['a', undefined, 'c']));
    expect(new Set(picked)).toEqual(new Set(['a', undefined, 'c']));
    expect(random.shuffled([1, 2, 3, 4]).toSorted()).toEqual([1, 2, 3, 4]);
    expect(() => random.pick([])).toThrow('nothing');
  });

  test('selects every action', () => {
    const shares = Array.from({ length: 1000 }, (_, n) => actionAt(n / 1000));
    expect(new Set(shares).size).toBe(25);
  });
});

describe('scheduleFaults', () => {
  const scheduled = (seed: number, batches: number) => {
    const schedule = scheduleFaults(createRandom(seed));
    return Array.from({ length: batches }, () => schedule.next().value as typeof allFaults);
  };
  const names = (batches: (typeof allFaults)[]) => batches.flat().map(({ name }) => name);

  test('yields each fault once before any repeats, in an order that depends on the seed', () => {
    const first = names(scheduled(3, allFaults.length)).slice(0, allFaults.length);
    expect(new Set(first)).toEqual(new Set(allFaults.map(({ name }) => name)));
    expect(names(scheduled(3, 9))).toEqual(names(scheduled(3, 9)));
    expect(names(scheduled(3, 9))).not.toEqual(names(scheduled(4, 9)));
  });

  test('yields one or two faults, two with different targets', () => {
    const batches = scheduled(5, 60);
    expect(new Set(batches.map(({ length }) => length))).toEqual(new Set([1, 2]));
    for (const batch of batches)
      expect(new Set(batch.map(({ target }) => target)).size).toBe(batch.length);
  });
});

describe('hasOversold', () => {
  const sample = (capacity: number | null, taken: number, version = '1'): SeatSample => ({
    id: 'tt',
    capacity,
    taken,
    version,
  });

  test.each<[what: string, before: SeatSample | undefined, now: SeatSample, oversold: boolean]>([
    ['all seats taken', sample(5, 4), sample(5, 5), false],
    ['one seat above the capacity', sample(5, 5), sample(5, 6), true],
    ['one seat above the capacity in the first sample', undefined, sample(5, 6), true],
    ['unlimited capacity', sample(null, 5), sample(null, 600), false],
    ['a capacity set below the taken seats', sample(null, 50), sample(5, 50, '2'), false],
    ['a capacity reduced below the taken seats', sample(9, 9), sample(5, 9, '2'), false],
    ['a reduced capacity after the last seats were taken', sample(9, 7), sample(5, 9, '2'), false],
    ['a capacity that was raised and reduced again', sample(5, 8), sample(5, 9, '3'), false],
    ['more seats taken after a reduction', sample(5, 8), sample(5, 9), true],
    ['fewer seats taken after a reduction', sample(5, 9), sample(5, 8), false],
  ])('decides on %s', (_, before, now, oversold) => {
    expect(hasOversold(before, now)).toBe(oversold);
  });
});
