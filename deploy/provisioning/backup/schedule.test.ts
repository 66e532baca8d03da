import { describe, expect, test } from 'vitest';
import { isDue, isOverdue, metricsOf, parseTimeOfDay } from './schedule.ts';

const atNight = 2.5 * 3_600_000;

describe('a daily backup', () => {
  test.each([
    { newest: undefined, now: '2026-11-23T00:00:00Z', due: true },
    { newest: '2026-11-22T02:30:00Z', now: '2026-11-23T02:29:59Z', due: false },
    { newest: '2026-11-22T02:30:00Z', now: '2026-11-23T02:30:00Z', due: true },
    { newest: '2026-11-23T02:30:00Z', now: '2026-11-23T02:30:00Z', due: false },
    // Taken by hand in the evening, and the night after it.
    { newest: '2026-11-22T20:00:00Z', now: '2026-11-23T02:00:00Z', due: false },
    { newest: '2026-11-22T20:00:00Z', now: '2026-11-23T02:30:00Z', due: true },
    // Missed while the machine was off.
    { newest: '2026-11-20T02:30:01Z', now: '2026-11-23T01:00:00Z', due: true },
  ])('at 02:30 is due: $newest, $now, $due', ({ newest, now, due }) => {
    const facts = { newest: newest ? new Date(newest) : undefined, now: new Date(now) };
    expect(isDue({ ...facts, timeOfDayMs: atNight })).toBe(due);
  });

  test.each([
    { newest: undefined, overdue: true },
    { newest: '2026-11-22T02:30:00Z', overdue: false },
    { newest: '2026-11-21T23:59:59Z', overdue: true },
  ])('is overdue 36 hours after the newest one: $newest, $overdue', ({ newest, overdue }) => {
    const now = new Date('2026-11-23T12:00:00Z');
    expect(isOverdue(newest ? new Date(newest) : undefined, now)).toBe(overdue);
  });

  test.each([
    { text: '02:30', ms: atNight },
    { text: '00:00', ms: 0 },
    { text: '24:00', ms: undefined },
    { text: '2:30', ms: undefined },
    { text: '02:60', ms: undefined },
  ])('has a time of day: $text', ({ text, ms }) => {
    expect(parseTimeOfDay(text)).toBe(ms);
  });
});

test('the metrics contain the newest backup if there is one', () => {
  expect(metricsOf(new Date(5000))).toMatch(/^backup_newest_timestamp_seconds 5$/m);
  expect(metricsOf(undefined)).not.toMatch(/^backup_newest/m);
});
