import { describe, expect, test } from 'vitest';
import { firstOf, occurredAtOf } from './clock.ts';

const receivedAt = new Date('2027-05-10T09:00:00.000Z');
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);
const minute = 60_000;

describe('the time of a scan', () => {
  test.each([
    ['a right clock', 0],
    ['a clock that is five minutes fast', 5 * minute],
    ['a clock that is a year slow', -365 * 24 * 60 * minute],
  ])('is as long before the arrival as the device measured, with %s', (_clock, offMs) => {
    const sentAt = after(receivedAt, offMs);
    const times = { sentAt, scannedAt: after(sentAt, -10 * minute), receivedAt };
    expect(occurredAtOf(times)).toEqual(after(receivedAt, -10 * minute));
  });

  test('is never after the arrival', () => {
    const times = { sentAt: receivedAt, scannedAt: after(receivedAt, minute), receivedAt };
    expect(occurredAtOf(times)).toEqual(receivedAt);
  });
});

describe('the first of two scans', () => {
  const at = (ms: number, clockUncertaintyMs = 0) => ({
    occurredAt: after(receivedAt, ms),
    clockUncertaintyMs,
  });

  test.each([
    [at(4001), at(0), 'other'],
    [at(0), at(4001), 'this'],
    [at(4000), at(0), 'unknown'],
    [at(0), at(4000), 'unknown'],
    [at(0), at(0), 'unknown'],
    [at(4001, 1), at(0), 'unknown'],
    [at(4001), at(0, 1), 'unknown'],
    [at(5002, 1000), at(0, 1), 'other'],
    [at(-60_000, 30_000), at(0, 30_000), 'unknown'],
    [at(-70_000, 30_000), at(0, 30_000), 'this'],
  ] as const)('%o and %o: %s', (scan, other, first) => {
    expect(firstOf(scan, other)).toBe(first);
  });
});
