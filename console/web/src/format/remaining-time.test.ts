import { expect, test } from 'vitest';
import { remainingTime } from './remaining-time.ts';

test.each([
  ['2027-05-10T09:10:00Z', '10:00'],
  ['2027-05-10T09:00:05.200Z', '0:06'],
  ['2027-05-10T09:00:00.001Z', '0:01'],
  ['2027-05-10T09:00:00Z', null],
  ['2027-05-10T08:00:00Z', null],
])('until %s remains %s', (until, expected) => {
  expect(remainingTime(until, new Date('2027-05-10T09:00:00Z'))).toBe(expected);
});
