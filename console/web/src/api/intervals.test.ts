import { expect, test } from 'vitest';
import { intervalMsOf } from './intervals.ts';

test.each<[string, number | undefined]>([
  ['checkin.countPerMinute', 5000],
  ['checkin.listConflicts', undefined],
  ['v1/events/evt_1/checkins/summary', undefined],
])('%s is read again every %j ms, whatever changes', (operation, intervalMs) => {
  expect(intervalMsOf(operation)).toBe(intervalMs);
});
