import { describe, expect, test } from 'vitest';
import {
  addDays,
  dayOf,
  formatDays,
  formatInstant,
  formatRelative,
  formatSecond,
  fromWallClock,
  inOtherZone,
  isReversed,
  minuteOfDay,
  periodOf,
  toWallClock,
  typedInstant,
} from './time.ts';

describe('fromWallClock', () => {
  test.each([
    ['2027-05-10T09:00', 'Europe/Berlin', '2027-05-10T07:00:00.000Z'],
    ['2027-01-10T09:00', 'Europe/Berlin', '2027-01-10T08:00:00.000Z'],
    ['2027-05-10T09:00', 'Asia/Kathmandu', '2027-05-10T03:15:00.000Z'],
    ['2027-05-10T09:00', 'America/Los_Angeles', '2027-05-10T16:00:00.000Z'],
    // The clocks go back at 03:00 on 31 October: 02:30 occurs twice, and the first one is meant.
    ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
    // The clocks go forward at 02:00 on 28 March: 02:30 does not occur.
    ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
  ])('reads %s in %s as %s', (wallClock, zone, instant) => {
    expect(fromWallClock(wallClock, zone)).toBe(instant);
  });

  test('reads what toWallClock writes', () => {
    const instant = '2027-05-10T07:00:00.000Z';
    expect(fromWallClock(toWallClock(instant, 'Europe/Berlin'), 'Europe/Berlin')).toBe(instant);
  });

  test.each([
    '',
    '2027-05-10',
    'tomorrow',
    '0002-05-10T09:00',
    '1969-12-31T23:59',
    '3000-01-01T00:00',
    '12027-05-10T09:00',
    '2027-13-10T09:00',
  ])('returns null for %j', (text) => {
    expect(fromWallClock(text, 'UTC')).toBeNull();
  });
});

describe('a date that is typed', () => {
  const zone = 'Europe/Berlin';

  test.each([
    ['', null],
    ['2027-05-10T09:00', '2027-05-10T07:00:00.000Z'],
    ['0002-05-10T09:00', '0002-05-10T09:00'],
    ['0202-05-10T09:00', '0202-05-10T09:00'],
    ['20270-05-10T09:00', '20270-05-10T09:00'],
  ])('%j is %j in the form, and shows itself', (wallClock, value) => {
    expect(typedInstant(wallClock, zone)).toBe(value);
    expect(toWallClock(value, zone)).toBe(wallClock);
  });

  test('a stored instant of an early year is shown with four digits', () => {
    expect(toWallClock('0202-05-10T09:00:00.000Z', 'UTC')).toBe('0202-05-10T09:00');
  });
});

