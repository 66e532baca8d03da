import { expect, test } from 'vitest';
import { decideSettling } from './rules.ts';

test.each([
  [200, false, 'keep'],
  [201, true, 'keep'],
  [400, false, 'keep'],
  [412, true, 'keep'],
  [409, false, 'forget'],
  [429, false, 'forget'],
  [500, false, 'release'],
  [503, false, 'release'],
  [504, false, 'release'],
  [503, true, 'forget'],
] as const)(
  'a key whose request was answered %i (ids spent: %s) is settled: %s',
  (status, isSpent, settling) => {
    expect(decideSettling(status, isSpent)).toBe(settling);
  },
);
