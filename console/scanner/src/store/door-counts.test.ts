import { expect, test } from 'vitest';
import { countDoors, countsAt, noCounts, plus, since } from './door-counts.ts';

const ofPlatform = new Map([
  ['event evt_1', 40],
  ['venue ven_1', 3],
]);

test('a device without a network adds what it has let in to the counts that it has read', () => {
  const before = countDoors(['event evt_1']);
  const now = countDoors(['event evt_1', 'event evt_1', 'session ses_1']);
  const shown = plus(ofPlatform, since(now, before));
  expect(countsAt(shown, 'event evt_1')).toEqual({ door: 41, all: 45 });
  expect(countsAt(shown, 'session ses_1')).toEqual({ door: 1, all: 45 });
});

test('scans that the platform does not have yet are not lost with the next counts', () => {
  const unsent = countDoors(['venue ven_1', 'venue ven_1']);
  expect(countsAt(plus(ofPlatform, unsent), 'venue ven_1')).toEqual({ door: 5, all: 45 });
});

test('a door without a check-in has none', () => {
  expect(countsAt(noCounts, 'event evt_1')).toEqual({ door: 0, all: 0 });
});
