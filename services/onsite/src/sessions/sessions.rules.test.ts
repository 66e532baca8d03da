import { expect, test } from 'vitest';
import { decideSessionDates } from './sessions.rules.ts';

const at = (hour: number) => new Date(Date.UTC(2027, 4, 10, hour));
const event = { startsAt: at(9), endsAt: at(18) };
const undated = { startsAt: null, endsAt: null };

test.each([
  ['the whole event', 9, 18, event],
  ['any time of an event without dates', 1, 2, undated],
  ['any later time of an event without an end', 20, 21, { ...event, endsAt: null }],
  ['any earlier time of an event without a start', 1, 2, { ...event, startsAt: null }],
])('accepts a session at %s', (_, from, to, dates) => {
  const session = { startsAt: at(from), endsAt: at(to) };
  expect(decideSessionDates(session, dates)).toEqual({ outcome: 'valid' });
});

test.each([
  ['ends as it starts', 10, 10, event, { outcome: 'ends_too_early' }],
  ['ends before it starts', 10, 9, undated, { outcome: 'ends_too_early' }],
  [
    'starts before the event',
    8,
    10,
    event,
    { outcome: 'before_event', field: 'startsAt', bound: at(9) },
  ],
  [
    'ends after the event',
    17,
    19,
    event,
    { outcome: 'after_event', field: 'endsAt', bound: at(18) },
  ],
  [
    'starts after the event',
    18,
    19,
    event,
    { outcome: 'after_event', field: 'startsAt', bound: at(18) },
  ],
])('rejects a session that %s', (_, from, to, dates, expected) => {
  const session = { startsAt: at(from), endsAt: at(to) };
  expect(decideSessionDates(session, dates)).toEqual(expected);
});