describe('inOtherZone keeps the wall clock', () => {
  test.each([
    ['2027-05-10T09:00', 'Europe/Berlin', 'Asia/Tokyo', '2027-05-10T00:00:00.000Z'],
    ['2027-05-10T09:00', 'UTC', 'America/Los_Angeles', '2027-05-10T16:00:00.000Z'],
    // Summer time counts by the date, in both zones.
    ['2027-07-10T23:30', 'Europe/Berlin', 'Europe/London', '2027-07-10T22:30:00.000Z'],
    ['2027-01-10T23:30', 'Europe/Berlin', 'Europe/London', '2027-01-10T23:30:00.000Z'],
    // 02:30 occurs twice in Berlin: the first one is meant.
    ['2027-10-31T02:30', 'UTC', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  ])('%s from %s to %s', (wallClock, from, to, instant) => {
    const moved = inOtherZone(fromWallClock(wallClock, from), from, to);
    expect(moved).toBe(instant);
    expect(toWallClock(moved, to)).toBe(wallClock);
  });

  test('except for a time that the zone skips, which becomes the time after it', () => {
    const moved = inOtherZone('2027-03-28T02:30:00.000Z', 'UTC', 'Europe/Berlin');
    expect(toWallClock(moved, 'Europe/Berlin')).toBe('2027-03-28T03:30');
  });

  test.each([null, '0002-05-10T09:00'])('and what is no instant: %j', (value) => {
    expect(inOtherZone(value, 'UTC', 'Asia/Tokyo')).toBe(value);
  });
});

describe('formats', () => {
  test('show the zone of the event', () => {
    expect(formatInstant('2027-05-10T07:00:00.000Z', 'Europe/Berlin')).toBe(
      '10 May 2027, 09:00 CEST',
    );
  });

  test('show the seconds', () => {
    expect(formatSecond('2027-05-10T07:00:05.900Z', 'Europe/Berlin')).toBe(
      '10 May 2027, 09:00:05 CEST',
    );
  });

  test('shorten a period', () => {
    expect(formatDays('2027-05-10T07:00:00Z', '2027-05-12T15:00:00Z', 'Europe/Berlin')).toMatch(
      /^10.+12 May 2027$/,
    );
    expect(formatDays('2027-05-10T07:00:00Z', null, 'Europe/Berlin')).toBe('10 May 2027');
  });

  test.each([
    ['2027-05-10T06:55:00Z', '5 minutes ago'],
    ['2027-05-13T07:00:00Z', 'in 3 days'],
    ['2027-05-10T07:00:00Z', 'now'],
  ])('show %s relative to now as %s', (instant, text) => {
    expect(formatRelative(instant, new Date('2027-05-10T07:00:00Z'))).toBe(text);
  });

  test('give the day in the zone', () => {
    expect(dayOf('2027-05-10T23:30:00Z', 'Europe/Berlin')).toBe('2027-05-11');
    expect(addDays('2027-02-28', 1)).toBe('2027-03-01');
    expect(addDays('12027-02-28', 1)).toBe('12027-02-28');
  });
});

test.each([
  ['2027-05-10T07:15:00.000Z', 'Europe/Berlin', 555],
  ['2027-05-09T22:00:00.000Z', 'Europe/Berlin', 0],
])('%s in %s is %i minutes after midnight', (instant, zone, minutes) => {
  expect(minuteOfDay(instant, zone)).toBe(minutes);
});

describe('a period of whole days', () => {
  test.each([
    ['2027-05-10', 'Europe/Berlin', '2027-05-09T22:00:00.000Z', '2027-05-10T22:00:00.000Z'],
    ['2027-12-31', 'UTC', '2027-12-31T00:00:00.000Z', '2028-01-01T00:00:00.000Z'],
    ['2028-02-28', 'Asia/Kathmandu', '2028-02-27T18:15:00.000Z', '2028-02-28T18:15:00.000Z'],
    // The day of 23 hours, and the one of 25.
    ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
    ['2027-10-31', 'Europe/Berlin', '2027-10-30T22:00:00.000Z', '2027-10-31T23:00:00.000Z'],
    // The day begins at 01:00, because midnight is skipped.
    ['2027-09-05', 'America/Santiago', '2027-09-05T04:00:00.000Z', '2027-09-06T03:00:00.000Z'],
    // The clocks go back from midnight to 23:00: that day has 25 hours.
    ['2027-04-03', 'America/Santiago', '2027-04-03T03:00:00.000Z', '2027-04-04T04:00:00.000Z'],
    // The clocks go back from 01:00 to midnight: midnight occurs twice.
    ['2027-11-07', 'America/Havana', '2027-11-07T04:00:00.000Z', '2027-11-08T05:00:00.000Z'],
  ])('%s in %s', (day, zone, from, before) => {
    expect(periodOf(day, day, zone)).toEqual({ from, before });
  });

  test('has no end without a last day, and no start without a first one', () => {
    expect(periodOf(undefined, undefined, 'UTC')).toEqual({});
    expect(periodOf('2027-05-10', '', 'UTC').before).toBeUndefined();
    expect(periodOf('0002-05-10', '20270-05-10', 'UTC')).toEqual({});
  });

  test.each([
    ['2027-05-11', '2027-05-10', true],
    ['2028-01-01', '2027-12-31', true],
    ['2027-05-10', '2027-05-10', false],
    ['2027-05-09', '2027-05-10', false],
    ['2027-05-11', undefined, false],
    [undefined, '2027-05-10', false],
    ['nonsense', '2027-05-10', false],
  ])('from %j until %j is reversed: %j', (first, last, reversed) => {
    expect(isReversed(first, last)).toBe(reversed);
  });
});
