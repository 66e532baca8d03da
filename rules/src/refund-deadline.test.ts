import { describe, expect, test } from 'vitest';
import { daysBefore } from './refund-deadline.ts';

const before = (startsAt: string, timezone: string, days: number) =>
  daysBefore({ startsAt: new Date(startsAt), timezone }, days)?.toISOString();

describe('a number of days before the start', () => {
  test.each([
    [
      'is the start itself for 0',
      '2027-05-10T07:00:00.000Z',
      'Europe/Berlin',
      0,
      '2027-05-10T07:00:00.000Z',
    ],
    [
      'keeps the time of day',
      '2027-05-10T07:00:00.000Z',
      'Europe/Berlin',
      14,
      '2027-04-26T07:00:00.000Z',
    ],
    // The clocks go forward on 28 March 2027: the day before the start has 23 hours.
    [
      'has 23 hours a day when the clocks go forward',
      '2027-03-28T10:00:00.000Z',
      'Europe/Berlin',
      1,
      '2027-03-27T11:00:00.000Z',
    ],
    // They go back on 31 October 2027: the day before the start has 25 hours.
    [
      'has 25 hours a day when the clocks go back',
      '2027-10-31T11:00:00.000Z',
      'Europe/Berlin',
      1,
      '2027-10-30T10:00:00.000Z',
    ],
    [
      'moves a skipped time behind the gap',
      '2027-03-29T00:30:00.000Z',
      'Europe/Berlin',
      1,
      '2027-03-28T01:30:00.000Z',
    ],
    [
      'means the first of two times',
      '2027-11-01T01:30:00.000Z',
      'Europe/Berlin',
      1,
      '2027-10-31T00:30:00.000Z',
    ],
    [
      'follows a change of half an hour',
      '2027-04-05T00:00:00.000Z',
      'Australia/Lord_Howe',
      2,
      '2027-04-02T23:30:00.000Z',
    ],
    [
      'crosses the end of a year',
      '2027-01-03T17:00:00.000Z',
      'America/New_York',
      5,
      '2026-12-29T17:00:00.000Z',
    ],
    [
      'keeps milliseconds',
      '2027-05-10T07:00:00.123Z',
      'Asia/Kathmandu',
      1,
      '2027-05-09T07:00:00.123Z',
    ],
  ])('%s', (_, startsAt, timezone, days, expected) => {
    expect(before(startsAt, timezone, days)).toBe(expected);
  });

  test('is not known while the start is not', () => {
    expect(daysBefore({ startsAt: null, timezone: 'Europe/Berlin' }, 1)).toBeNull();
  });
});
