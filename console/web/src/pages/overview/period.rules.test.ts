import { describe, expect, test } from 'vitest';
import { compare, type Forecast, forecast, percentOf, periodUntil } from './period.rules.ts';

const today = '2027-03-10';

describe('a period', () => {
  test('has the last days with today, and is compared with as many before', () => {
    const { days, readFrom, to, daysBefore } = periodUntil(today, '7', null);
    expect([days[0], days.at(-1), days.length]).toEqual(['2027-03-04', today, 7]);
    expect([readFrom, to, daysBefore]).toEqual(['2027-02-25', '2027-03-11', 7]);
  });

  test('since the sale began has no period before', () => {
    const { days, readFrom, daysBefore } = periodUntil(today, 'all', '2027-03-08');
    expect(days).toEqual(['2027-03-08', '2027-03-09', today]);
    expect([readFrom, daysBefore]).toEqual(['2026-02-04', null]);
    expect(periodUntil(today, 'all', null).days).toEqual([today]);
  });

  test('sums its days and those before', () => {
    const sold: Record<string, number> = { '2027-03-10': 3, '2027-03-04': 2, '2027-03-03': 4 };
    const valueOn = (day: string) => sold[day] ?? 0;
    expect(compare(periodUntil(today, '7', null), valueOn)).toEqual({ sum: 5, before: 4 });
    const all = periodUntil(today, 'all', '2027-03-03');
    expect(compare(all, valueOn)).toEqual({ sum: 9, before: null });
  });
});

test.each([
  [5, 4, 25],
  [2, 4, -50],
  [5, 0, null],
  [5, null, null],
])('%i after %i is a change of %i percent', (sum, before, expected) => {
  expect(percentOf(sum, before)).toBe(expected);
});

describe('a forecast', () => {
  const sale = { taken: 60, goal: 100, sold: 14, days: 7, today, startsOn: '2027-04-30' };

  test.each<[string, object, Forecast]>([
    ['names the day on which all seats are gone', {}, { outcome: 'sold_out', on: '2027-03-30' }],
    [
      'counts the seats at the start if some are left',
      { goal: 500 },
      { outcome: 'by_start', seats: 162 },
    ],
    ['counts them without a goal', { goal: null }, { outcome: 'by_start', seats: 162 }],
    ['says nothing without a sale', { sold: 0 }, { outcome: 'unknown' }],
    ['says nothing once all seats are gone', { taken: 100 }, { outcome: 'unknown' }],
    [
      'says nothing without a goal and a start',
      { goal: null, startsOn: null },
      { outcome: 'unknown' },
    ],
    ['says nothing after the start', { goal: null, startsOn: today }, { outcome: 'unknown' }],
  ])('%s', (_, values, expected) => {
    expect(forecast({ ...sale, ...values })).toEqual(expected);
  });
});
