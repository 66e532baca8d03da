import { describe, expect, test } from 'vitest';
import { addSample, perMinute, type Sample } from './rates.ts';

const minute = 60_000;

/** The samples of one door after these counts at these instants. */
const samplesOf = (counts: readonly [at: number, checkedIn: number][]): Sample[] =>
  counts.reduce<Sample[]>(
    (samples, [at, checkedIn]) => addSample(samples, [{ subjectId: 'door', checkedIn }], at),
    [],
  );

describe('the check-ins per minute of a door', () => {
  test.each<[string, [number, number][], number, number[]]>([
    ['without samples', [], 0, []],
    [
      'in the first minute',
      [
        [0, 7],
        [30_000, 9],
      ],
      59_000,
      [],
    ],
    [
      'after one minute',
      [
        [0, 7],
        [30_000, 9],
      ],
      minute,
      [2],
    ],
    [
      'with a quiet minute between',
      [
        [0, 0],
        [10_000, 3],
        [130_000, 8],
      ],
      3 * minute,
      [3, 0, 5],
    ],
    [
      'when check-ins are undone',
      [
        [0, 5],
        [20_000, 3],
      ],
      minute,
      [0],
    ],
  ])('%s', (_, counts, now, expected) => {
    expect(perMinute(samplesOf(counts), 'door', now)).toEqual(expected);
  });

  test('go back half an hour', () => {
    const counts = Array.from({ length: 60 }, (_, n): [number, number] => [n * minute, 2 * n]);
    const samples = samplesOf(counts);
    expect(samples.length).toBeLessThanOrEqual(32);
    expect(perMinute(samples, 'door', 59 * minute)).toEqual(Array(30).fill(2));
  });

  test('of a new door begin with nothing', () => {
    const samples = addSample(samplesOf([[0, 1]]), [{ subjectId: 'new', checkedIn: 4 }], 30_000);
    expect(perMinute(samples, 'new', minute)).toEqual([4]);
  });
});

test('keeps one sample per ten seconds during a surge', () => {
  const surge = Array.from({ length: 100 }, (_, n): [number, number] => [n * 1000, n]);
  const samples = samplesOf(surge);
  expect(samples.length).toBeLessThanOrEqual(12);
  expect(samples.at(-1)?.counts.door).toBe(99);
  expect(samples.at(0)?.counts.door).toBe(0);
});
