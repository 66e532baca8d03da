import { expect, test } from 'vitest';
import { sharedZone } from './unit-zone.ts';

const event = (timezone: string, status: 'draft' | 'published' | 'archived' = 'published') => ({
  timezone,
  status,
});

test.each([
  ['no events', [], null],
  ['one event', [event('Europe/Berlin')], 'Europe/Berlin'],
  ['events of one zone', [event('Asia/Tokyo'), event('Asia/Tokyo', 'draft')], 'Asia/Tokyo'],
  ['events of two zones', [event('Asia/Tokyo'), event('Europe/Berlin', 'draft')], null],
  ['an archived event elsewhere', [event('UTC', 'archived'), event('Asia/Tokyo')], 'Asia/Tokyo'],
  ['archived events only', [event('UTC', 'archived')], null],
])('a unit with %s has the zone %s', (_, events, zone) => {
  expect(sharedZone(events)).toBe(zone);
});
