import { expect, test } from 'vitest';
import { movesStartDay } from './settings.rules.ts';

test.each([
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T09:00:00Z', 'Europe/Berlin', false],
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-11T07:00:00Z', 'Europe/Berlin', true],
  // 00:30 of the next day in Berlin.
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T22:30:00Z', 'Europe/Berlin', true],
  // The same wall clock in another zone, and the same instant, whose day differs there.
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', '2027-05-10T00:00:00Z', 'Asia/Tokyo', false],
  ['2027-05-09T22:00:00Z', 'Europe/Berlin', '2027-05-10T04:00:00Z', 'America/New_York', false],
  ['2027-05-10T18:00:00Z', 'Europe/Berlin', '2027-05-10T18:00:00Z', 'Asia/Tokyo', true],
  ['2027-05-10T07:00:00Z', 'Europe/Berlin', null, 'Europe/Berlin', true],
  [null, 'Europe/Berlin', '2027-05-10T07:00:00Z', 'Europe/Berlin', false],
  [null, 'Europe/Berlin', null, 'Asia/Tokyo', false],
])(
  'a start at %s in %s that becomes %s in %s moves to another day: %s',
  (from, zone, to, next, moves) => {
    const before = { startsAt: from, timezone: zone };
    expect(movesStartDay(before, { startsAt: to, timezone: next })).toBe(moves);
  },
);
