import { describe, expect, test } from 'vitest';
import { isRejection, rejectedScans } from './rejected-scans.ts';

const error = (...details: object[]) => ({ error: { message: 'sentAt is required', details } });

describe('rejectedScans', () => {
  test.each<[string, unknown, [number, string][]]>([
    [
      'those that the platform names',
      error(
        { field: 'scans[1].scanId', issue: 'must not occur twice' },
        { field: 'scans[2]', issue: 'must be an object' },
      ),
      [
        [1, 'scanId must not occur twice'],
        [2, 'must be an object'],
      ],
    ],
    [
      'all, if only the batch is wrong',
      error({ field: 'sentAt', issue: 'is required' }),
      [0, 1, 2].map((place) => [place, 'sentAt is required']),
    ],
    [
      'all, if a place is not one of the batch',
      error({ field: 'scans[7].scanId', issue: 'is required' }),
      [0, 1, 2].map((place) => [place, 'sentAt is required']),
    ],
    ['all, without a reason', null, [0, 1, 2].map((place) => [place, ''])],
  ])('are %s', (_, body, rejected) => {
    expect([...rejectedScans(body, 3)]).toEqual(rejected);
  });
});

test.each([
  [400, true],
  [403, true],
  [404, true],
  [413, true],
  [401, false],
  [408, false],
  [409, false],
  [429, false],
  [503, false],
])('a %d is final: %s', (status, isFinal) => {
  expect(isRejection(status)).toBe(isFinal);
});
